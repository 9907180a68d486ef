"""Tables in memory, those who look on, and what happens by itself."""

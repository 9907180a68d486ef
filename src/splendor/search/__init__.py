"""The tree search, and what it rests on."""

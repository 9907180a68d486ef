"""What a table is, without clock, storage or connections: its log, the fold of it, and what viewers are shown."""

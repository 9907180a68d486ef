"""Who may: limits, passwords, names, and what holds for every request."""

"""The rulebook, compiled: rules, tables, and what is computed from them."""

"""Counting sequences of decisions, measuring the speed, and games as files for learning."""

"""What is stored: people, tables with their logs, results and ratings; in SQLite, or in PostgreSQL by URL."""

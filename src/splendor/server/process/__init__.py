"""The server as a process: the application, its description, and running it."""

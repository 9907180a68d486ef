"""The server, tested as a process of its own, through its sockets and routes."""

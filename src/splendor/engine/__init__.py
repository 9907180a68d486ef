"""Be an engine: one of our players answers a program that speaks the engine protocol, or plays on a server."""

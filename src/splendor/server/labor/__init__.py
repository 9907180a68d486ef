"""Work that takes more than some milliseconds, done in processes beside the event loop and shared fairly."""

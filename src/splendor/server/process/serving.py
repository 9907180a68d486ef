"""Run the server by its environment variables alone: `python -m splendor.server.process.serving`."""

from __future__ import annotations

from splendor.server.config import from_environment
from splendor.server.process.running import run

if __name__ == "__main__":
    run(from_environment())

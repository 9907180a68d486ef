"""Run the server by its environment variables alone: `python -m splendor.server.serving`."""

from __future__ import annotations

from splendor.server.config import from_environment
from splendor.server.running import run

if __name__ == "__main__":
    run(from_environment())

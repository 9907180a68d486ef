"""A server for which the clock of its machine is set forward and back, as a file says, to be run as a process."""

from __future__ import annotations

import sys
import time
from pathlib import Path


def main() -> None:
    """Serve; the file names the seconds by which the clock is set forward."""
    step, true_time = Path(sys.argv[1]), time.time
    time.time = lambda: true_time() + float(step.read_text())

    from splendor.server.config import from_environment
    from splendor.server.process.running import run

    run(from_environment())  # with the clock that is set


if __name__ == "__main__":
    main()

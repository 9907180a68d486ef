"""`python -m splendor.server.labor`: a worker."""

from __future__ import annotations

from splendor.server.labor.worker import main

main()

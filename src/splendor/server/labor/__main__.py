"""`python -m splendor.server.labor`: a worker that is started anew; its input is the connection to the server."""

from __future__ import annotations

import os

from splendor.server.labor.worker import main

connection = os.dup(0)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
main(connection)

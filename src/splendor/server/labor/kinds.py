"""The kinds of work of a server, in the order in which they are done.

Thinking and other work have workers of their own: what computers at tables wait for never waits for a replay.
"""

from __future__ import annotations

from splendor.server.labor.queue import Kind

GAME = Kind("game", seconds=20.0, most_waiting=5000, most_of_one=1000, is_hurried=True)
HINT = Kind("hint", seconds=20.0, most_waiting=40, most_of_one=2, spares=1, patience=10.0, is_hurried=True)
THINKING = (GAME, HINT)  # for a seat that waits at a table; for a person who asks

QUICK = Kind("work", seconds=10.0, most_of_one=4, patience=20.0)
ANALYSIS = Kind("analysis", seconds=120.0, most_waiting=50, most_of_one=2, spares=1)
EXPORT = Kind("export", seconds=600.0, spares=1)
PICTURE = Kind("picture", seconds=10.0, most_waiting=40, most_of_one=4, spares=1, patience=10.0)
WORKING = (QUICK, PICTURE, EXPORT, ANALYSIS)  # replays and checks; links; all games as one file; reviews of games

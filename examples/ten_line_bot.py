"""A bot in ten lines: it buys what it can, else takes tokens, else reserves. The host sends the legal moves.

splendor match "engine:python3 examples/ten_line_bot.py" random --games 20
"""

import json
import sys

WELCOME = {"type": "welcome", "protocol": 1, "name": "ten lines"}
for request in map(json.loads, sys.stdin):
    kind = request["type"]
    if kind == "position":
        moves = sorted(request["moves"], key=lambda move: "b+r".find(move[0]) % 4)
    elif kind in ("hello", "go"):
        reply = {"type": "best", "move": moves[0]} if kind == "go" else WELCOME | {"rules": request["rules"]}
        print(json.dumps(reply | {"id": request["id"]}), flush=True)

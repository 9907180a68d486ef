"""A bot in thirty lines: it takes the first card it can buy, or else any move, at every table of its account.

Run it with the address of a server and a token:  python examples/bot.py http://127.0.0.1:8000 spl_…
"""

import json
import random
import sys
import uuid
from urllib.request import Request, urlopen


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return urlopen(Request(server + path, data, headers))


def play(table):
    shown = json.load(ask(f"/api/tables/{table}"))
    if moves := shown["moves"]:
        buys = [move for move in moves if move["kind"] == "buy"]
        move = buys[0] if buys else random.choice(moves)
        ask(f"/api/tables/{table}/commands", {"type": "play", "key": uuid.uuid4().hex, "move": move["text"]})


server, token = sys.argv[1:]
for line in ask("/api/stream"):
    message = json.loads(line)
    if message["type"] == "your_turn":
        play(message["table"])
    elif message["type"] == "invited":
        ask(f"/api/tables/{message['table']}/join", {})

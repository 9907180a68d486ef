"""An engine in plain Python that does one thing wrong, named by its first argument; "polite" does nothing wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FAULT = sys.argv[1] if __name__ == "__main__" else ""


def say(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def greet(request: dict[str, object]) -> None:
    if FAULT == "polite" and len(sys.argv) > 2:
        with Path(sys.argv[2]).open("a") as file:
            file.write(f"{os.getpid()}\n")
    rules = "0" * 16 if FAULT == "other rules" else request["rules"]
    protocol = 99 if FAULT == "other protocol" else request["protocol"]
    say(type="welcome", id=request["id"], protocol=protocol, name=FAULT, rules=rules)


def answer(request: dict[str, object], moves: list[str]) -> None:
    if FAULT == "crash":
        sys.stderr.write("out of ideas\n")
        sys.exit(3)
    if FAULT == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if FAULT == "hang":
        time.sleep(3600)
    if FAULT == "waits":
        while not Path(sys.argv[2]).exists():
            time.sleep(0.05)
    if FAULT == "family":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        Path(sys.argv[2]).write_text(str(child.pid))
        time.sleep(3600)
    if FAULT == "garbage":
        sys.stdout.write("I would rather take the blue ones\n")
    if FAULT == "binary":
        sys.stdout.buffer.write(bytes(range(256)) * 4 + b"\n")
    if FAULT == "long line":
        while True:
            sys.stdout.write("x" * 65536)
    if FAULT == "flood":
        while True:
            say(type="info", id=request["id"], visits=1)
    if FAULT == "big flood":
        while True:
            say(type="info", id=request["id"], visits=1, line=["+wug"] * 8000)
    if FAULT == "noisy":
        sys.stderr.write("noise\n" * 100_000)
    if FAULT == "illegal":
        say(type="best", id=request["id"], move="+www")
    if FAULT == "no move":
        say(type="best", id=request["id"], move="hello")
    if FAULT == "unknown field":
        say(type="best", id=request["id"], move=moves[0], mood="fine")
    if FAULT == "wrong answer":
        say(type="pong", id=request["id"])
    if FAULT == "error":
        say(type="error", id=request["id"], reason="no idea")
    say(type="best", id=-1 if FAULT == "bad id" else request["id"], move=moves[0])


def main() -> None:
    if FAULT == "dead":
        sys.exit(1)
    if FAULT == "deaf":
        time.sleep(3600)
    known: list[str] = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            greet(message)
        elif message["type"] == "position":
            known = message["moves"]
        elif message["type"] == "go":
            answer(message, known)
        elif message["type"] == "quit" and FAULT != "stays":
            break
    if FAULT == "stays":
        time.sleep(3600)


if __name__ == "__main__":
    main()

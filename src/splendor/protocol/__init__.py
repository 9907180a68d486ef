"""The engine protocol, JSON lines over stdin and stdout: its messages, and a player that is a program of its own.

`docs/protocol.md` specifies it. `splendor.engine` is the other side: it makes one of our players such a program.
"""

from splendor.protocol.client import EngineFailure, EnginePlayer
from splendor.protocol.ruleset import fingerprint

__all__ = ["EngineFailure", "EnginePlayer", "fingerprint"]

"""The engine protocol, JSON lines over stdin and stdout: be an engine, or drive one. See `docs/protocol.md`."""

from splendor.engine.client import EngineFailure, EnginePlayer
from splendor.engine.ruleset import fingerprint

__all__ = ["EngineFailure", "EnginePlayer", "fingerprint"]

"""Splendor in the terminal: play, watch and replay. It contains no rules; it shows views and offers legal moves."""

from __future__ import annotations

from splendor.game.game import Game
from splendor.terminal.session import Session


def play_session(session: Session | None) -> None:
    """Play a session, or choose one on the start screen first."""
    from splendor.terminal.app import SplendorApp

    SplendorApp(session).run()


def replay_game(game: Game) -> None:
    """Step through a game."""
    from splendor.terminal.app import SplendorApp

    SplendorApp(game).run()

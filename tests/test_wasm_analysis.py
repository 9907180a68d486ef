"""`web/engine/analysis/` says what `splendor.analysis` says: evaluations of positions, and reviews of games."""

from __future__ import annotations

from typing import Any

import pytest

from games import random_game
from splendor import Game
from splendor.analysis import evaluate, review
from splendor.notation.positions import format_position
from splendor.players import load
from test_wasm_api import ask

pytestmark = pytest.mark.compiled_only

CLOSE = 1e-4  # the network's last bits differ
PER_CENT = 0.01  # of accuracy, which is told in per cent


def difference(ours: Any, theirs: Any, place: str = "") -> str | None:
    """Where two plain values differ, if they do; numbers may differ a little."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and set(ours) == set(theirs):
        parts = ((ours[name], theirs[name], f"{place}.{name}") for name in ours)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        parts = ((one, other, f"{place}[{n}]") for n, (one, other) in enumerate(zip(ours, theirs, strict=True)))
    elif isinstance(ours, float) and isinstance(theirs, float | int):
        far = PER_CENT if place.endswith("accuracy") else CLOSE
        return None if abs(ours - theirs) <= far else f"{place}: {ours} and {theirs}"
    else:
        return None if ours == theirs else f"{place}: {ours} and {theirs}"
    return next((found for part in parts if (found := difference(*part))), None)


def played(game: Game, turns: int) -> Game:
    """The game after so many more turns of weak players."""
    levels = [load("apprentice", seed=seat) for seat in range(game.players)]
    for _ in range(turns):
        if not game.is_over:
            game.play(levels[game.seat].choose(game.view(game.seat)))
    return game


def some_games() -> list[Game]:
    """The end of a game of two, with a name, the beginning of a game of three, and a game that was given up."""
    late = played(Game(players=2, seed=5), 40)
    end = Game.from_position(format_position(late.state))
    end.tag("Seat0", "Ann")
    given_up = played(Game(players=2, seed=6), 3)
    given_up.tag("Termination", "resignation")
    given_up.tag("Winners", "1")
    return [played(end, 200), played(Game(players=3, seed=5), 15), given_up]


def test_reviews_of_games_are_the_same() -> None:
    games = some_games()
    assert [game.is_over for game in games] == [True, False, False]
    said = ask("review", texts=[game.record() for game in games], seed=1, network=True)
    for game, ours in zip(games, said, strict=True):
        theirs = review(game, "quick", seed=1).to_json()
        assert ours["done"] == len(game.moves) > 2
        assert difference(ours, theirs) is None
        for seat in ours["summary"]:
            parts = ("average", "deal", "luck", "own_errors", "others_errors", "rest")
            assert sum(seat[part] for part in parts) == pytest.approx(seat["result"], abs=1e-9)


def test_evaluations_of_positions_are_the_same() -> None:
    games = [random_game(players, seed, turns=30) for players in (2, 3, 4) for seed in range(2)]
    texts = [format_position(game.state) for game in games]
    includes = [[str(move) for move in (game.legal_moves[0], game.legal_moves[-1])] for game in games]
    said = ask("evaluate", texts=texts, includes=includes, simulations=60, seed=3, network=True)
    for text, include, ours in zip(texts, includes, said, strict=True):
        assert difference(ours, evaluate(text, 60, include=include, seed=3).model_dump(mode="json")) is None

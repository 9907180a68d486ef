"""Whole games that must never change: the deal, the numbering, the rules and the notation in one text."""

from collections.abc import Callable

import pytest

from games import random_game
from splendor import Game

Golden = Callable[[str, str], None]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_games_are_the_same_as_ever(players: int, seed: int, golden: Golden) -> None:
    game = random_game(players, seed, first=seed % players)
    golden(f"games/{players}-players-seed-{seed}.txt", game.record())
    golden(f"games/{players}-players-seed-{seed}.json", game.record(as_json=True))
    golden(f"games/{players}-players-seed-{seed}.board.txt", str(game) + "\n")


def test_the_stalemate_of_the_rules_is_a_legal_game(golden: Golden) -> None:
    """Test vector T6: sixteen turns after which nobody can do anything."""
    level_1 = "18,19,26,27,28,5," + ",".join(
        str(card) for card in range(1, 41) if card not in (2, 3, 11, 13, 18, 19, 26, 27, 28, 5)
    )
    level_2 = ",".join(str(card) for card in range(45, 71))
    level_3 = ",".join(str(card) for card in range(75, 91))
    game = Game.from_position(
        "2 0 1 0 act 0 444445 2,3,11,13/41,42,43,44/71,72,73,74"
        f" {level_1}/{level_2}/{level_3} 1,2,3 000000:-:- 000000:-:-"
    )
    takes = ["+wug", "+rr", "+wug", "+grk", "+wuk", "+grk", "+wuk-kk", "+k", "+k-k", "+k"]
    reserves = ["r2-o", "r3-o", "r11-o", "r13-o", "r18-o", "r19-o"]
    for move in (*takes, *reserves, "pass", "pass"):
        game.play(move)
    assert (game.phase, game.winners, game.points) == ("stalemate", (0, 1), (0, 0))
    golden("games/stalemate.txt", game.record())

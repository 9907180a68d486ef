"""Players are given a view and answer with a legal move; they can be named, repeated, and cannot peek."""

from __future__ import annotations

from itertools import pairwise

import pytest

from positions import deal, give_bonuses, give_tokens, lay_nobles
from splendor import Game
from splendor.core.jit import MODE
from splendor.core.state import NOBLE
from splendor.game.position import View
from splendor.players import KINDS, LEVELS, Player, load

FEW = 4 if MODE == "plain" else 50  # simulations
SPECS = [
    "random",
    "greedy",
    "greedy:noise=0.5",
    f"search:simulations={FEW}",
    "network",
    "network:temperature=0.05",
    f"network:simulations={FEW}",
]


def play(game: Game, players: list[Player], turns: int = 1000) -> Game:
    for _ in range(turns):
        if game.is_over:
            break
        game.play(players[game.seat].choose(game.view(game.seat)))
    return game


def advanced(players: int, seed: int, turns: int) -> Game:
    """A game some turns on, by random play."""
    return play(Game(players=players, seed=seed), [load("random", seed=seed)] * players, turns)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("spec", SPECS)
def test_every_move_is_legal(spec: str, players: int) -> None:
    for seed in range(3 if MODE == "plain" else 12):
        game = advanced(players, seed, 15 * seed)
        if not game.is_over:
            assert load(spec, seed=seed).choose(game.view(game.seat)) in game.legal_moves


def test_whole_games_are_played_to_the_end() -> None:
    for players in (2,) if MODE == "plain" else (2, 3, 4):
        assert play(Game(players=players, seed=5), [load("greedy", seed=5)] * players).phase == "points"


@pytest.mark.skipif(MODE == "plain", reason="two hundred turns take minutes without compiling")
def test_greedy_players_do_not_wait_for_each_other_for_ever() -> None:
    game = Game(players=2, seed=62)  # both come to hold tokens that the other needs
    assert play(game, [load("greedy", seed=62) for _ in range(2)]).phase == "points"


def before_a_return() -> Game:
    """A game in which the action of a turn has been decided, but not which tokens to return."""
    state = deal()
    give_tokens(state, 0, "2 white 2 blue 2 green 2 red 1 gold")
    game = Game._from_state(state, {})
    game.decide(0)
    return game


@pytest.mark.parametrize("spec", SPECS)
def test_a_turn_that_has_begun_is_finished(spec: str) -> None:
    game = before_a_return()
    move = load(spec, seed=1).choose(game.view(game.seat))
    assert move.kind == "finish"
    assert move in game.legal_moves


@pytest.mark.parametrize("spec", SPECS)
def test_a_noble_is_chosen(spec: str) -> None:
    game = choice_of_nobles()
    move = load(spec, seed=1).choose(game.view(game.seat))
    assert move.noble is not None
    assert move in game.legal_moves


def choice_of_nobles() -> Game:
    """Seat 0 has the bonuses that two nobles ask for, and has to choose."""
    state = deal()
    lay_nobles(state, 1, 2, 5)
    give_bonuses(state, 0, "3 green 4 red 4 black")
    state.phase = NOBLE
    return Game._from_state(state, {})


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_gives_the_same_moves(spec: str) -> None:
    turns = 4 if MODE == "plain" else 20
    games = [play(advanced(3, 3, 20), [load(spec, seed=9) for _ in range(3)], turns) for _ in range(2)]
    assert games[0].moves == games[1].moves


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_hidden_makes_no_difference(spec: str) -> None:
    for seed in range(3):
        view = advanced(2, seed, 30).view(None)
        if view.is_over:
            continue
        mine = View(view.redeal(1), view.seat)
        deals = [View(mine.redeal(seed), mine.viewer) for seed in (1, 2)]
        assert load(spec, seed=4).choose(deals[0]) == load(spec, seed=4).choose(deals[1])


@pytest.mark.parametrize("spec", SPECS)
def test_only_the_seat_whose_turn_it_is_chooses(spec: str) -> None:
    game = Game(players=2, seed=1)
    with pytest.raises(ValueError, match="it is the turn of seat 0, but this is the view of 1"):
        load(spec).choose(game.view(1))
    finished = play(game, [load("greedy")] * 2)
    with pytest.raises(ValueError, match="the game is over"):
        load(spec).choose(finished.view(finished.seat))


def wins_of(spec: str, other: str, games: int) -> int:
    """How many games a player wins of another, each in turn the first seat."""
    wins = 0
    for seed in range(games):
        players = [load(spec, seed=seed), load(other, seed=seed)]
        game = play(Game(players=2, seed=seed), players if seed % 2 == 0 else players[::-1])
        wins += game.winners == (seed % 2,)
    return wins


@pytest.mark.compiled_only
def test_greedy_beats_random() -> None:
    assert wins_of("greedy", "random", 40) >= 38


@pytest.mark.compiled_only
def test_noise_makes_greedy_worse() -> None:
    assert wins_of("greedy:noise=2", "greedy", 40) <= 20


# --------------------------------------------------------------------------------------------- by name


def test_every_kind_and_level_can_be_loaded() -> None:
    for name in [*KINDS, *LEVELS]:
        assert hasattr(load(name, seed=1), "choose")


def test_an_unknown_player_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"no player 'gredy'; there are apprentice, .*random, greedy, search, network"):
        load("gredy")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("greedy:nose=1", "greedy has no option 'nose'; its options are noise"),
        ("random:time=1", "random has no option 'time'; it has none"),
        ("greedy:noise", "the option noise of greedy needs a number, as in greedy:noise=1"),
        ("greedy:noise=much", "the option noise of greedy is a number, not 'much'"),
        ("search:simulations=1.5", "the option simulations of search is a whole number, not '1.5'"),
        ("search:time=0", "the time of search is a number of seconds above 0, not 0"),
        ("search:simulations=0", "the simulations of search are at least 1, not 0"),
        ("search:threads=0", "the threads of search are at least 1, not 0"),
        ("greedy:noise=-1", "the noise of greedy is a number from 0 to 100, not -1"),
        ("greedy:noise=nan", "the noise of greedy is a number from 0 to 100, not nan"),
        ("network:simulations=-1", "the simulations of network are at least 0, not -1"),
        ("network:time=0", "the time of network is a number of seconds above 0, not 0"),
        ("network:temperature=2", "the temperature of network is a number from 0 to 1, not 2"),
        ("network:network=1", "network has no option 'network'; its options are simulations, time, temperature, file"),
        ("network:file", "the option file of network needs a file, as in network:file=my-run/network.onnx"),
        ("master:time=1", "there is no player 'master:time=1'"),
    ],
)
def test_a_wrong_option_is_refused_with_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        load(spec)


def test_options_are_numbers_behind_a_colon() -> None:
    player = load("search:time=0.5,simulations=30,threads=2", seed=1)
    assert (player.time, player.simulations, player.threads) == (0.5, 30, 2)  # type: ignore[attr-defined]


def test_the_levels_are_different_players() -> None:
    assert all(one != other for one, other in pairwise(LEVELS.values()))

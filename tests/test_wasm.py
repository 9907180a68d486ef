"""The rules, the search and the network as WebAssembly say what they say in Python, bit by bit.

Node runs the modules (`wasm/equality.ts`) and prints digests; `wasm_reference.py` makes the same here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wasm_reference as reference
from splendor.core import hidden, rules
from splendor.core.actions import ACTIONS
from splendor.core.chance import new_rng
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE, named
from splendor.core.playout import random_action
from splendor.core.state import new_states
from splendor.network import load_network
from splendor.network.action_values import ActionValues
from splendor.network.rotation import ROTATIONS
from splendor.search.kernel.judgement import observe_deciders
from splendor.wasm import link
from splendor.wasm.build import KNOWN_NUMBA, OTHER_NUMBA
from wasm_files import built, say

pytestmark = pytest.mark.compiled_only

PLAYERS = [2, 3, 4]
GAMES = 200  # of each number of players
POSITIONS = 2000


def answer(what: str, *numbers: int, mode: str = "compiled") -> Any:
    """What the modules say."""
    done = say("equality.ts", what, built(mode), *numbers)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.mark.parametrize("players", PLAYERS)
def test_whole_games_are_the_same_also_where_indices_are_checked(players: int) -> None:
    games = [list(reference.game(players, seed)) for seed in range(1, GAMES + 1)]
    assert answer("games", players, GAMES) == games
    assert answer("games", players, GAMES, mode="bounds") == games


@pytest.mark.parametrize("players", PLAYERS)
def test_payments_afterstates_and_whole_turns_are_the_same(players: int) -> None:
    assert answer("questions", players, 20) == [reference.questions(players, seed) for seed in range(1, 21)]


@pytest.mark.parametrize(("players", "depth"), [(2, 5), (3, 4), (4, 4)])
def test_as_many_sequences_of_decisions_are_possible(players: int, depth: int) -> None:
    assert answer("perft", players, 1, depth) == reference.perft(players, 1, depth)


@pytest.mark.parametrize("players", PLAYERS)
def test_search_trees_are_the_same_to_the_last_bit(players: int) -> None:
    assert answer("search", players, 20, 500) == [reference.search(players, seed, 500) for seed in range(1, 21)]


def test_an_index_out_of_range_is_a_trap_where_indices_are_checked() -> None:
    checked = say("equality.ts", "beyond", built("bounds"))
    assert checked.returncode != 0
    assert b"RuntimeError: unreachable" in checked.stderr


def some_views(players: int, count: int) -> Any:
    """Positions of random games, as the seats that decide see them."""
    views, rng = new_states(count), new_rng(players)
    state, made = new_states(1)[0], 0
    rules.setup(state, players, 0, 0, rng)
    while made < count:
        if rules.is_over(state):
            rules.setup(state, players, made % players, 0, rng)
        views[made] = state
        hidden.hide(views[made], state.seat)
        made += 1
        rules.apply(state, random_action(state, rng))
    return views


@pytest.mark.parametrize("players", PLAYERS)
def test_the_network_thinks_the_same(players: int, tmp_path: Path) -> None:
    views = some_views(players, POSITIONS)
    (tmp_path / "views").write_bytes(views.tobytes())
    done = say("equality.ts", "network", built(), tmp_path / "views")
    assert done.returncode == 0, done.stderr.decode()
    said = np.dtype([("shares", "<f4", MAX_PLAYERS), ("ratings", "<f4", ACTIONS), ("worth", "<f8", ACTIONS)])
    answers = np.frombuffer(done.stdout, said)
    network, seen = load_network(), np.zeros((POSITIONS, OBSERVATION_SIZE), np.int8)
    observe_deciders(views, POSITIONS, named(seen))
    for steps in range(ROTATIONS):
        shares, ratings = network.rate(seen[steps::ROTATIONS], steps)
        assert np.abs(answers["shares"][steps::ROTATIONS] - shares).max() < 1e-4
        assert np.abs(answers["ratings"][steps::ROTATIONS] - ratings).max() < 1e-3
    legal = np.zeros((POSITIONS, ACTIONS), np.bool_)
    for number in range(POSITIONS):
        rules.legal_mask(views[number], legal[number])
    worth = ActionValues(network).of_many(views, legal)
    assert np.abs(answers["worth"] - worth).max() < 1e-2
    assert (answers["worth"].argmax(axis=1) == worth.argmax(axis=1)).mean() >= 0.999


def test_the_modules_import_nothing() -> None:
    for name in ("rules", "network"):
        module = link.BinaryReader((built() / f"{name}.wasm").read_bytes(), len(link.MAGIC))
        kinds = []
        while not module.is_at_end:
            kinds.append(module.byte())
            module.take(module.number())
        assert link.IMPORTS not in kinds


def test_equal_sources_give_equal_bytes(tmp_path: Path) -> None:
    import hatch_build

    hatch_build.make_engine(tmp_path)
    for file in ("rules.wasm", "network.wasm", "network.bin"):
        assert (tmp_path / file).read_bytes() == (built() / file).read_bytes()


def test_a_package_is_built_with_the_numba_that_is_known() -> None:
    import hatch_build

    assert f"numba=={KNOWN_NUMBA}.*" == hatch_build.NUMBA
    assert hatch_build.OTHER_NUMBA == OTHER_NUMBA


def test_another_numba_is_told_what_to_do(tmp_path: Path) -> None:
    program = "import numba; numba.__version__ = '0.99.1'; from splendor.wasm.build import build; build(PATH)"
    command = [sys.executable, "-c", program.replace("PATH", f"__import__('pathlib').Path({str(tmp_path)!r})")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == OTHER_NUMBA
    assert "this is Numba 0.99.1: pip install 'numba==0.68.*'" in done.stderr


def test_what_the_linker_does_not_know_is_refused() -> None:
    with pytest.raises(link.LinkError, match="no WebAssembly"):
        link.link(b"\x7fELF", [])

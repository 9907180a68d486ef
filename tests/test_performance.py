"""Performance and accuracy: levels stand in their order, and the data belongs to the network of the package."""

from __future__ import annotations

import numpy as np
import pytest

from splendor.analysis.accuracy import accuracy
from splendor.analysis.levels import TEMPERATURES, chances, expected_losses
from splendor.analysis.model import EFFORTS, Effort
from splendor.analysis.performance import (
    FEWEST,
    HARDNESS_BINS,
    LOSS_BINS,
    Sample,
    bins_of,
    distributions,
    performance,
    stored,
)
from splendor.game.game import Game
from splendor.game.moves import legal_actions
from splendor.network.network import load_network
from splendor.players.levels import LEVELS

pytestmark = pytest.mark.compiled_only


def test_the_distributions_belong_to_the_network_of_the_package() -> None:
    assert stored()["network"] == load_network().fingerprint
    for efforts in stored()["efforts"].values():
        for entry in efforts.values():
            means = [entry["levels"][level]["mean"] for level in TEMPERATURES]
            assert means == sorted(means, reverse=True)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("effort", EFFORTS)
def test_there_are_distributions_for_every_effort(players: int, effort: Effort) -> None:
    levels, tables = distributions(players, effort)
    assert levels == list(LEVELS)[: len(levels)]
    assert len(levels) >= 4
    assert tables.shape == (len(levels), len(HARDNESS_BINS) + 1, len(LOSS_BINS) + 1)
    assert np.allclose(tables.sum(axis=2), 1)
    assert (tables > 0).all()


def test_losses_of_a_level_are_found_to_be_like_this_level() -> None:
    chance = np.random.default_rng(1)
    levels, tables = distributions(2, "normal")
    scales = []
    for place in range(len(levels)):
        rows = chance.integers(0, len(HARDNESS_BINS) + 1, 600)
        losses = [chance.choice(len(LOSS_BINS) + 1, p=tables[place][row]) for row in rows]
        samples = [
            Sample([0.0, *LOSS_BINS][loss] + 1e-9, [0.0, *HARDNESS_BINS][row] + 1e-9)
            for row, loss in zip(rows, losses, strict=True)
        ]
        found = performance(samples, 2, "normal")
        assert found is not None
        assert found.low <= found.scale <= found.high
        assert abs(found.scale - place) < 0.5
        scales.append(found.scale)
    assert scales == sorted(scales)


def test_who_never_errs_is_like_the_strongest_and_who_always_does_is_below_the_weakest() -> None:
    levels, _ = distributions(2, "quick")
    perfect = performance([Sample(0.0, 0.05)] * 100, 2, "quick")
    hopeless = performance([Sample(0.3, 0.01)] * 100, 2, "quick")
    assert perfect is not None
    assert (perfect.below, perfect.above) == (levels[-1], None)
    assert hopeless is not None
    assert (hopeless.below, hopeless.above) == (None, levels[0])


def test_too_few_decisions_say_nothing() -> None:
    assert performance([Sample(0.0, 0.01)] * (FEWEST - 1), 2, "quick") is None


def test_losses_of_more_players_count_for_more() -> None:
    assert bins_of(Sample(0.02, 0.01), 4) == bins_of(Sample(0.04, 0.02), 2)
    assert accuracy([0.02], 4) == pytest.approx(accuracy([0.04], 2))


def test_what_a_level_would_play_follows_from_its_temperature() -> None:
    game = Game(2, seed=3)
    state = game.view(0).state
    policies = chances(state, load_network())
    assert list(policies) == ["apprentice", "journeyman", "artisan", "master"]
    for policy in policies.values():
        assert sum(policy.values()) == pytest.approx(1)
        assert set(policy) == set(legal_actions(state))
    favorite = max(policies["master"], key=lambda action: policies["master"][action])
    assert policies["master"][favorite] > policies["artisan"][favorite] > policies["apprentice"][favorite]
    worths = {action: 0.5 - 0.1 * (action != favorite) for action in policies["master"]}
    losses = list(expected_losses(policies, worths).values())
    assert losses == sorted(losses, reverse=True)

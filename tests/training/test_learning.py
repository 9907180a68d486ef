"""A step of learning: the page it works on, and the step of the matrices."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from splendor.core.features import columns
from splendor.network.kernel.things import ORDER, THINGS, card_columns, things_of
from splendor.network.rotation import COLUMNS, DECISIONS
from splendor.training.judge import Judge
from splendor.training.learner import Learner
from splendor.training.machine import Cpu
from splendor.training.minibatch import Minibatch
from splendor.training.model import crowds_of, players_of
from splendor.training.muon import orthogonal
from splendor.training.selfplay import Lesson, SelfPlay
from training.games import TINY, some_games

pytestmark = pytest.mark.compiled_only


def lesson_of(learner: Learner) -> Lesson:
    """What a window of games teaches that this learner's network has played."""
    selfplay = SelfPlay(learner.config, Cpu(), seed=1)
    return selfplay.play(Judge(learner.model, Cpu()), temperature=0.1, trace=0.9)[0]


def test_nothing_is_told_about_things_that_are_left_out() -> None:
    """With fewer players than four nobody sits at the last seats, nothing is reserved there, and nobles are fewer."""
    assert sorted(ORDER) == list(range(THINGS))
    told = [*card_columns(), *columns("noble_present").reshape(-1, 1), *columns("held").reshape(-1, 1)]
    games = some_games(60, 60)
    seen = np.pad(games.seen.numpy(), ((0, 0), (0, 1)))
    for players in (2, 3, 4):
        rows = seen[games.players.numpy() == players]
        assert things_of(players) == 14 + 5 * players
        for thing in ORDER[things_of(players) :]:
            assert not rows[:, told[thing]].any()
        assert rows[:, told[ORDER[things_of(players) - 4]]].any()  # the last noble


def test_a_page_holds_games_of_all_sizes_as_they_are_played() -> None:
    learner = Learner(replace(TINY, siblings=2, rotated=0.0), Cpu())
    lesson = lesson_of(learner)
    learner.learn(lesson, 1e-3)
    minibatch = learner.minibatch
    assert crowds_of(players_of(minibatch.seen)) == minibatch.crowds == (128, 64, 64)
    assert crowds_of(players_of(minibatch.seen[minibatch.before])) == (32, 16, 16)
    rows = {row.numpy().tobytes(): number for number, row in enumerate(lesson.before)}
    found = torch.tensor([rows[row.numpy().tobytes()] for row in minibatch.seen[minibatch.before]])
    assert torch.equal(lesson.policy[found], minibatch.policy)
    assert torch.equal(lesson.before_shares[found], minibatch.targets[minibatch.before])


@pytest.mark.parametrize(
    ("batch", "games", "players", "decisions"),
    [
        (64, 24, (0.5, 0.25, 0.25), (32, 16, 16)),
        (64, 5, (1.0, 0.0, 0.0), (64, 0, 0)),
        (10, 3, (1 / 3, 1 / 3, 1 / 3), (3, 3, 4)),
    ],
)
def test_a_page_is_divided_as_the_games_are(
    batch: int, games: int, players: tuple[float, float, float], decisions: tuple[int, int, int]
) -> None:
    minibatch = Minibatch(replace(TINY, batch=batch, games=games, players=players), torch.device("cpu"))
    assert minibatch.decisions == decisions


def test_a_decision_is_learned_in_rotated_colors() -> None:
    learner = Learner(replace(TINY, rotated=1.0), Cpu())
    lesson = lesson_of(learner)
    learner.learn(lesson, 1e-3)
    minibatch = learner.minibatch
    rows = {
        row.tobytes(): (number, steps)
        for steps in range(len(COLUMNS))
        for number, row in enumerate(np.ascontiguousarray(lesson.before.numpy()[:, COLUMNS[steps]]))
    }
    found, steps = zip(*(rows[row.numpy().tobytes()] for row in minibatch.seen[minibatch.before]), strict=True)
    assert set(steps) == {1, 2, 3, 4}
    policy = lesson.policy[list(found)].gather(1, torch.from_numpy(DECISIONS[list(steps)]))
    assert torch.equal(policy, minibatch.policy)
    assert torch.equal(lesson.before_shares[list(found)], minibatch.targets[minibatch.before])


@pytest.mark.parametrize("shape", [(2, 24, 24), (1, 96, 32), (3, 32, 96)])
def test_a_step_of_matrices_is_nearly_orthogonal(shape: tuple[int, int, int]) -> None:
    """However different the directions of a gradient are in size, those of the step are not."""
    torch.manual_seed(1)
    gradients = torch.randn(shape) * torch.logspace(0, -1, shape[2])
    sizes = torch.linalg.svdvals(orthogonal(gradients))
    assert sizes.min() > 0.4
    assert sizes.max() < 1.4

"""What a lesson teaches: the shares of the win, the policy, and the siblings of a decision."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch

from splendor.training.games import (
    NOTHING,
    Tried,
)
from splendor.training.selfplay import pick_siblings, soft_policy, td_targets

pytestmark = pytest.mark.compiled_only


def shares(*rows: list[float]) -> torch.Tensor:
    """One game, a row for each decision."""
    return torch.tensor([[*row, 0.0, 0.0] for row in rows]).unsqueeze(1)


def test_with_a_full_trace_the_target_is_the_result() -> None:
    chosen = shares([0.5, 0.5], [0.3, 0.7], [0.4, 0.6])
    result = shares([0, 0], [0, 0], [1.0, 0.0])
    done = torch.tensor([[False], [False], [True]])
    after, before = td_targets(chosen, chosen, result, done, trace=1.0)
    assert after[:, 0, 0].tolist() == pytest.approx([1, 1, 1])
    assert before[:, 0, 0].tolist() == pytest.approx([1, 1, 1])


def test_without_a_trace_the_target_is_the_best_next_afterstate() -> None:
    chosen = shares([0.5, 0.5], [0.3, 0.7], [0.4, 0.6])
    best = shares([0.6, 0.4], [0.2, 0.8], [0.4, 0.6])
    done = torch.zeros((3, 1), dtype=torch.bool)
    after, before = td_targets(chosen, best, torch.zeros_like(chosen), done, trace=0.0)
    assert after[:2, 0, 0].tolist() == pytest.approx([0.2, 0.4])
    assert before[:, 0, 0].tolist() == pytest.approx([0.6, 0.2, 0.4])


def test_what_the_noise_cost_is_not_blamed_on_the_decision_before() -> None:
    """Seat 1 throws away 0.3 at the second decision and loses; before that it stood at 0.8, as far as one can tell."""
    chosen, best = shares([0.2, 0.8], [0.5, 0.5]), shares([0.2, 0.8], [0.2, 0.8])
    done = torch.tensor([[False], [True]])
    after, _ = td_targets(chosen, best, shares([0, 0], [0.5, 0.5]), done, trace=1.0)
    assert after[0, 0, :2].tolist() == pytest.approx([0.2, 0.8])


def test_nothing_flows_from_one_game_into_the_one_before() -> None:
    chosen = shares([0.5, 0.5], [0.9, 0.1])
    done = torch.tensor([[True], [False]])
    after, _ = td_targets(chosen, chosen, shares([0.0, 1.0], [0, 0]), done, trace=0.5)
    assert after[0, 0, :2].tolist() == [0.0, 1.0]


def test_the_policy_to_learn_is_a_distribution_over_what_was_tried() -> None:
    policy = soft_policy(torch.tensor([[NOTHING, 0.5, 0.52, 0.1]]), torch.tensor(0.02))[0]
    assert policy[0] == NOTHING
    assert policy[1:].sum() == pytest.approx(1.0)
    assert policy[2] / policy[1] == pytest.approx(np.e, rel=1e-3)


def test_siblings_are_the_best_decisions_beside_the_chosen_one() -> None:
    worth = torch.tensor([[0.5, 0.7, NOTHING, 0.6], [NOTHING, 0.2, NOTHING, NOTHING]])
    rows = torch.tensor([[0, 1, 0, 2], [0, 3, 0, 0]])
    tried = Tried(torch.tensor([0, 1, 3, 5]), rows, torch.zeros(4, 1), torch.zeros(4, 4), torch.zeros(4) > 0, worth)
    assert pick_siblings(tried, torch.tensor([1, 1]), 3).tolist() == [[2, 0, 1], [3, 3, 3]]

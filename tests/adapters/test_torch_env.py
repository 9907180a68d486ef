"""Torch tensors show the games of `Batch`, on the CPU and on a GPU."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from splendor.adapters.torch_env import TorchEnv
from splendor.many.batch import Batch

pytestmark = pytest.mark.compiled_only

GAMES = 64
NEEDS_GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=[pytest.mark.gpu, NEEDS_GPU])])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tensors_hold_the_games_of_a_batch(players: int, device: str) -> None:
    torch.manual_seed(1)
    env, batch = TorchEnv(GAMES, players, device=device), Batch(GAMES, players)
    seen = env.reset(seed=5)
    batch.reset(np.arange(5, 5 + GAMES, dtype=np.uint64))
    ended = 0
    for _ in range(280):
        assert seen.observation.device.type == device
        assert np.array_equal(seen.observation.cpu(), batch.observe())
        assert np.array_equal(seen.mask.cpu(), batch.legal_mask())
        assert np.array_equal(seen.seat.cpu(), batch.states.seat)
        actions = seen.mask.float().multinomial(1)[:, 0]
        seen = env.step(actions)
        batch.step(actions.cpu().numpy().astype(np.int8), restart=True)
        assert np.array_equal(seen.done.cpu(), batch.done)
        assert np.array_equal(seen.shares.cpu(), batch.shares)
        ended += int(seen.done.sum())
    assert ended > 0


def test_random_actions_are_legal() -> None:
    env = TorchEnv(GAMES)
    seen = env.reset()
    for _ in range(20):
        actions = env.random_actions()
        assert seen.mask[torch.arange(GAMES), actions.long()].all()
        seen = env.step(actions)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_so() -> None:
    with pytest.raises(RuntimeError, match="GPU"):
        TorchEnv(GAMES, device="cuda")

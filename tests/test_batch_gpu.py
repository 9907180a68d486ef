"""The GPU gives the numbers of the CPU, bit for bit. Run on a machine with a GPU by `make test-gpu`."""

from typing import Any

import numpy as np
import pytest

from splendor.core.actions import ACTIONS
from splendor.core.features import OBSERVATION_SIZE
from splendor.core.jit import MODE
from splendor.many import batch_gpu
from splendor.many.batch import Batch
from splendor.many.batch_gpu import GpuBatch, NoGpu

PLAYERS = (2, 3, 4)
WHOLE_GAMES = 250_000  # more than a GPU has lanes, so that each lane plays several


def missing() -> str:
    """Why the tests of this file cannot run here; empty when they can."""
    try:
        batch_gpu.check_gpu()
    except NoGpu as problem:
        return str(problem)
    return ""


needs_gpu = [pytest.mark.gpu, pytest.mark.skipif(bool(missing()), reason=missing() or "there is a GPU")]


def gpu(test: Any) -> Any:
    for mark in needs_gpu:
        test = mark(test)
    return test


@pytest.mark.skipif(not missing(), reason="there is a GPU")
def test_without_a_gpu_a_sentence_says_what_is_missing() -> None:
    with pytest.raises(NoGpu, match="GpuBatch needs"):
        GpuBatch(10)


def test_desks_are_an_odd_number_of_words() -> None:
    for desk in (batch_gpu.GAME_DESK, batch_gpu.MASK_DESK, batch_gpu.SIGHT_DESK):
        assert desk.itemsize % 8 == 4


@gpu
@pytest.mark.parametrize("players", PLAYERS)
def test_whole_games_are_those_of_the_cpu(players: int) -> None:
    ours, theirs = Batch(WHOLE_GAMES, players, seed=11, threads=None), GpuBatch(WHOLE_GAMES, players, seed=11)
    assert theirs.states.tobytes() == ours.states.tobytes()
    assert (theirs.playout().copy_to_host() == ours.playout()).all()
    assert theirs.states.tobytes() == ours.states.tobytes()
    assert (theirs.rng.copy_to_host() == ours.rng).all()
    assert (theirs.places.copy_to_host() == ours.places).all()
    assert (theirs.shares.copy_to_host() == ours.shares).all()
    assert theirs.done.copy_to_host().all()


@gpu
@pytest.mark.parametrize("players", PLAYERS)
def test_steps_masks_and_observations_are_those_of_the_cpu(players: int) -> None:
    games = 3001  # no multiple of a block
    ours, theirs = Batch(games, players, seed=5, threads=None), GpuBatch(games, players, seed=5)
    viewers = (np.arange(games) % players).astype(np.int8)
    for step in range(300):
        assert (theirs.legal_mask().copy_to_host() == ours.legal_mask()).all()
        assert (theirs.observe().copy_to_host() == ours.observe()).all()
        if step % 50 == 0:
            assert (theirs.observe(viewers).copy_to_host() == ours.observe(viewers)).all()
        actions = ours.random_actions()
        assert (theirs.random_actions().copy_to_host() == actions).all()
        restart = step % 2 == 0
        assert (theirs.step(actions, restart).copy_to_host() == ours.step(actions, restart)).all()
        assert theirs.states.tobytes() == ours.states.tobytes()
    assert (theirs.places.copy_to_host() == ours.places).all()


@gpu
def test_a_reset_takes_seeds_or_goes_on_with_the_generators() -> None:
    ours, theirs = Batch(100, 3, seed=1), GpuBatch(100, 3, seed=2)
    ours.reset()
    theirs.reset(np.arange(1, 101))
    theirs.reset()
    assert theirs.states.tobytes() == ours.states.tobytes()


@gpu
def test_torch_shares_the_memory() -> None:
    torch = pytest.importorskip("torch")
    batch = GpuBatch(64, 2, seed=3)
    observations = torch.empty((64, OBSERVATION_SIZE), dtype=torch.int8, device="cuda")
    batch.observe(out=observations)
    assert (observations.cpu().numpy() == Batch(64, 2, seed=3).observe()).all()
    mask = torch.as_tensor(batch.legal_mask(), device="cuda")
    assert mask.shape == (64, ACTIONS)
    assert mask.dtype == torch.bool
    done = torch.as_tensor(batch.done, device="cuda")
    assert done.data_ptr() == batch.done.__cuda_array_interface__["data"][0]
    actions = torch.multinomial(mask.float(), 1)[:, 0].to(torch.int8)
    batch.step(actions)
    assert not done.any()


@gpu
def test_cupy_shares_the_memory() -> None:
    cupy = pytest.importorskip("cupy")
    batch = GpuBatch(64, 2, seed=3)
    shares = cupy.asarray(batch.shares)
    assert shares.data.ptr == batch.shares.__cuda_array_interface__["data"][0]
    batch.playout()
    assert float(shares.sum()) == pytest.approx(64)


def test_gpu_tests_run_compiled() -> None:
    assert missing() or MODE != "plain"

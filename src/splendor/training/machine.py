"""Where training runs: loops over games and PyTorch side by side, on the CPU or on a GPU, over the same memory.

A machine makes tensors, shows their memory to the loops as NumPy knows it, and runs a loop over its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Protocol, TypeVar

import numpy as np
import torch

from splendor.core.afterstates import play_decisions
from splendor.core.components import MAX_PLAYERS
from splendor.core.state import new_states
from splendor.search.kernel.evaluation import ROW
from splendor.search.kernel.greedy import SCRATCH_STATES
from splendor.search.kernel.loops import greedy_in_games

REHEARSALS = 3  # of work that is recorded

T = TypeVar("T")


class Machine(Protocol):
    """The CPU or a GPU."""

    name: str
    device: torch.device
    precision: torch.dtype  # of a network that only plays

    def array(self, tensor: torch.Tensor, dtype: np.dtype | type | None = None) -> Any:
        """A contiguous tensor as the loops see it: the same numbers, or with a dtype one flat array of it."""
        ...

    def run(self, loop: Callable[..., None], count: int, *arguments: object) -> None:
        """Run a loop over rows 0 to `count`; scratch paper is added to the arguments."""
        ...

    def recorded(self, work: Callable[[], T]) -> Callable[[], T]:
        """The same work, to be called often: always on the same tensors, with the result always in the same ones."""
        ...

    def wait(self) -> None:
        """Until everything asked for is done, for clocks."""
        ...


class Cpu:
    """The same at toy size, for tests and for reading along."""

    def __init__(self) -> None:
        """Uses one core: networks of toy size gain nothing from more."""
        torch.set_num_threads(1)
        self.name = "CPU"
        self.device = torch.device("cpu")
        self.precision = torch.float32
        self._scratch: dict[Callable[..., None], tuple[object, ...]] = {
            play_decisions: (new_states(1),),
            greedy_in_games: (new_states(SCRATCH_STATES), np.zeros(MAX_PLAYERS), np.zeros(ROW)),
        }

    def array(self, tensor: torch.Tensor, dtype: np.dtype | type | None = None) -> Any:
        """The memory of a tensor."""
        array = tensor.numpy()
        return array if dtype is None else array.reshape(-1).view(dtype)

    def run(self, loop: Callable[..., None], count: int, *arguments: object) -> None:
        """One row after the other."""
        loop(0, count, *self._scratch.get(loop, ()), *arguments)

    def recorded(self, work: Callable[[], T]) -> Callable[[], T]:
        """Nothing is gained here."""
        return work

    def wait(self) -> None:
        """Nothing is ever under way."""


class Gpu:
    """An NVIDIA GPU."""

    def __init__(self) -> None:
        """Raises RuntimeError where there is none."""
        if not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no GPU on this machine")
        if find_spec("triton") is None:
            raise RuntimeError("training on a GPU needs Triton, which comes with PyTorch on Linux: pip install triton")
        from splendor.training import kernels

        kernels.check_gpu()
        self.device = torch.device("cuda")
        self.name = torch.cuda.get_device_name()
        self.precision = torch.float16
        self._kernels = kernels
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False

    def array(self, tensor: torch.Tensor, dtype: np.dtype | type | None = None) -> Any:
        """The memory of a tensor."""
        return self._kernels.device_array(tensor, dtype)

    def run(self, loop: Callable[..., None], count: int, *arguments: object) -> None:
        """All rows at once."""
        self._kernels.launch(loop, count, *arguments)

    def recorded(self, work: Callable[[], T]) -> Callable[[], T]:
        """Record the kernels once, to be started all together: Python is too slow to start hundreds for a small batch.

        The work is done a few times on the way, as PyTorch asks for.
        """
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(REHEARSALS):
                work()
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = work()

        def again() -> T:
            graph.replay()
            return result

        return again

    def wait(self) -> None:
        """Until the GPU is idle."""
        torch.cuda.synchronize()


def machine(name: str = "auto") -> Machine:
    """`cpu`, `gpu`, or `auto`: a GPU where there is one."""
    if name not in ("auto", "cpu", "gpu"):
        raise ValueError(f"there is no machine {name!r}; there are auto, cpu, gpu")
    if name == "cpu" or (name == "auto" and not torch.cuda.is_available()):
        return Cpu()
    return Gpu()

"""A dataset of `splendor dataset` in NumPy and in PyTorch.

    splendor dataset games/ greedy greedy:noise=0.3 --games 200 --seed 1
    python examples/load_dataset.py games/

The second part learns to imitate the winners: a minimal supervised loop, without PyTorch it is left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from splendor.core.features import named
from splendor.tools.dataset import load_decisions


def show_columns(folder: Path) -> dict[str, np.ndarray]:
    """NumPy: every column is an array, and an observation can be read by the names of its parts."""
    columns = load_decisions(folder)
    for name, column in columns.items():
        print(f"{name:<12} {column.dtype!s:<8} {column.shape}")
    seen = named(columns["observation"])
    print(f"on average {columns['action_mask'].sum(axis=1).mean():.1f} legal actions in a decision")
    print(f"on average {seen.held[:, 0].mean():.1f} tokens in the hand of whoever decides")
    return columns


def imitate_winners(columns: dict[str, np.ndarray], passes: int = 3) -> None:
    """PyTorch: the arrays become tensors without a copy, and those a DataLoader."""
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    torch.manual_seed(1)
    won = columns["share"] > 0
    tensors = [torch.from_numpy(columns[name][won]) for name in ("observation", "action_mask", "action")]
    loader = DataLoader(TensorDataset(*tensors), batch_size=256, shuffle=True)
    size, actions = tensors[0].shape[1], tensors[1].shape[1]
    network = torch.nn.Sequential(torch.nn.Linear(size, 128), torch.nn.ReLU(), torch.nn.Linear(128, actions))
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    for number in range(passes):
        right = 0
        for seen, mask, action in loader:
            logits = network(torch.log1p(seen.float())).masked_fill(mask == 0, -1e9)
            loss = torch.nn.functional.cross_entropy(logits, action.long())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right += int((logits.argmax(dim=1) == action).sum())
        print(f"pass {number + 1}: {right / len(tensors[0]):.1%} of the winners' decisions foreseen")


def main() -> None:
    columns = show_columns(Path(sys.argv[1]))
    try:
        imitate_winners(columns)
    except ImportError:
        print("PyTorch is not installed, so nothing is learned.")


if __name__ == "__main__":
    main()

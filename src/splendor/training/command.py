"""What `splendor train` and `python -m splendor.training` share: from options to a run."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from splendor.training.config import (
    HALF_HOUR,
    PARTS,
    Checkpoint,
    Config,
    Given,
    check_growth,
    lasting,
    make_parts,
    read_settings,
)


def settings_of(texts: Sequence[str]) -> Given:
    """Settings that were given one by one, each as in `games=4096`."""
    settings: Given = {}
    for text in texts:
        try:
            settings |= tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            raise ValueError(f"{text!r} is not a setting; one looks like games=4096") from None
    return settings


def plan(
    config: Path | None, given: Given, minutes: float | None, checkpoint: Checkpoint | None
) -> tuple[list[Config], int]:
    """The parts of a run, those that were done before it too, and the number of the one to begin or to go on with."""
    if checkpoint is None:
        before: list[Config] = []
        settings = read_settings(config or HALF_HOUR)
    else:
        parts, part = make_parts({PARTS: checkpoint["parts"]}), checkpoint["part"]
        if not config and not given and minutes is None:
            return parts, part
        before = parts[: part + 1]
        settings = checkpoint["config"] | (read_settings(config) if config else {})
    more = make_parts(settings, given)
    parts = [*before, *(more if minutes is None else lasting(more, minutes))]
    check_growth(parts)
    return parts, len(before)


def run_training(
    *,
    config: Path | None,
    settings: Sequence[str],
    out: Path,
    resume: Path | None,
    minutes: float | None,
    stop_after: float | None,
    machine: str,
    smoke: bool,
    started: float,
    say: Callable[[str], None],
) -> None:
    """Train as asked. Raises ValueError or RuntimeError with a sentence where that is not possible."""
    try:
        import onnx  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        raise RuntimeError(f"training needs {error.name}: pip install 'splendor[train]'") from None
    from splendor.training import machine as machines
    from splendor.training.learner import read_checkpoint

    here = machines.machine(machine)
    checkpoint = read_checkpoint(resume) if resume else None
    parts, part = plan(config, settings_of(settings), minutes, checkpoint)
    if smoke:
        from splendor.training.smoke import try_everything

        try_everything(parts[-1], here, out, say)
        return
    from splendor.training.run import start

    start(parts, here, out, part=part, checkpoint=checkpoint, stop_after=stop_after, say=say, started=started)

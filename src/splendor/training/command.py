"""What `splendor train` and `python -m splendor.training` share: from options to a run."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from splendor.training.config import Config, make_config


def make_settings(config: Path | None, settings: Sequence[str], minutes: float | None) -> dict[str, Any]:
    """The settings of a file, and on top of them those given one by one as `name=value`."""
    chosen: dict[str, Any] = tomllib.loads(config.read_text(encoding="utf-8")) if config else {}
    for text in settings:
        try:
            chosen |= tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            raise ValueError(f"{text!r} is not a setting; one looks like games=4096") from None
    if minutes is not None:
        chosen["minutes"] = minutes
    return chosen


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

    chosen = make_settings(config, settings, minutes)
    here = machines.machine(machine)
    if smoke:
        from splendor.training.smoke import try_everything

        try_everything(make_config(chosen), here, out, say)
        return
    from splendor.training.run import start

    if resume and not chosen:
        settled: Config | None = None
    elif resume:
        settled = make_config(read_checkpoint(resume)["config"] | chosen)
    else:
        settled = make_config(chosen)
    start(settled, here, out, resume=resume, stop_after=stop_after, say=say, started=started)

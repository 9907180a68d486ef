"""`splendor tui`: play in the terminal."""

from __future__ import annotations

import typer

app = typer.Typer()

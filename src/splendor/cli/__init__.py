"""The `splendor` command: one small module for each topic, put together here.

A command imports what it needs when it runs, so that `splendor --help` is there at once. What goes wrong is
said in one sentence on stderr. Exit codes: 0 all is well, 1 the game or position given is not, 2 the command
was not used as it should be.
"""

from __future__ import annotations

import typer

from splendor import __version__
from splendor.cli import (
    arena,
    backup,
    bench,
    bot,
    dataset,
    engine,
    games,
    reports,
    review,
    serve,
    site,
    train,
    tui,
    verify,
)

app = typer.Typer(
    help="The board game Splendor: play it, look at it, check it, measure it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(tui.app)
app.add_typer(games.app)
app.add_typer(arena.app)
app.add_typer(review.app)
app.add_typer(engine.app)
app.add_typer(dataset.app)
app.add_typer(bench.app)
app.add_typer(serve.app)
app.add_typer(site.app)
app.add_typer(backup.app)
app.add_typer(reports.app, name="reports")
app.add_typer(verify.app)
app.add_typer(bot.app)
app.add_typer(train.app)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"splendor {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Show the version."),
) -> None:
    """The board game Splendor: play it, look at it, check it, measure it."""


def main() -> None:
    """Run the command line."""
    app(prog_name="splendor")

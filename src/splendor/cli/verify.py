"""The command that checks a deal."""

from __future__ import annotations

from typing import Annotated

import typer

from splendor.cli.problems import BROKEN, MISUSED, complain
from splendor.cli.sources import Unreadable, read_text, shown

app = typer.Typer()

SENTENCES = {
    "no_secrets": "the record does not have the secrets of its deal",
    "secret_differs": "the server's secret is not the one it had promised",
    "nonce_differs": "a player's nonce is not the one that was promised",
    "order_differs": "the seats were not shuffled as the secrets say",
    "deal_differs": "the cards were not dealt as the secrets say",
}


@app.command()
def verify(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Game files from a server, or - for standard input.")
    ],
) -> None:
    """Was the deck fair? Compute the deal again from the secrets in the record.

    What this proves, and what it does not, is in docs/fairness.md. Exit code 0 if every deal is as promised.
    """
    from splendor.server.records import verify as judge

    code = 0
    for file in files:
        try:
            verdict = judge(read_text(file))
        except Unreadable as error:
            code = MISUSED
            complain(error)
            continue
        except ValueError as error:
            code = max(code, BROKEN)
            complain(f"{shown(file)}: {error}")
            continue
        if verdict.problem is not None:
            code = max(code, BROKEN)
            complain(f"{shown(file)}: {SENTENCES[verdict.problem.code]}")
        else:
            given = " and ".join(["the server", *(f"the player of seat {seat}" for seat in verdict.contributors)])
            print(f"{shown(file)}: the deal follows from the secrets of {given}")
    raise typer.Exit(code)

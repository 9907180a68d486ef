"""The command that checks a deal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from splendor.cli.problems import BROKEN, MISUSED, complain, fail
from splendor.cli.sources import Unreadable, read_text, shown

app = typer.Typer()

SENTENCES = {
    "no_secrets": "the record does not have the secrets of its deal",
    "secret_differs": "the server's secret is not the one it had promised",
    "no_order": "the record does not say how the seats were given",
    "nonce_differs": "a player's nonce is not the one that was promised",
    "order_differs": "the seats were not shuffled as the secrets say",
    "deal_differs": "the cards were not dealt as the secrets say",
    "other_secret": "the server had promised another secret",
    "other_promise": "a player's promise is not the one that stood when you gave your nonce",
    "own_nonce_missing": "your own nonce is not in it",
}

SEATING = {
    "random": "the seats were drawn with it",
    "chosen": "the seats were not drawn",
    None: "the record does not say whether the seats were drawn",
}


PROMISED = "they are the secrets that were promised to you"
NOT_ASKED = "whether they are the promised ones is not known without --kept"

Kept = Annotated[
    Path | None, typer.Option(help="What you kept of the promises, a JSON file: see docs/fairness.md.", metavar="FILE")
]


@app.command()
def verify(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Game files from a server, or - for standard input.")
    ],
    kept: Kept = None,
) -> None:
    """Does the deal of a game follow from the secrets in its record? Compute it again.

    With --kept also: are these the secrets that were promised to you? What this proves, and what it does not, is in
    docs/fairness.md. Exit code 0 if every deal is as promised.
    """
    from splendor.server.tables import proof

    try:
        promises = None if kept is None else proof.Kept.model_validate_json(kept.read_bytes())
    except (OSError, ValueError):
        fail(f"{shown(str(kept))} is not a file of kept promises", MISUSED)
    code = 0
    for file in files:
        try:
            text = read_text(file)
            verdict = proof.verify(text)
            problem = verdict.problem or (None if promises is None else proof.compare(text, promises))
        except Unreadable as error:
            code = MISUSED
            complain(error)
            continue
        except ValueError as error:
            code = max(code, BROKEN)
            complain(f"{shown(file)}: {error}")
            continue
        if problem is not None:
            code = max(code, BROKEN)
            complain(f"{shown(file)}: {SENTENCES[problem.code]}")
        else:
            given = " and ".join(["the server", *(f"the player of seat {seat}" for seat in verdict.contributors)])
            print(f"{shown(file)}: by {verdict.procedure} the deal follows from the secrets of {given}")
            print(f"{shown(file)}: {SEATING[verdict.seating]}; {PROMISED if promises else NOT_ASKED}")
    raise typer.Exit(code)

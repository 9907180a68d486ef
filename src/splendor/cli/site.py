"""The command that writes the web client for a host without our server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from splendor.cli.problems import MISUSED, fail

app = typer.Typer()


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is empty, new, or an earlier site.")],
) -> None:
    """Write the web client as files that need no server of ours: any web host will do, in any folder of it.

    Example: splendor site public && python -m http.server --directory public
    """
    from splendor.server.site import CannotWrite, write_site

    try:
        write_site(folder)
    except CannotWrite as error:
        fail(error, MISUSED)
    except OSError as error:
        fail(f"{error.filename or folder} cannot be written: {error.strerror}")

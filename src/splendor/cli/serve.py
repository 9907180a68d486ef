"""The command that runs the server."""

from __future__ import annotations

from typing import Annotated

import typer

from splendor.cli.problems import MISUSED, fail

app = typer.Typer()


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; if none is asked for, the next free one from 8000.")
    ] = None,
    database: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://…")] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the browser at it.")] = False,
) -> None:
    """Serve tables to browsers and programs.

    Everything else is set by environment variables, see docs/operating.md.

    Example: splendor serve --port 8080 --open
    """
    from splendor.server.config import from_environment
    from splendor.server.process.running import CannotServe, run

    try:
        settings = from_environment()
    except ValueError as error:
        fail(error, MISUSED)
    given = {"host": host, "port": port, "database": database}
    settings = settings.model_copy(update={name: value for name, value in given.items() if value is not None})
    try:
        run(settings, may_move="port" not in settings.model_fields_set, open_browser=open_browser)
    except (CannotServe, ValueError) as error:
        fail(error, MISUSED)

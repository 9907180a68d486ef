"""`splendor reports`: what players have reported of each other's lines, for the operator of a server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from splendor.cli.backup import Database, database_of
from splendor.cli.problems import MISUSED, fail

if TYPE_CHECKING:
    from splendor.server.database.reports import Report, Reports

app = typer.Typer()
DAY = 86_400.0
T = TypeVar("T")


def working(database: str | None, work: Callable[[Reports], Awaitable[T]]) -> T:
    """Do something with the reports of a database, which a server may be using."""
    from splendor.server.database.connect import Unusable, connect, to_be_read
    from splendor.server.database.reports import Reports

    async def open_and_work(source: str) -> T:
        engine = connect(source)
        try:
            return await work(Reports(engine))
        finally:
            await engine.dispose()

    try:
        source = database_of(database)
        with to_be_read(source):
            return asyncio.run(open_and_work(source))
    except (OSError, ValueError, Unusable) as error:
        fail(error, MISUSED)


def moment(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


def print_report(report: Report) -> None:
    closed = f", closed {moment(report.closed)}" if report.closed is not None else ""
    print(f"{report.id}  {moment(report.created)} UTC  {report.reason}{closed}")
    print(f"  {report.reporter} reports {report.reported}, at the table {report.game}")
    for theirs, at, text in report.context:
        print(f"    {moment(at)}  {report.reported if theirs else report.reporter}: {text}")
    print(f"  > {report.reported}: {report.text}\n")


@app.callback(invoke_without_command=True)
def reports(
    context: typer.Context,
    database: Database = None,
    with_closed: Annotated[bool, typer.Option("--all", help="Also those that are closed.")] = False,
) -> None:
    """Show what players have reported, oldest first; the reported line stands last, after what came before it.

    Example: splendor reports
    """
    if context.invoked_subcommand is not None:
        return
    found = working(database, lambda reports: reports.listed(with_closed=with_closed))
    for report in found:
        print_report(report)
    print(f"{len(found)} report{'' if len(found) == 1 else 's'}")


@app.command()
def close(report: Annotated[str, typer.Argument(help="The id of the report.")], database: Database = None) -> None:
    """Note that a report was looked at. It is removed 30 days later.

    Example: splendor reports close k3JqXw0b5nTz8Lr2VfYdCg
    """
    if not working(database, lambda reports: reports.close(report, time.time())):
        fail(f"no report {report} is open", MISUSED)
    print(f"{report} is closed")


@app.command()
def mute(
    name: Annotated[str, typer.Argument(help="The name of the account.")],
    days: Annotated[int, typer.Option(min=1, max=36_500, help="For so long.")] = 30,
    database: Database = None,
) -> None:
    """Let an account write to nobody, and nobody write to it, for some days; it can go on playing.

    Example: splendor reports mute Bob --days 90
    """
    until = time.time() + days * DAY
    pause(database, name, until)
    print(f"{name} cannot write until {moment(until)} UTC")


@app.command()
def unmute(name: Annotated[str, typer.Argument(help="The name of the account.")], database: Database = None) -> None:
    """Let an account write again.

    Example: splendor reports unmute Bob
    """
    pause(database, name, None)
    print(f"{name} can write again")


def pause(database: str | None, name: str, until: float | None) -> None:
    from splendor.server.access.names import key_of

    if not working(database, lambda reports: reports.pause(key_of(name), until)):
        fail(f"there is no account {name}", MISUSED)

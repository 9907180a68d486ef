"""The command that lets an engine play on a server."""

from __future__ import annotations

from typing import Annotated

import typer

from splendor.cli.problems import BROKEN, MISUSED, fail

app = typer.Typer()


@app.command()
def bot(
    token: Annotated[str, typer.Option(envvar="SPLENDOR_TOKEN", help="A token with the scopes read and play.")],
    engine: Annotated[
        str | None, typer.Option(help="The command of a program that speaks the engine protocol.")
    ] = None,
    player: Annotated[str, typer.Option(help="One of our own players instead, such as journeyman.")] = "journeyman",
    server: Annotated[str, typer.Option(help="The address of the server.")] = "http://127.0.0.1:8000",
    table: Annotated[list[str] | None, typer.Option(help="Sit down at this table; may be given again.")] = None,
    accept: Annotated[bool, typer.Option(help="Accept invitations.")] = True,
    games: Annotated[int | None, typer.Option(min=1, help="End after so many games.")] = None,
) -> None:
    """Play on a server with an engine, in the name of the account that the token belongs to.

    Example: splendor bot --token spl_… --engine "my-engine --fast"
    """
    import shlex
    import shutil

    from splendor.engine.bridge import Bridge, Connection, ServerSaysNo
    from splendor.players import load
    from splendor.protocol import EngineFailure

    if engine is not None and shutil.which((shlex.split(engine) or [""])[0]) is None:
        fail(f"there is no program {engine!r}", MISUSED)
    try:
        chosen = load(f"engine:{engine}" if engine else player)
    except ValueError as error:
        fail(error, MISUSED)
    bridge = Bridge(Connection(server, token), chosen, lambda line: print(line, flush=True))
    try:
        for id in table or []:
            bridge.join(id)
        bridge.run(accept=accept, until_ended=games)
    except ServerSaysNo as refusal:
        fail(f"the server refused: {refusal}", BROKEN)
    except EngineFailure as error:
        fail(error, BROKEN)
    except KeyboardInterrupt:
        print("the bot leaves; its games wait")

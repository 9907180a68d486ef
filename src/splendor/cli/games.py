"""Commands about games and positions: deal one, show it, list its moves, replay it, check it, count it."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from splendor.cli.problems import BROKEN, MISUSED, complain, fail
from splendor.cli.sources import Unreadable, parse_game, read_board, read_game, read_text, shown

if TYPE_CHECKING:
    from splendor.game.game import Game
    from splendor.notation.json import JsonObject

app = typer.Typer()

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Players = Annotated[int, typer.Option(help="How many play: 2, 3 or 4.")]
Source = Annotated[
    str, typer.Argument(metavar="FILE_OR_POSITION", help="A game file, a position in quotes, or - for standard input.")
]
Turns = Annotated[int | None, typer.Option("--turn", min=0, help="After this many turns of a game; else at its end.")]

WIDTH = 80
DEEPEST = 12  # decisions; more than anyone can wait for


@app.command()
def new(
    players: Players = 2,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same deal; without one, chance.")] = None,
    first: Annotated[int, typer.Option(help="The seat that begins.")] = 0,
    cap: Annotated[int | None, typer.Option(help="End the game after this many rounds.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this new file.")] = None,
    as_json: Json = False,
) -> None:
    """Deal a new game and print its record, ready to be played on.

    Example: splendor new --players 3 --seed 7 -o game.txt
    """
    from splendor.game.game import Game

    try:
        text = Game(players, seed=seed, first=first, round_cap=cap).record(as_json=as_json)
    except ValueError as error:
        fail(error, MISUSED)
    if output is None:
        print(text, end="")
        return
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        fail(f"{shown(str(output))} is there already, and games are not written over", MISUSED)
    except (OSError, ValueError) as error:
        fail(f"{shown(str(output))} cannot be written: {getattr(error, 'strerror', None) or error}", MISUSED)


@app.command()
def show(
    source: Source,
    turn: Turns = None,
    seat: Annotated[int | None, typer.Option(min=0, help="As this seat sees it, other hands hidden.")] = None,
    spectator: Annotated[bool, typer.Option("--spectator", help="As a spectator sees it.")] = False,
    as_json: Json = False,
) -> None:
    """Show the board of a position, or of a game after some turns.

    Example: splendor show game.txt --turn 10 --seat 0
    """
    from splendor.cli.describe import board_to_json
    from splendor.game.position import View

    if seat is not None and spectator:
        fail("--seat and --spectator exclude each other", MISUSED)
    board, turns = read_board(source, turn)
    if seat is not None or spectator:
        try:
            board = View(board.state, seat)
        except ValueError as error:
            fail(error, MISUSED)
    print(json.dumps({"turn": turns, **board_to_json(board)}, indent=1) if as_json else board)


@app.command()
def moves(source: Source, turn: Turns = None, as_json: Json = False) -> None:
    """List the legal moves of a position, or of a game after some turns.

    Example: splendor moves game.txt --turn 0
    """
    board, _ = read_board(source, turn)
    legal = board.legal_moves
    if as_json:
        actions = board.legal_actions
        print(json.dumps({"seat": board.seat, "moves": [str(move) for move in legal], "actions": actions}))
        return
    if board.is_over:
        print("The game is over; there are no moves.")
        return
    print(f"round {board.round}, seat {board.seat}: {len(legal)} legal move{'s' * (len(legal) > 1)}")
    for kind in dict.fromkeys(move.kind for move in legal):
        words = " ".join(str(move) for move in legal if move.kind == kind)
        print(textwrap.fill(words, WIDTH, initial_indent=f"{kind:<9}", subsequent_indent=" " * 9))


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game file, or - for standard input.")],
    plain: Annotated[bool, typer.Option("--plain", help="Print every turn, also on a terminal.")] = False,
) -> None:
    """Step through a recorded game.

    When the output is not a terminal, every turn is printed with its board.
    """
    game = read_game(file)
    if sys.stdout.isatty() and sys.stdin.isatty() and not plain:
        from splendor.terminal import replay_game

        replay_game(game)
        return
    print(turn_by_turn(game))


def turn_by_turn(game: Game) -> str:
    """The boards of a whole game, with the move that led to each."""
    turns, game = game.turns, game.copy()
    while game.moves:
        game.undo()
    parts = [str(game)]
    for number, turn in enumerate(turns, 1):
        headline = f"turn {number}, round {game.round}, seat {game.seat}: {turn.move}"
        if turn.drawn is not None:
            headline += f", drawing card {turn.drawn}"
        if turn.comment:
            headline += f"  ({' '.join(turn.comment.split())})"
        game.play(turn.move)
        parts.append(f"{headline}\n\n{game}")
    return f"\n\n{'-' * WIDTH}\n".join(parts)


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Game files, or - for standard input.")],
    as_json: Json = False,
) -> None:
    """Is it a legal game?

    Exit code 0 if every file is one, 1 if a file breaks a rule or is no game, 2 if a file cannot be read.
    """
    code = 0
    verdicts: list[JsonObject] = []
    for file in files:
        verdict: JsonObject = {"file": shown(file), "legal": False}
        try:
            game = parse_game(read_text(file))
            verdict |= {"legal": True, "turns": len(game.moves), "winners": list(game.winners), "end": None}
            if game.is_over:
                verdict["end"] = game.phase
        except Unreadable as error:
            code = MISUSED
            verdict["problem"] = str(error)
        except ValueError as error:
            code = max(code, BROKEN)
            verdict["problem"] = f"{shown(file)}: {error}"
        verdicts.append(verdict)
        if not as_json and verdict["legal"]:
            print(f"{shown(file)}: a legal game of {len(game.moves)} turns, {outcome(game)}")
        elif not as_json:
            complain(verdict["problem"])
    if as_json:
        print(json.dumps({"files": verdicts}, indent=1))
    raise typer.Exit(code)


def outcome(game: Game) -> str:
    """How the game stands, in a few words."""
    if not game.is_over:
        return "not finished"
    points = "–".join(map(str, game.points))
    seats = " and ".join(map(str, game.winners))
    return f"won by seat {seats} ({points})" if len(game.winners) == 1 else f"shared by seats {seats} ({points})"


@app.command()
def perft(
    players: Players = 2,
    seed: Annotated[int, typer.Option(help="The deal to start from.")] = 1,
    depth: Annotated[int, typer.Option(min=1, max=DEEPEST, help="The longest sequences to count.")] = 3,
    position: Annotated[str | None, typer.Option(help="Start from this position instead of a deal.")] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count separately for each first decision.")] = False,
    as_json: Json = False,
) -> None:
    """Count all sequences of decisions up to a length.

    Two programs that count alike from the same position almost certainly play by the same rules. A decision is one
    numbered action: an action, the return of one token, or the choice of a noble.
    """
    from splendor.core.actions import describe_action
    from splendor.game.game import Game
    from splendor.tools.perft import count_by_first_decision, total

    try:
        game = Game(players, seed=seed) if position is None else Game.from_position(position)
    except ValueError as error:
        fail(error, MISUSED if position is None else BROKEN)
    by_first = count_by_first_decision(game.state, depth)
    counts = total(by_first, depth)
    if as_json:
        report: JsonObject = {"counts": counts}
        if divide:
            report["divide"] = {str(action): numbers for action, numbers in by_first.items()}
        print(json.dumps(report))
        return
    print("length  sequences")
    for length, count in enumerate(counts, 1):
        print(f"{length:>6}  {count:,}")
    if divide:
        print(f"\n{'first decision':<34}sequences of length {depth}")
        for action, numbers in by_first.items():
            print(f"{action:>3} {describe_action(action):<30}{numbers[-1]:,}")

"""`web/engine/`, the JavaScript module for others, says and does what the Python package does."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from games import positions_of, random_game
from splendor import Game, Move
from splendor.core.state import ACT, NOBLE, State
from splendor.game import showing
from splendor.game.game import IllegalRecord, drawn_level, unseen_cards
from splendor.game.moves import IllegalMove, legal_moves, play_move, play_part
from splendor.game.position import View
from splendor.notation import NotationError, parse_move, parse_position
from splendor.notation.moves import NO_TOKENS
from splendor.notation.positions import format_position
from splendor.players import load
from splendor.search import Search
from splendor.server import messages as m
from splendor.server.refusal import RequestRefused
from splendor.server.tables import questions, records, starting
from splendor.server.tables.table import Step
from wasm_files import built, node

pytestmark = pytest.mark.compiled_only

PROGRAM = Path(__file__).parent / "wasm" / "api.ts"
ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
LETTERS = "wugrkobdp+-@=0123456789:,/? x'\"\\"


def ask(what: str, **question: Any) -> Any:
    """What the module answers."""
    command = [node(), "--disable-warning=ExperimentalWarning", str(PROGRAM), str(built())]
    text = json.dumps({"what": what, **question})
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def damaged(text: str, chance: random.Random, alphabet: str = LETTERS) -> str:
    """A text with one to three letters changed, left out, or put in."""
    letters = list(text)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(letters) + 1)
        letters[place : place + chance.randint(0, 1)] = chance.choice(["", *chance.sample(alphabet, 2)])
    return "".join(letters)


def reread(text: str, read: Any) -> Any:
    """What Python reads a text as, written again; or what is wrong with it, and where."""
    try:
        return read(text)
    except NotationError as error:
        return [error.problem, error.column]


def test_moves_are_read_and_refused_as_in_python() -> None:
    chance = random.Random(1)
    moves = {str(move) for seed in range(3) for game in positions_of(3, seed, 3) for move in game.legal_moves}
    texts = sorted(moves)
    texts += [damaged(chance.choice(texts), chance) for _ in range(4000)]
    assert len(texts) > 4500
    assert ask("moves", texts=texts) == [reread(text, lambda text: str(parse_move(text))) for text in texts]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_positions_are_read_and_refused_as_in_python(players: int) -> None:
    chance = random.Random(players)
    texts = [game.position for seed in range(8) for game in positions_of(players, seed)]
    texts += [damaged(chance.choice(texts), chance) for _ in range(2000)]
    assert len(texts) > 2500
    expected = [reread(text, lambda text: Game.from_position(text).position) for text in texts]
    assert ask("positions", texts=texts) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_views_are_read_as_in_python(players: int) -> None:
    viewers: list[int | None] = [*range(players), None]
    shown = [(game.view(viewer).position, viewer) for game in positions_of(players, 9) for viewer in viewers]
    texts = [text for text, _ in shown]
    assert texts == [format_position(parse_position(text)) for text in texts]
    assert ask("views", texts=texts, viewers=[viewer for _, viewer in shown]) == texts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_show_every_seat_the_same(players: int) -> None:
    games = [random_game(players, seed) for seed in range(6)]
    moves = [[str(move) for move in game.moves] for game in games]
    asked = [{"players": players, "seed": seed, "moves": moves[seed]} for seed in range(len(games))]
    for seed, (game, said) in enumerate(zip(games, ask("games", games=asked), strict=True)):
        again = Game(players=players, seed=seed)
        seen, legal = [again.position], [[str(move) for move in again.legal_moves]]
        for move in game.moves:
            again.play(move)
            seen += [again.position, *(again.view(seat).position for seat in (*range(players), None))]
            legal.append([str(move) for move in again.legal_moves])
        assert said["seen"] == seen
        assert said["legal"] == legal
        assert said["drawn"] == [turn.drawn for turn in game.turns]
        assert (said["winners"], said["points"]) == (list(game.winners), list(game.points))


def digest(content: Any) -> str:
    """A short hash of the JSON that is sent."""
    return hashlib.sha256(json_of(content)).hexdigest()[:16]


def json_of(content: Any) -> bytes:
    return ANYTHING.dump_json(content)


def steps_of(players: int, seed: int) -> Iterator[tuple[State, Move | None]]:
    """The positions of a random game, each with a move on it: whole turns, and turns of which a part is played."""
    chance = random.Random(seed)
    state = Game(players=players, seed=seed).state
    while state.phase <= NOBLE:
        move = chance.choice(showing.offered_moves(state, int(state.seat)))
        if move.then and chance.random() < 0.5:
            move = chance.choice(showing.continuations(state, int(state.seat), parse_move(move.text)))
        yield state, parse_move(move.text)
        state = play_part(state, parse_move(move.text))[0]
    yield state, None


def everything(state: State, move: Move | None) -> dict[str, Any]:
    """All that anyone is shown of a position, of a move on it, and of what the mover may play."""
    seats = list(range(int(state.players)))
    viewers = [*seats, None, showing.OPEN_HANDS]
    boards = [showing.board(state, viewer, 0) for viewer in viewers]
    said: dict[str, Any] = {
        "boards": [*boards, showing.board(state, showing.OPEN_HANDS, 0, 1)],
        "offers": [showing.offered_moves(state, seat) for seat in [*seats, None]],
        "standing": [showing.result(state), showing.standing(state, "resignation")],
    }
    if move is None:
        return said
    seat = int(state.seat)
    begun = replace(move, returned=NO_TOKENS, noble=None)
    after, played, is_step = play_part(state, move)
    return {
        **said,
        "continuations": showing.continuations(state, seat, begun) if state.phase == ACT else [],
        "shown": [
            {
                "move": showing.move_form(state, played),
                "movements": showing.movements(state, after, played, viewer),
            }
            for viewer in viewers
        ],
        "after": format_position(after),
        "reveals": Step(0, seat, 0, played, state, after).reveals,
        "ends": not is_step,
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_and_spectators_are_shown_the_same(players: int) -> None:
    steps = [step for seed in range(8) for step in steps_of(players, seed)]
    assert len(steps) > 600
    asked = [[format_position(state), "" if move is None else str(move)] for state, move in steps]
    said = ask("shown", steps=asked)
    for number, (state, move) in enumerate(steps):
        if said[number] != digest(everything(state, move)):
            assert ask("shown", steps=asked, whole=number) == json.loads(json_of(everything(state, move)))
            pytest.fail("the same content in another order")


def questions_about(players: int, seed: int) -> Iterator[m.PositionQuestion]:
    """What a page asks while somebody tries out moves: with and without eyes, cards by choice, and nonsense."""
    chance = random.Random(seed)
    for state, move in steps_of(players, seed):
        if move is None or chance.random() < 0.5:
            continue
        text, drawn = str(move), drawn_level(state, move)
        left = [card + 1 for card in unseen_cards(state, drawn)] if drawn is not None else []
        card = chance.choice(left) if left else None
        told = chance.choice([format_position(state), format_position(View(state, int(state.seat)).state)])
        viewer = chance.choice([None, *range(players), 3])
        yield m.PositionQuestion(position=told, moves=[text], viewer=viewer, open_hands=chance.random() < 0.5)
        yield m.PositionQuestion(position=told, moves=[text], open_hands=True, cards=[card if left else None])
        yield m.PositionQuestion(position=told, moves=[text], cards=[chance.randint(1, 90)])
        yield m.PositionQuestion(
            position=damaged(told, chance), moves=[damaged(text, chance, "wugrkobdp+-@=0123456789") or "x"]
        )


def answered(question: m.PositionQuestion) -> Any:
    try:
        return questions.position(question)
    except RequestRefused as refused:
        return [refused.code, refused.params] if refused.code == "illegal_move" else refused.code


def test_questions_about_positions_are_answered_and_refused_as_by_the_server() -> None:
    asked = [question for players in (2, 3, 4) for seed in range(3) for question in questions_about(players, seed)]
    said = ask("answers", questions=[question.model_dump(mode="json") for question in asked])
    answers = [answered(question) for question in asked]
    assert [digest(answer) for answer in answers] == said
    refused = {answer for answer in answers if isinstance(answer, str)}
    assert {"bad_position", "bad_notation", "card_not_left", "no_such_seat"} <= refused
    assert any(isinstance(answer, list) for answer in answers)


def test_a_record_in_json_is_read_as_its_text() -> None:
    records_in_json = [random_game(players, seed).record(as_json=True) for players in (2, 3, 4) for seed in range(4)]
    assert ask("records", texts=records_in_json) == [Game.from_record(text).record() for text in records_in_json]
    assert ask("records", texts=['{"game": "splendor 1"}']) == [["this is not a game in JSON", None, 1]]


def annotated(game: Game, chance: random.Random) -> Game:
    """A game with notes and tags of all kinds."""
    for name in ("Seat0", "Event"):
        game.tag(name, chance.choice(["Ann", 'a "quoted" \\ name', "[x] {y}\n", "ä 🎲"]))
    for turn in range(len(game.moves)):
        if chance.random() < 0.3:
            comment = chance.choice(["", "good", "a {b} [c] \\ d\ne", "> 12. +wug", "🎲 " * 40])
            share = [0.0, 1.0, 0.5, chance.random(), chance.random() * 1e-6]
            shares = tuple(chance.choices(share, k=game.players))
            clock = chance.choice([None, 12.0, 0.1, chance.random() * 1000, 1e-7, 1e22])
            game.annotate(turn, comment=comment, evaluation=shares if chance.random() < 0.5 else None, clock=clock)
    return game


def replayed(text: str) -> str:
    """The replay of a record for everyone. How Python and JavaScript write numbers differs, so without notes."""
    players = Game.from_record(text).players
    shown = [records.replay(text, viewer, reveal=False) for viewer in [*range(players), None]]
    without = {"clock": None, "evaluation": None}
    return digest(
        [
            replay.model_copy(update={"frames": [frame.model_copy(update=without) for frame in replay.frames]})
            for replay in [*shown, records.replay(text, None, reveal=True)]
        ]
    )


def rewritten(text: str) -> str | list[Any]:
    """A record that was read, written again; or what is wrong with it, and where."""
    try:
        return Game.from_record(text).record()
    except NotationError as error:
        return [error.problem, error.line, error.column]
    except IllegalRecord as error:
        place = re.match(r"line \d+, column \d+", str(error))
        return ["illegal", place and place[0]]


def test_records_are_read_written_replayed_and_refused_as_in_python() -> None:
    chance = random.Random(3)
    games = [random_game(players, players, turns=turns) for players in (2, 3, 4) for turns in (25, 999)]
    texts = [annotated(game, chance).record() for game in games]
    hidden = re.sub(r"(?<= )[\d,]+/[\d,]+/[\d,]+(?= [\d,@]+ \d{6}:)", "?36/?26/?16", texts[0])
    assert "?36" in hidden
    texts.append(hidden)
    assert ask("replays", texts=texts) == [replayed(text) for text in texts]
    short = [text for text in texts if len(text) < 2500]
    texts += [damaged(chance.choice(short), chance, LETTERS + "\n\t{}[]>%\x00\x85") for _ in range(600)]
    assert ask("records", texts=texts) == [rewritten(text) for text in texts]


def test_a_game_that_starts_from_a_position_is_dealt_as_on_the_server() -> None:
    games = [game for players in (2, 3, 4) for game in positions_of(players, 6) if game.phase == "act"]
    texts = [game.view(game.seat).position for game in games if not game.is_over]
    dealt = [starting.deal_rest(text, f"{number:016x}") for number, text in enumerate(texts)]
    assert ask("starts", texts=texts) == dealt


def some_positions(count: int) -> list[str]:
    """Positions from random games of all numbers of players."""
    games = [game.position for players in (2, 3, 4) for game in positions_of(players, 4) if game.phase == "act"]
    return random.Random(7).sample(games, count)


@pytest.mark.parametrize(
    ("player", "count"),
    [
        ("greedy:noise=0.5", 60),
        ("search:simulations=200", 12),
        ("journeyman", 40),
        ("master", 40),
        ("network:simulations=40", 6),
    ],
)
def test_players_and_levels_choose_the_same_moves_from_the_same_seed(player: str, count: int) -> None:
    texts = some_positions(count)
    if player.startswith("search"):  # it keeps its tree during a game, and these are of different games
        chosen = [ask("play", player=player, seed=5, texts=[text])[0] for text in texts]
        expected = [str(load(player, seed=5).choose(view_of(text))) for text in texts]
    else:
        chosen = ask("play", player=player, seed=5, texts=texts, network=not player.startswith("greedy"))
        python = load(player, seed=5)
        expected = [str(python.choose(view_of(text))) for text in texts]
    same = sum(ours == theirs for ours, theirs in zip(chosen, expected, strict=True))
    assert same >= 0.975 * count  # the network's last bits differ, and some decisions are equally good


def view_of(text: str) -> View:
    game = Game.from_position(text)
    return game.view(game.seat)


def test_a_search_says_the_same() -> None:
    texts = some_positions(10)
    said = ask("search", texts=texts, simulations=300, seed=3)
    for text, found in zip(texts, said["results"], strict=True):
        result = Search(view_of(text), seed=3).run(simulations=300)
        assert found["simulations"] == 300
        assert found["value"] == pytest.approx(result.value, abs=1e-6)
        for ours, choice in zip(found["choices"], result.choices, strict=True):
            assert ours[0] == str(choice.move)
            assert ours[1] == choice.visits
            assert ours[2] == pytest.approx(choice.worth, abs=1e-6)
            assert ours[3] == [str(move) for move in choice.line]
    assert len(said["reports"]) >= len(texts)


def refusals_of(state: State, text: str) -> list[Any]:
    """Why a move cannot be played: as a part of a turn, and as a whole one; None where it can."""

    def refusal(play: Any) -> Any:
        try:
            play(state, parse_move(text))
        except IllegalMove as error:
            return [str(error), error.code, json.loads(json_of(error.params))]
        return None

    return [refusal(play_part), refusal(play_move)]


def refused_moves(players: int, seed: int) -> Iterator[tuple[State, str]]:
    """Moves of other positions, parts of turns with something too much or too little, and moves that nobody means."""
    chance = random.Random(seed)
    games = [state for number in range(3) for state, _ in steps_of(players, 10 * seed + number)]
    moves = [str(move) for state in games for move in legal_moves(state)[:: chance.randint(7, 40)]]
    odd = ["+wwo", "+k", "+wuk", "+rr", "rd4", "rd1", "pass", "-w", "-wwk", "@1", "pass@3", "+wug@2"]
    for state in games:
        legal = [str(move) for move in legal_moves(state)] or moves
        for _ in range(4):
            text = chance.choice([chance.choice(moves), chance.choice(legal), chance.choice(odd)])
            action = text.split("@")[0].split("-")[0]
            changed = [
                text,
                action,
                f"{action}-{''.join(chance.choices('wugrko', k=chance.randint(1, 3)))}",
                f"{action}@{chance.randint(1, 10)}",
                f"b{chance.randint(1, 90)}={''.join(chance.choices('wugrko', k=chance.randint(1, 4)))}",
                f"r{chance.randint(1, 90)}",
            ]
            for wanted in chance.sample(changed, 3):
                with contextlib.suppress(NotationError):
                    parse_move(wanted)
                    yield state, wanted


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_move_is_refused_for_the_same_reason_in_the_same_words(players: int) -> None:
    steps = list(refused_moves(players, players))
    said = ask("refusals", steps=[[format_position(state), move] for state, move in steps])
    expected = [refusals_of(state, move) for state, move in steps]
    for (state, move), ours, theirs in zip(steps, said, expected, strict=True):
        assert ours == theirs, (format_position(state), move)
    codes = {refusal[1] for pair in expected for refusal in pair if refusal}
    assert len(steps) > 2000
    assert {
        "must_return",
        "gold_cannot_be_taken",
        "pile_empty",
        "pile_too_small",
        "wrong_take",
        "hand_full",
        "not_on_market",
        "not_for_sale",
        "too_expensive",
        "tokens_lacking",
        "wrong_payment",
        "pass_not_allowed",
        "nothing_to_finish",
        "nothing_to_return",
        "too_many_returned",
        "noble_not_there",
        "no_noble_choice",
        "game_over",
    } <= codes

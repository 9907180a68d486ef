"""No hidden card is ever sent: whatever a viewer cannot know changes nothing in what that viewer is sent.

For a game and a viewer, a twin is made: the same game, but with all cards that the viewer never gets to know
exchanged among themselves. Both are played on a real server, and all bytes that the viewer gets are compared, by
socket, stream and request. So that hidden cards play their part from the first turn on, tables begin in the
middle of a game.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from server.clients import Client, Json, Reader
from server.process import Rigged, Server
from splendor.core.components import CARD_LEVEL
from splendor.game.game import Game
from splendor.notation.moves import NO_TOKENS, Move, parse_move
from splendor.server import messages as m
from splendor.server.tables import fairness, log, viewers
from splendor.server.tables.table import OnlineTable

pytestmark = pytest.mark.compiled_only

GAMES = 204  # played by sockets and requests, each beside its twin
GAMES_BY_FOLDING = 48  # longer ones, by the messages alone
AT_ONCE = 12  # pairs of tables that are played at the same time
SKIPPED = 30  # turns at most before a table begins
LONGEST = 6  # turns at a table
PROBES = 1  # unknown cards that a viewer tries to buy and to reserve, each turn
CLOCKS: list[dict[str, object]] = [{"kind": "none"}, {"kind": "live", "seconds": 900, "increment": 5}]


class Script(NamedTuple):
    """A game as far as it is played, stopped before its end, where all is shown."""

    position: str
    turns: list[tuple[int, str]]  # seats and their moves

    @property
    def players(self) -> int:
        return int(self.position[0])


def random_script(players: int, seed: int, skipped: int, longest: int) -> Script:
    """A random game with many draws from decks; its first turns are not part of the script."""
    chance = random.Random(seed)
    game = Game.from_position(fairness.deal(f"{seed:064x}", [None] * players, shuffle_seats=False).position)
    position, turns = game.position, list[tuple[int, str]]()
    for number in range(skipped + longest):
        legal = game.legal_moves
        if legal[0].kind == "pass":
            break  # with another hidden card in that hand, passing might not be allowed
        draws = [move for move in legal if move.kind == "draw"]
        buys = [move for move in legal if move.kind == "buy"]
        move = chance.choice(
            draws if draws and chance.random() < 0.3 else buys if buys and chance.random() < 0.8 else legal
        )
        turns.append((game.seat, str(move)))
        game.play(move)
        if game.is_over:
            turns.pop()
            break
        if number + 1 == skipped:
            position, turns = game.position, []
    return Script(position, turns)


def unknown_cards(script: Script, viewer: int | None) -> set[int]:
    """The cards in decks and in the hands of others that the viewer does not get to know until the end."""
    fields = script.position.split(" ")
    drawn = [hand for seat, hand in enumerate(fields[10:]) if seat != viewer]
    hidden = {int(card) for card in re.findall(r"\d+", fields[8])}
    hidden |= {int(card) for hand in drawn for card in re.findall(r"(\d+)d", hand)}
    game = Game.from_position(script.position)
    for seat, text in script.turns:
        move = game.play(text)
        hidden -= {card.id for row in game.market for card in row if card}
        hidden -= {move.card}
        if move.kind == "draw" and seat == viewer:
            hidden -= {game.turns[-1].drawn}
    return hidden


def twin(script: Script, viewer: int | None, seed: int) -> Script:
    """The same game with everything that the viewer never learns dealt otherwise."""
    chance, exchanged = random.Random(seed), dict[str, str]()
    for level in range(3):
        unknown = sorted(card for card in unknown_cards(script, viewer) if CARD_LEVEL[card - 1] == level)
        mixed = chance.sample(unknown, len(unknown))
        exchanged |= {str(a): str(b) for a, b in zip(unknown, mixed, strict=True)}

    def exchange(pattern: str, text: str) -> str:
        return re.sub(pattern, lambda found: exchanged.get(found[0], found[0]), text)

    fields = script.position.split(" ")
    fields[8] = exchange(r"\d+", fields[8])
    for seat in range(script.players):
        fields[10 + seat] = exchange(r"\d+(?=d)", fields[10 + seat])
    return Script(" ".join(fields), script.turns)


def pairs(games: int, seed: int, skipped: int, longest: int) -> Iterator[tuple[Script, Script, int | None]]:
    """Games for 2, 3 and 4 players with their twins, each for a seat or a spectator in turn."""
    for number in range(games):
        players = 2 + number % 3
        viewer = [*range(players), None][number // 3 % (players + 1)]
        script = random_script(players, seed + number, skipped * (number % 5) // 4, longest)
        yield script, twin(script, viewer, number), viewer


# ------------------------------------------------------------------------------------------- by the messages alone


def traffic(script: Script, viewer: int | None) -> str:
    """Everything that a viewer is sent during a game: each update, and all of it again for a latecomer."""
    people = [m.Person(id=f"p{seat}", name=None, guest=seat) for seat in range(script.players)]
    table = OnlineTable("t" * 22)
    made = log.Created(
        seats=[log.SeatPlan(kind="person", person=person) for person in people],
        public=True,
        spectators=True,
        clock=m.NoClock(),
        order="chosen",
        secret="11" * 32,
    )
    person = None if viewer is None else people[viewer].id
    entries: list[log.AnyEntry] = [made, log.Started(position=script.position, order=list(range(script.players)))]
    entries += [log.Played(seat=seat, move=text) for seat, text in script.turns]
    sent = []
    for version, entry in enumerate(entries, 1):
        table.apply(log.Stored(version, 0.0, entry))
        sent.append(viewers.update_message(table, person, 0.0, version - 1).model_dump_json())
    sent.append(viewers.update_message(table, person, 0.0, 0).model_dump_json())
    return "\n".join(sent)


def test_what_a_viewer_cannot_know_changes_no_byte_of_the_messages() -> None:
    for script, other, viewer in pairs(GAMES_BY_FOLDING, 1000, skipped=0, longest=40):
        assert other.position != script.position
        assert traffic(script, viewer) == traffic(other, viewer)


def test_the_test_would_notice_a_leak() -> None:
    """Seen by the one who has the cards, the same pair of games differs."""
    noticed = tried = 0
    for script, _, _ in pairs(30, 2000, SKIPPED, LONGEST):
        holders = [seat for seat in range(1, script.players) if "d" in script.position.split(" ")[10 + seat]]
        if holders:
            tried += 1
            noticed += traffic(script, holders[0]) != traffic(twin(script, 0, tried), holders[0])
    assert tried > 10
    assert noticed > 0.8 * tried


# ------------------------------------------------------------------------------------------------ on a real server


class Seats(NamedTuple):
    """The people of one pair of games, who play nowhere else, and someone without a name who looks on."""

    people: list[Client]
    stranger: Client

    def viewer(self, seat: int | None) -> Client:
        return self.stranger if seat is None else self.people[seat]


@asynccontextmanager
async def seats_at(server: Server, players: int) -> AsyncIterator[Seats]:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(server.url)) for _ in range(players + 1)]
        for client in clients[:players]:
            await client.guest()
        yield Seats(clients[:players], clients[players])


def parts_of(text: str) -> list[str]:
    """A turn as its action and the rest."""
    move = parse_move(text)
    if not any(move.returned) and move.noble is None:
        return [text]
    return [
        str(replace(move, returned=NO_TOKENS, noble=None)),
        str(Move("finish", returned=move.returned, noble=move.noble)),
    ]


class Playing:
    """One game at a table, and all that its viewer gets."""

    def __init__(self, script: Script, seats: Seats, viewer: int | None, seed: int, position: int) -> None:
        self.script, self.seats, self.viewer = script, seats, viewer
        self.players = seats.people
        self.me = seats.viewer(viewer)
        self.chance = random.Random(seed)
        self.seed, self.nonce = seed, f"{position:064x}"
        self.is_public = seed % 10 == 0
        self.unknown = sorted(unknown_cards(script, viewer))
        self.answers: list[str] = []
        self.keys = 0

    async def run(self) -> list[list[str]]:
        """Play, and return every byte by connection, with what is random about a table replaced by words."""
        made = await self.players[0].make(
            "me",
            *["open"] * (self.script.players - 1),
            public=self.is_public,
            clock=CLOCKS[self.seed % len(CLOCKS)],
            commit=fairness.commit_to(self.nonce),
        )
        self.table = made["id"]
        address = f"/api/tables/{self.table}/stream?since=0"
        watching: list[Reader] = []
        async with AsyncExitStack() as stack:
            if self.viewer is not None:
                self.news = await stack.enter_async_context(await self.me.stream("/api/stream"))
            self.socket = await stack.enter_async_context(await self.me.socket(self.table))
            watching.append(self.socket)
            await self.socket.until(is_presence)
            second = self.seats.viewer(None if self.seed % 2 else self.viewer)
            watching.append(await stack.enter_async_context(await second.stream(address)))
            for reader in watching:
                await reader.until(is_presence)
            self.watching = watching
            await self.sit_down()
            for number, (seat, text) in enumerate(self.script.turns):
                await self.turn(number, seat, text)
            await self.look()
            if self.viewer is not None:
                await self.read_news()
        await self.come_late()
        texts = [*(reader.raw for reader in watching), self.answers]
        if self.viewer is not None:
            texts.append([text for text in self.news.raw if self.table in text])
        return [[self.neutral(text, made["fairness"]["commit"]) for text in in_order(group)] for group in texts]

    async def sit_down(self) -> None:
        for client in self.players[1:]:
            await client.join(self.table)
        await self.send(self.players[0], "reveal", nonce=self.nonce)
        for reader in self.watching:
            await reader.until(is_presence)  # the last thing that follows the deal

    async def turn(self, number: int, seat: int, text: str) -> None:
        player = self.players[seat]
        if seat == self.viewer:
            await self.probe()
        await self.play(player, seat, text)
        if number == 3 and self.seed % 4 == 0 and await self.take_back(seat, accept=self.seed % 8 == 0):
            await self.play(player, seat, text)

    async def play(self, player: Client, seat: int, text: str) -> None:
        for part in parts_of(text) if self.seed % 2 else [text]:
            if seat == self.viewer:
                self.keys += 1
                answer = await self.socket.do("play", key=f"key-{self.keys:06d}", move=part)
                assert answer["type"] == "done", answer
                await self.watching[1].until_version(answer["version"])
            else:
                await self.send(player, "play", move=part)

    async def send(self, client: Client, type: str, **fields: object) -> bool:
        """A command by request; False if it is refused. The viewer's answers are kept."""
        self.keys += 1
        body = {"type": type, "key": f"key-{self.keys:06d}", **fields}
        reply = await client.http.post(f"/api/tables/{self.table}/commands", json=body)
        if client is self.me:
            self.answers.append(reply.text)
        if reply.status_code != 200:
            assert type == "ask_takeback", reply.text
            return False
        for reader in self.watching:
            await reader.until_version(reply.json()["version"])
        return True

    async def probe(self) -> None:
        """Try to learn something by moves that cannot be, and by asking what would be possible."""
        cards = self.chance.sample(self.unknown, min(PROBES, len(self.unknown)))
        for card in cards:
            for move in (f"b{card}", f"r{card}", f"b{card}=o"):
                self.keys += 1
                answer = await self.socket.do("play", key=f"key-{self.keys:06d}", move=move)
                assert answer["type"] == "refused", answer
        self.keys += 1
        offered = self.chance.choice(self.socket.table["moves"])["text"]
        await self.socket.do("consider", key=f"key-{self.keys:06d}", move=offered)

    async def take_back(self, seat: int, *, accept: bool) -> bool:
        """A take-back is asked for, if that is allowed; and agreed on, or not."""
        if not await self.send(self.players[seat], "ask_takeback"):
            return False
        for client in [client for client in self.players if client is not self.players[seat]]:
            await self.send(client, "answer_takeback", accept=accept)
            if not accept:
                return False
        return True

    async def look(self) -> None:
        """What requests answer: about the table itself, and what lists say about it."""
        self.answers.append((await self.me.http.get(f"/api/tables/{self.table}")).text)
        if not self.is_public:
            return
        lobby = await self.me.ask("GET", "/api/lobby")
        own = [] if self.viewer is None else await self.me.ask("GET", "/api/tables/mine")
        self.answers += [json.dumps(shown) for shown in [*lobby["live"], *own] if shown["id"] == self.table]

    async def read_news(self) -> None:
        """Read the viewer's own stream to where the last turn begins."""
        board = self.socket.table["board"]
        if board["seat"] == self.viewer:
            await self.news.until(lambda news: news.get("table") == self.table and news.get("turn") == board["turn"])

    async def come_late(self) -> None:
        """Who connects now gets all that was missed."""
        since = 0 if self.seed % 2 else self.socket.version // 2
        async with await self.me.socket(self.table, since) as late:
            self.answers += late.raw

    def neutral(self, text: str, commit: str) -> str:
        for word, value in (("table", self.table), ("commit", commit), ("nonce", fairness.commit_to(self.nonce))):
            text = text.replace(value, word)
        return text


def in_order(texts: list[str]) -> list[str]:
    """The messages; those about who is there, which the server repeats from time to time, once each and first."""
    presence = {text for text in texts if is_presence(json.loads(text))}
    return [*sorted(presence), *(text for text in texts if text not in presence)]


def assert_same(texts: list[str], others: list[str]) -> None:
    """The same bytes; if not, show the first place where they differ."""
    for number, (text, other) in enumerate(zip(texts, others, strict=False)):
        if text != other:
            place = next(n for n in range(len(text) + 1) if text[:n] != other[:n] or n == len(text))
            part = slice(max(place - 80, 0), place + 80)
            pytest.fail(f"message {number} differs: {text[part]!r} and {other[part]!r}")
    assert len(texts) == len(others)


def is_presence(message: Json) -> bool:
    return message.get("type") == "presence"


async def test_what_a_viewer_cannot_know_changes_no_byte_that_a_real_server_sends(tmp_path: Path) -> None:
    scripts = list(pairs(GAMES, 50_000, SKIPPED, LONGEST))
    positions = [script.position for pair in scripts for script in pair[:2]]
    waiting = list(enumerate(scripts))
    different = messages = 0
    kinds: set[str] = set()

    async def play_pairs(server: Server) -> None:
        nonlocal different, messages
        while waiting:
            number, (script, other, viewer) = waiting.pop()
            async with seats_at(server, script.players) as seats:
                sent = await Playing(script, seats, viewer, number, 2 * number).run()
                sent_by_twin = await Playing(other, seats, viewer, number, 2 * number + 1).run()
            for ours, theirs in zip(sent, sent_by_twin, strict=True):
                assert_same(ours, theirs)
            different += script.position != other.position
            messages += sum(map(len, sent))
            kinds.update(kind for group in sent for text in group for kind in re.findall(r'"type":"(\w+)"', text))

    with Rigged(tmp_path, positions) as server:
        await asyncio.gather(*(play_pairs(server) for _ in range(AT_ONCE)))
    assert different == GAMES
    assert messages > 20 * GAMES
    assert kinds >= {
        *("update", "done", "refused", "continuations", "presence", "table_started", "your_turn"),
        *("created", "sat_down", "nonce_revealed", "started", "played"),
        *("takeback_offered", "takeback_agreed", "takeback_declined", "took_back"),
    }

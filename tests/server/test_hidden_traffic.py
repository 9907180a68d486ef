"""No hidden card is ever sent: whatever a viewer cannot know changes nothing in what that viewer is sent.

For a game and a viewer, a twin is made: the same game, but with all cards that the viewer never gets to know
exchanged among themselves. Both are played on real servers, and the bytes are compared.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from server.clients import Client
from server.process import Server
from splendor.components import CARD_LEVEL
from splendor.game import Game
from splendor.server import fairness, log, viewers
from splendor.server import messages as m
from splendor.server.table import OnlineTable

pytestmark = pytest.mark.compiled_only

GAMES = 210  # through the messages themselves
GAMES_BY_SOCKET = 18  # through real servers
LONGEST = 30


class Script(NamedTuple):
    """A game as far as it is played, stopped before its end, where all is shown."""

    position: str
    moves: list[str]


def random_script(players: int, seed: int) -> Script:
    """A random game with many draws from decks."""
    chance = random.Random(seed)
    deal = fairness.deal(f"{seed:064x}", [None] * players, shuffle_seats=False)
    game = Game.from_position(deal.position)
    moves: list[str] = []
    while not game.is_over and len(moves) < LONGEST:
        legal = game.legal_moves
        if legal[0].kind == "pass":
            break  # with another hidden card in that hand, passing might not be allowed
        draws = [move for move in legal if move.kind == "draw"]
        buys = [move for move in legal if move.kind == "buy"]
        move = chance.choice(
            draws if draws and chance.random() < 0.3 else buys if buys and chance.random() < 0.8 else legal
        )
        moves.append(str(game.play(move)))
    return Script(deal.position, moves[:-1] if game.is_over else moves)


def twin(script: Script, viewer: int | None, seed: int) -> Script:
    """The same game with everything that the viewer never learns dealt otherwise."""
    game = Game.from_position(script.position)
    known: set[int] = {card.id for row in game.market for card in row if card}
    for text in script.moves:
        seat, before = game.seat, {card.id for row in game.market for card in row if card}
        move = game.play(text)
        known |= {card.id for row in game.market for card in row if card} - before
        if move.card is not None:
            known.add(move.card)
        if move.kind == "draw" and seat == viewer:
            known.add(game.turns[-1].drawn or 0)
    chance = random.Random(seed)
    fields = script.position.split(" ")
    decks = []
    for level, deck in enumerate(fields[8].split("/"), 1):
        cards = [int(card) for card in deck.split(",")]
        unknown = [card for card in cards if card not in known]
        assert all(CARD_LEVEL[card - 1] == level - 1 for card in cards)
        mixed = chance.sample(unknown, len(unknown))
        replaced = dict(zip(unknown, mixed, strict=True))
        decks.append(",".join(str(replaced.get(card, card)) for card in cards))
    fields[8] = "/".join(decks)
    return Script(" ".join(fields), script.moves)


def traffic(script: Script, viewer: int | None) -> str:
    """Everything that a viewer is sent during a game: each update, and all of it again for a latecomer."""
    players = int(script.position[0])
    people = [m.Person(id=f"p{seat}", name=None, guest=seat) for seat in range(players)]
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
    sent = []
    entries: list[log.AnyEntry] = [made, log.Started(position=script.position, order=list(range(players)))]
    seat = 0
    for text in script.moves:
        entries.append(log.Played(seat=seat, move=text))
        seat = (seat + 1) % players
    for version, entry in enumerate(entries, 1):
        table.apply(log.Stored(version, 0.0, entry))
        sent.append(viewers.update_message(table, person, 0.0, version - 1).model_dump_json())
    sent.append(viewers.update_message(table, person, 0.0, 0).model_dump_json())
    return "\n".join(sent)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_viewer_cannot_know_changes_no_byte_of_the_messages(players: int) -> None:
    different = 0
    for seed in range(GAMES // 3):
        script = random_script(players, 1000 * players + seed)
        viewer = [*range(players), None][seed % (players + 1)]
        other = twin(script, viewer, seed)
        different += other.position != script.position
        assert traffic(script, viewer) == traffic(other, viewer)
    assert different > GAMES // 4


def test_the_test_would_notice_a_leak() -> None:
    """Seen by the one who drew it, the same pair of games differs."""
    noticed = 0
    for seed in range(30):
        script = random_script(2, seed)
        if any(text.startswith("rd") for text in script.moves[1::2]):
            noticed += traffic(script, 1) != traffic(twin(script, 0, seed), 1)
    assert noticed > 20


async def play_on(server: Server, scripts: list[Script], watchers: list[int | None]) -> list[list[str]]:
    """Play the scripts on a real server; what the watchers of each were sent by their sockets."""
    people = [await Client(server.url).guest() for _ in range(4)]
    stranger = await Client(server.url).guest()
    ids = [client.id for client in people]
    sent = []
    for script, viewer in zip(scripts, watchers, strict=True):
        players = int(script.position[0])
        table = (await people[0].make("me", *["open"] * (players - 1)))["id"]
        for client in people[1:players]:
            await client.join(table)
        async with await (stranger if viewer is None else people[viewer]).socket(table) as socket:
            for number, text in enumerate(script.moves):
                await people[number % players].do(table, "play", move=text, key=f"move{number:08d}")
            await socket.until_version(1 + (players - 1) + 1 + len(script.moves))
            updates = [text for text in socket.raw if '"type":"update"' in text[:20]]
        sent.append([neutral(text, ids) for text in updates])
    for client in (*people, stranger):
        await client.http.aclose()
    return sent


def neutral(text: str, ids: list[str]) -> str:
    """The ids of people are random; everything else is compared as it is."""
    for number, id in enumerate(ids):
        text = text.replace(id, f"person-{number}")
    return re.sub(r'"guest":\d+', '"guest":0', text)


async def test_what_a_viewer_cannot_know_changes_no_byte_on_the_sockets_of_a_real_server(tmp_path: Path) -> None:
    scripts, twins, watchers = [], [], []
    for number in range(GAMES_BY_SOCKET):
        players = 2 + number % 3
        script = random_script(players, 50_000 + number)
        viewer = [*range(players), None][number % (players + 1)]
        scripts.append(script)
        watchers.append(viewer)
        twins.append(twin(script, viewer, number))
    servers = []
    for name, games in (("game", scripts), ("twin", twins)):
        positions = tmp_path / f"{name}.positions"
        positions.write_text("\n".join(script.position for script in games))
        os.environ["RIGGED_POSITIONS"] = str(positions)
        rigged = str(Path(__file__).parent / "rigged.py")
        servers.append(Server(tmp_path / name, [rigged], grace=3600).start())
    try:
        sent = await asyncio.gather(*(play_on(s, g, watchers) for s, g in zip(servers, (scripts, twins), strict=True)))
    finally:
        for server in servers:
            server.stop()
    assert sent[0] == sent[1]
    assert sum(len(updates) for updates in sent[0]) > 10 * GAMES_BY_SOCKET

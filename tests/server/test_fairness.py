"""The deal: it follows from all secrets, nobody can change it afterwards, and anyone can check."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.clients import Client
from server.process import Server
from splendor.game import Game
from splendor.server import fairness, records

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


def independent_deal(secret: bytes, nonces: list[bytes | None]) -> tuple[list[list[int]], list[int]]:
    """The procedure once more, written from `docs/fairness.md` alone: decks from the top, and the nobles."""
    message = b"splendor-deal-1" + bytes([len(nonces)])
    for nonce in nonces:
        message += b"\x00" if nonce is None else b"\x01" + nonce
    key = hmac.new(secret, message, hashlib.sha256).digest()
    words: list[int] = []
    for counter in range(200):
        block = hmac.new(key, counter.to_bytes(8, "big"), hashlib.sha256).digest()
        words += [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
    stream = iter(words)

    def below(count: int) -> int:
        while True:
            product = next(stream) * count
            if product % 2**32 >= 2**32 % count:
                return product // 2**32

    decks = []
    for first, last in ((1, 40), (41, 70), (71, 90)):
        cards = list(range(first, last + 1))
        for i in range(len(cards) - 1, 0, -1):
            j = below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        decks.append(cards[::-1])
    nobles: list[int] = []
    while len(nobles) < len(nonces) + 1:
        noble = below(10) + 1
        if noble not in nobles:
            nobles.append(noble)
    return decks, nobles


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_is_what_the_document_says(players: int) -> None:
    secret, nonces = bytes(range(32)), [bytes([seat]) * 32 if seat else None for seat in range(players)]
    decks, nobles = independent_deal(secret, nonces)
    dealt = fairness.deal(
        secret.hex(), [None if nonce is None else nonce.hex() for nonce in nonces], shuffle_seats=False
    )
    fields = dealt.position.split(" ")
    assert fields[7] == "/".join(",".join(map(str, deck[:4])) for deck in decks)
    assert fields[8] == "/".join(",".join(map(str, deck[4:])) for deck in decks)
    assert fields[9] == ",".join(map(str, nobles))
    assert dealt.order == tuple(range(players))


def test_each_secret_and_each_nonce_changes_the_deal() -> None:
    base = fairness.deal("00" * 32, [None, "01" * 32], shuffle_seats=True)
    assert fairness.deal("00" * 32, [None, "01" * 32], shuffle_seats=True) == base
    others: list[tuple[str, list[str | None]]] = [
        ("02" * 32, [None, "01" * 32]),
        ("00" * 32, ["03" * 32, "01" * 32]),
        ("00" * 32, [None, None]),
    ]
    for secret, nonces in others:
        assert fairness.deal(secret, nonces, shuffle_seats=True).position != base.position


def test_every_card_and_every_seat_order_comes_equally_often() -> None:
    first_cards, orders = Counter[str](), Counter[tuple[int, ...]]()
    for number in range(2000):
        dealt = fairness.deal(f"{number:064x}", [None] * 3, shuffle_seats=True)
        first_cards[dealt.position.split(" ")[7].split(",")[0]] += 1
        orders[dealt.order] += 1
    assert len(first_cards) == 40
    assert max(first_cards.values()) < 50 + 5 * 50**0.5
    assert len(orders) == 6
    assert max(orders.values()) < 333 + 5 * 333**0.5


async def test_two_people_shuffle_together_and_verify_the_record(person: NewPerson, tmp_path: Path) -> None:
    ann, bob = await person(), await person()
    nonces = [secrets.token_hex(32) for _ in range(2)]
    commits = [fairness.commit_to(nonce) for nonce in nonces]
    table = await ann.make("me", "open", order="random", commit=commits[0])
    promised = table["fairness"]["commit"]
    assert table["fairness"]["secret"] is None
    joined = await bob.join(table["id"], commit=commits[1])
    assert joined["status"] == "dealing"
    assert joined["board"] is None
    assert await bob.fail(table["id"], "reveal", nonce=nonces[0]) == "wrong_nonce"
    await ann.do(table["id"], "reveal", nonce=nonces[0])
    assert (await bob.look(table["id"]))["fairness"]["nonces"] == [None, None]
    await bob.do(table["id"], "reveal", nonce=nonces[1])
    live = await ann.look(table["id"])
    assert live["status"] == "live"
    assert live["fairness"]["secret"] is None
    assert live["fairness"]["nonces"] == [None, None]
    await ann.do(table["id"], "resign")
    end = (await ann.look(table["id"]))["fairness"]
    assert fairness.commit_to(end["secret"]) == promised == end["commit"]
    assert end["nonces"] == nonces
    verdict = await bob.ask("GET", f"/api/games/{table['id']}/verify")
    assert verdict == {"is_fair": True, "problem": None, "contributors": [0, 1]}
    text = (await bob.http.get(f"/api/games/{table['id']}/record")).text
    assert Game.from_record(text).tags["Nonce1"] == nonces[1]
    file = tmp_path / "game.txt"
    file.write_text(text)
    assert verify_by_command(file)[0] == 0
    file.write_text(text.replace(nonces[1], secrets.token_hex(32)))
    status, words = verify_by_command(file)
    assert status == 1
    assert "nonce" in words


def verify_by_command(file: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "splendor", "verify", str(file)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


async def test_who_promises_and_does_not_reveal_loses_the_seat_and_the_others_promise_anew(tmp_path: Path) -> None:
    from splendor.server import commands, log
    from splendor.server import messages as m
    from splendor.server.table import OnlineTable

    table = OnlineTable("t" * 22)
    people = [m.Person(id=name, name=name) for name in ("ann", "bob")]
    plans = [log.SeatPlan(kind="person", person=people[0], commit="aa" * 32), log.SeatPlan(kind="open")]
    made = log.Created(seats=plans, public=False, spectators=True, clock=m.NoClock(), order="chosen", secret="11" * 32)
    entries: list[log.AnyEntry] = [
        made,
        log.SatDown(seat=1, person=people[1], commit="bb" * 32),
        log.Revealed(seat=0, nonce="cc" * 32),
    ]
    for version, entry in enumerate(entries, 1):
        table.apply(log.Stored(version, 100.0, entry))
    manners = commands.Manners()
    assert commands.due(table, 120.0, manners) == []
    (left,) = commands.due(table, 131.0, manners)
    assert left == log.Left(seat=1, reason="no_nonce")
    table.apply(log.Stored(4, 131.0, left))
    assert table.status == "open"
    assert table.seats[0].commit is None


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('[Secret "11', '[Secret "12', "secret_differs"),
        ('[Commit "', '[Other "', "no_secrets"),
        ('[Deal "splendor-deal-1"]', '[Deal "another"]', "no_secrets"),
    ],
)
def test_a_record_that_was_changed_is_found_out(old: str, new: str, code: str) -> None:
    verdict = records.verify(honest_record().replace(old, new))
    assert not verdict.is_fair
    assert verdict.problem is not None
    assert verdict.problem.code == code


def test_another_deal_with_the_same_secret_is_found_out() -> None:
    game = Game(players=2, seed=1)
    for name, value in (("Deal", fairness.PROCEDURE), ("Secret", "11" * 32), ("Commit", fairness.commit_to("11" * 32))):
        game.tag(name, value)
    verdict = records.verify(game.record())
    assert verdict.problem is not None
    assert verdict.problem.code == "deal_differs"
    assert records.verify(honest_record()).is_fair


def honest_record() -> str:
    game = Game.from_position(fairness.deal("11" * 32, [None, None], shuffle_seats=False).position)
    for name, value in (("Deal", fairness.PROCEDURE), ("Secret", "11" * 32), ("Commit", fairness.commit_to("11" * 32))):
        game.tag(name, value)
    game.play(game.legal_moves[0])
    return game.record()


async def test_the_secret_is_in_no_message_and_no_log_before_the_end(person: NewPerson, server: Server) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    async with await ann.socket(table, since=0) as socket:
        await socket.do("play", move=socket.table["moves"][0]["text"])
        before = "".join(socket.raw)
    await ann.do(table, "resign")
    end = (await ann.look(table))["fairness"]["secret"]
    assert end not in before
    assert end not in server.logs()

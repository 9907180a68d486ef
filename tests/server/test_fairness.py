"""The deal: it follows from all secrets, nobody can change it afterwards, and anyone can check."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.clients import Client
from server.process import Server, splendor
from splendor.game.game import Game
from splendor.server import messages as m
from splendor.server.refusal import RequestRefused
from splendor.server.tables import commands, fairness, log, proof, records
from splendor.server.tables.table import OnlineTable

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


def independent_deal(secret: bytes, nonces: list[bytes | None]) -> tuple[list[list[int]], list[int]]:
    """The procedure once more, written from `docs/fairness.md` alone: decks from the top, and the nobles."""
    message = b"splendor-deal-2" + bytes([len(nonces)]) + b"\0"
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
    assert verdict == {
        "follows": True,
        "procedure": "splendor-deal-2",
        "problem": None,
        "contributors": [0, 1],
        "seating": "random",
    }
    text = (await bob.http.get(f"/api/games/{table['id']}/record")).text
    assert Game.from_record(text).tags["Nonce1"] == nonces[1]
    file = tmp_path / "game.txt"
    file.write_text(text)
    assert verify_by_command(file)[0] == 0
    file.write_text(text.replace(nonces[1], secrets.token_hex(32)))
    status, words = verify_by_command(file)
    assert status == 1
    assert "nonce" in words


def verify_by_command(file: Path, *options: str) -> tuple[int, str]:
    done = splendor("verify", str(file), *options)
    return done.returncode, done.stdout + done.stderr


def person_of(name: str) -> m.Person:
    return m.Person(id=name, name=name)


def made(*seats: log.SeatPlan, order: str = "chosen", procedure: str = fairness.PROCEDURE) -> log.Created:
    fields = {"public": False, "spectators": True, "clock": m.NoClock(), "order": order, "secret": SECRET}
    return log.Created.model_validate({"seats": list(seats), "procedure": procedure, **fields})


def folded(*entries: log.AnyEntry) -> OnlineTable:
    table = OnlineTable("t" * 22)
    for version, entry in enumerate(entries, 1):
        table.apply(log.Stored(version, 100.0, entry))
    return table


SECRET = "11" * 32
ANNS = "cc" * 32
NEW = {"ann": "dd" * 32, "bob": "ee" * 32}


def test_who_promises_and_does_not_reveal_loses_the_seat_and_the_others_promise_anew() -> None:
    ann = log.SeatPlan(kind="person", person=person_of("ann"), commit=fairness.commit_to(ANNS))
    table = folded(
        made(ann, log.SeatPlan(kind="open")),
        log.SatDown(seat=1, person=person_of("bob"), commit="bb" * 32),
        log.Revealed(seat=0, nonce=ANNS),
    )
    manners = commands.Manners()
    assert commands.due(table, 120.0, manners) == []
    (left,) = commands.due(table, 131.0, manners)
    assert left == log.Left(seat=1, reason="no_nonce")
    table.apply(log.Stored(4, 131.0, left))
    assert table.status == "open"
    assert table.seats[0].commit is None
    bobs = fairness.commit_to(NEW["bob"])
    table.apply(log.Stored(5, 140.0, log.SatDown(seat=1, person=person_of("bob"), commit=bobs)))
    with pytest.raises(RequestRefused, match="promises_missing"):  # Ann's new promise comes before Bob's nonce
        commands.reveal(table, "bob", m.Reveal(key="k" * 8, nonce=NEW["bob"]))
    assert commands.due(table, 141.0, manners) == []
    assert commands.due(table, 171.0, manners) == [log.Left(seat=0, reason="no_nonce")]
    promise = m.Commit(key="k" * 8, commit=fairness.commit_to(NEW["ann"]))
    table.apply(log.Stored(6, 145.0, commands.commit(table, "ann", promise)[0]))
    table.apply(log.Stored(7, 146.0, commands.reveal(table, "bob", m.Reveal(key="k" * 8, nonce=NEW["bob"]))[0]))
    table.apply(log.Stored(8, 146.0, commands.reveal(table, "ann", m.Reveal(key="k" * 8, nonce=NEW["ann"]))[0]))
    (started,) = commands.due(table, 147.0, manners)
    assert isinstance(started, log.Started)


def ground(secret: str, known: list[str | None], seat: int, wanted: Callable[[fairness.Deal], bool]) -> str:
    """The nonce that somebody who knows all else would choose."""
    for number in range(100_000):
        nonces = [f"{number:064x}" if n == seat else nonce for n, nonce in enumerate(known)]
        if wanted(fairness.deal(secret, nonces, shuffle_seats=True)):
            return f"{number:064x}"
    raise AssertionError("never found")


def is_good_for_bob(dealt: fairness.Deal) -> bool:
    """Bob, who sat down in seat 1, begins, and a certain card lies where he wants it."""
    return dealt.order[0] == 1 and dealt.position.split(" ")[7].startswith("1,")


async def test_the_operator_and_a_player_cannot_choose_the_deal_after_a_nonce_is_known(
    person: NewPerson, server: Server
) -> None:
    ann, bob, cat = await person(), await person(), await person()
    anns, cats = secrets.token_hex(32), secrets.token_hex(32)
    table = (await ann.make("me", "open", "open", order="random", commit=fairness.commit_to(anns)))["id"]
    await bob.join(table)
    await cat.join(table, commit=fairness.commit_to(cats))
    await ann.do(table, "reveal", nonce=anns)
    late = ground(stored_secret(server, table), [anns, None, cats], 1, is_good_for_bob)
    assert await bob.fail(table, "commit", commit=fairness.commit_to(late)) == "too_late_to_promise"
    await cat.do(table, "reveal", nonce=cats)
    for one in (ann, bob):
        await one.do(table, "resign")
    text = (await ann.http.get(f"/api/games/{table}/record")).text
    assert Game.from_record(text).tags.keys().isdisjoint({"Commit1", "Nonce1"})
    kept = proof.Kept(commit=fairness.commit_to(stored_secret(server, table)), commits=promised(text), nonce=anns)
    assert proof.verify(text).contributors == [0, 2]
    assert proof.compare(text, kept) is None


def stored_secret(server: Server, table: str) -> str:
    """What the operator can look up."""
    with sqlite3.connect(server.folder / "splendor.db") as database:
        (entry,) = database.execute("SELECT entry FROM events WHERE game = ? AND version = 1", (table,)).fetchone()
    return str(json.loads(entry)["secret"])


def promised(text: str) -> list[str | None]:
    tags = Game.from_record(text).tags
    return [tags.get(f"Commit{seat}") for seat in range(4)]


@pytest.mark.parametrize("trick", ["late promise", "late change", "another secret", "without Ann", "seats chosen"])
def test_a_server_that_breaks_its_own_rules_is_found_out_by_who_kept_the_promises(trick: str, tmp_path: Path) -> None:
    """An operator who writes the log and the record at will, and Bob; Ann has what her browser kept."""
    bobs = None if trick == "late promise" else fairness.commit_to(NEW["bob"])
    kept = proof.Kept(commit=fairness.commit_to(SECRET), commits=[fairness.commit_to(ANNS), bobs], nonce=ANNS)
    secret, nonces = SECRET, [ANNS, NEW["bob"]]
    match trick:
        case "late promise" | "late change":
            nonces[1] = ground(SECRET, [ANNS, None], 1, is_good_for_bob)
        case "another secret":
            secret = next(
                s
                for s in (f"{n:064x}" for n in range(100_000))
                if fairness.deal(s, nonces, shuffle_seats=True).order[0] == 1
            )
        case "without Ann":
            nonces[0] = ground(SECRET, [None, nonces[1]], 0, is_good_for_bob)
    order = "chosen" if trick == "seats chosen" else "random"
    dealt = fairness.deal(secret, nonces, shuffle_seats=order == "random")
    plans = [
        log.SeatPlan(kind="person", person=person_of(name), commit=fairness.commit_to(nonce))
        for name, nonce in zip(("ann", "bob"), nonces, strict=True)
    ]
    table = folded(
        made(*plans, order=order).model_copy(update={"secret": secret}),
        *(log.Revealed(seat=seat, nonce=nonce) for seat, nonce in enumerate(nonces)),
        log.Started(position=dealt.position, order=[1, 0] if trick == "seats chosen" else list(dealt.order)),
        log.Forfeited(seat=0, reason="resigned"),
    )
    text = records.record_of(table)
    verdict = proof.verify(text)
    problem = verdict.problem or proof.compare(text, kept)
    assert problem is not None
    found = {"another secret": "other_secret", "seats chosen": "order_differs"}
    assert problem.code == found.get(trick, "other_promise")
    record, file = tmp_path / "game.txt", tmp_path / "kept.json"
    record.write_text(text)
    file.write_text(kept.model_dump_json())
    if trick != "seats chosen":
        assert verify_by_command(record)[0] == 0  # the record alone agrees with itself
    assert verify_by_command(record, "--kept", str(file))[0] == 1


def test_a_table_of_before_deals_and_is_recorded_by_the_procedure_of_then() -> None:
    plans = [log.SeatPlan(kind="person", person=person_of(name)) for name in ("ann", "bob")]
    before = made(*plans, order="random").model_dump(exclude={"procedure"})
    table = folded(log.Created.model_validate(before))
    (started,) = commands.due(table, 100.0, commands.Manners())
    table.apply(log.Stored(2, 100.0, started))
    table.apply(log.Stored(3, 100.0, log.Forfeited(seat=0, reason="resigned")))
    verdict = proof.verify(records.record_of(table))
    assert verdict.follows
    assert verdict.procedure == "splendor-deal-1"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('[Secret "11', '[Secret "12', "secret_differs"),
        ('[Commit "', '[Other "', "no_secrets"),
        ('[Deal "splendor-deal-2"]', '[Deal "another"]', "no_secrets"),
        ('[Deal "splendor-deal-2"]', '[Deal "splendor-deal-1"]', "deal_differs"),
        ('[Order "0,1"]', '[Orders "0,1"]', "no_order"),
        ('[Order "0,1"]', '[Order "1,0"]', "order_differs"),
        ('[Seating "chosen"]', '[Seat9 "chosen"]', "no_order"),
        ('[Seating "chosen"]', '[Seating "random"]', "deal_differs"),
        ('[Secret "11', f'[Commit1 "{"ab" * 32}"]\n[Secret "11', "nonce_differs"),
    ],
)
def test_a_record_that_was_changed_is_found_out(old: str, new: str, code: str) -> None:
    verdict = proof.verify(honest_record().replace(old, new))
    assert not verdict.follows
    assert verdict.problem is not None
    assert verdict.problem.code == code


def test_another_deal_with_the_same_secret_is_found_out() -> None:
    game = Game(players=2, seed=1)
    tags = {"Deal": fairness.PROCEDURE, "Secret": "11" * 32, "Commit": fairness.commit_to("11" * 32)}
    for name, value in (tags | {"Seating": "chosen", "Order": "0,1"}).items():
        game.tag(name, value)
    verdict = proof.verify(game.record())
    assert verdict.problem is not None
    assert verdict.problem.code == "deal_differs"
    assert proof.verify(honest_record()).follows


def honest_record() -> str:
    game = Game.from_position(fairness.deal("11" * 32, [None, None], shuffle_seats=False).position)
    tags = {"Deal": fairness.PROCEDURE, "Secret": "11" * 32, "Commit": fairness.commit_to("11" * 32)}
    for name, value in (tags | {"Seating": "chosen", "Order": "0,1"}).items():
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

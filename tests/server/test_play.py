"""Playing: in one click, by link, at one screen, from the lobby; a turn in parts; and again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from server.clients import Client, Json, Socket

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]


async def play_out(*sockets: Socket) -> Json:
    """Everyone plays the best-looking simple move until the game is over."""
    turns = 0
    while True:
        table = sockets[0].table
        if table["status"] == "over":
            return table
        mover = next((s for s in sockets if table["board"]["seat"] in s.table["you"]), sockets[0])
        await mover.until_version(table["version"])
        moves = mover.table["moves"]
        if moves:
            buys = [move for move in moves if move["kind"] == "buy"]
            move = max(buys, key=lambda buy: buy["card"]) if buys else moves[turns % len(moves)]
            answer = await mover.do("play", move=move["text"], turn=mover.table["board"]["turn"])
            assert answer["type"] == "done", answer
            turns += 1
            version = answer["version"]
        else:
            version = table["version"] + 1
        for socket in sockets:
            await socket.until_version(version)


async def test_one_request_makes_a_guest_and_one_more_starts_a_game_against_a_computer(person: NewPerson) -> None:
    ann = await person()
    table = await ann.make("me", "computer", order="random")
    assert table["status"] == "live"
    assert sorted(seat["kind"] for seat in table["seats"]) == ["computer", "person"]
    assert table["board"]["viewer"] == table["you"][0]
    assert [len(row) for row in table["board"]["market"]] == [4, 4, 4]


async def test_a_whole_game_against_a_computer_ends_with_a_result_and_open_hands(person: NewPerson) -> None:
    ann = await person()
    table = await ann.make("me", "computer")
    async with await ann.socket(table["id"]) as socket:
        end = await play_out(socket)
    assert end["result"]["reason"] in ("points", "stalemate")
    assert len(end["result"]["places"]) == 2
    assert all(card["id"] for hand in end["board"]["hands"] for card in hand["reserved"])
    assert end["fairness"]["secret"] is not None
    assert end["moves"] == []


async def test_two_people_play_by_link_while_a_third_looks_on(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    table = await ann.make("me", "open", public=True)
    assert table["status"] == "open"
    lobby = await bob.ask("GET", "/api/lobby")
    assert table["id"] in [shown["id"] for shown in lobby["open"]]
    joined = await bob.join(table["id"])
    assert joined["status"] == "live"
    assert joined["you"] == [1]
    async with (
        await ann.socket(table["id"]) as a,
        await bob.socket(table["id"]) as b,
        await eve.socket(table["id"]) as e,
    ):
        assert e.table["you"] == []
        assert e.table["viewer"] is None
        assert e.table["moves"] == []
        end = await play_out(a, b, e)
        assert a.table["result"] == b.table["result"] == e.table["result"] == end["result"]
    archived = await eve.ask("GET", f"/api/games/{table['id']}")
    assert [seat["place"] for seat in archived["seats"]] == end["result"]["places"]


async def test_four_people_share_one_screen_and_each_sees_only_the_own_cards(person: NewPerson) -> None:
    ann = await person()
    device = [{"kind": "device", "name": name} for name in ("Bob", "Cleo", "Dan")]
    table = await ann.make("me", *device)
    assert table["you"] == [0, 1, 2, 3]
    assert [seat["label"] for seat in table["seats"]] == [None, "Bob", "Cleo", "Dan"]
    for seat in range(4):
        shown = await ann.look(table["id"])
        assert shown["viewer"] == seat
        assert shown["moves"]
        await ann.do(table["id"], "play", move="rd1")
    shown = await ann.look(table["id"])
    known = [[card["id"] is not None for card in hand["reserved"]] for hand in shown["board"]["hands"]]
    assert known == [[True], [False], [False], [False]]


async def test_an_invited_person_finds_the_invitation_and_nobody_else_can_have_the_seat(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    await bob.ask("POST", "/api/register", {"name": f"Bob {bob.id[:8]}", "password": "a good password"})
    table = await ann.make("me", {"kind": "invited", "name": f"bob {bob.id[:8]}"})
    assert await eve.refusal("POST", f"/api/tables/{table['id']}/join", {}) == "table_full"
    assert [own["id"] for own in await bob.ask("GET", "/api/tables/mine")] == [table["id"]]
    assert (await bob.join(table["id"]))["status"] == "live"


async def test_a_private_table_is_not_in_the_lobby(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    table = await ann.make("me", "open")
    assert table["id"] not in [shown["id"] for shown in (await bob.ask("GET", "/api/lobby"))["open"]]
    assert (await bob.look(table["id"]))["status"] == "open"


async def test_a_table_without_spectators_shows_nothing_to_others_while_it_is_played(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    table = await ann.make("me", "open", spectators=False)
    async with await eve.socket(table["id"]) as watching:
        await bob.join(table["id"])
        assert (await watching.until(lambda message: message["type"] == "bye"))["code"] == "revoked"
    assert await eve.refusal("GET", f"/api/tables/{table['id']}") == "not_allowed"
    assert await eve.refusal("GET", f"/api/tables/{table['id']}/stream") == "not_allowed"
    await ann.do(table["id"], "resign")
    assert (await eve.look(table["id"]))["status"] == "over"


async def test_joining_twice_changes_nothing(person: NewPerson) -> None:
    ann, bob = await person(), await person()
    table = await ann.make("me", "open", "open")
    first = await bob.join(table["id"])
    assert (await bob.join(table["id"]))["version"] == first["version"]
    assert await bob.refusal("POST", f"/api/tables/{table['id']}/join", {"seat": 9}) == "invalid"


async def reach_return(ann: Client) -> str:
    """A table at which the first seat has nine tokens, so that a take asks for a return."""
    table = str((await ann.make("me", {"kind": "device"}))["id"])
    for _ in range(3):
        takes = [move for move in (await ann.look(table))["moves"] if len(move["taken"] or ()) == 3]
        await ann.do(table, "play", move=takes[0]["text"])
        await ann.do(table, "play", move="rd1")
    return table


async def test_a_turn_may_be_played_in_parts(person: NewPerson) -> None:
    ann = await person()
    table = await reach_return(ann)
    before = await ann.look(table)
    take = next(move for move in before["moves"] if move["then"] == "return")
    await ann.do(table, "play", move=take["text"])
    middle = await ann.look(table)
    assert middle["board"]["phase"] == "return"
    assert middle["board"]["seat"] == before["board"]["seat"]
    assert {move["kind"] for move in middle["moves"]} == {"finish"}
    assert await ann.fail(table, "play", move="+wug") == "illegal_move"
    await ann.do(table, "play", move=middle["moves"][0]["text"])
    assert (await ann.look(table))["board"]["seat"] != before["board"]["seat"]


async def test_a_turn_may_be_completed_before_it_is_played(person: NewPerson) -> None:
    ann = await person()
    table = await reach_return(ann)
    before = await ann.look(table)
    take = next(move for move in before["moves"] if move["then"] == "return" and move["kind"] == "take")
    answer = await ann.do(table, "consider", move=take["text"])
    assert answer["type"] == "continuations"
    assert all(move["taken"] == take["taken"] and move["returned"] for move in answer["moves"])
    assert (await ann.look(table))["version"] == before["version"]
    await ann.do(table, "play", move=answer["moves"][-1]["text"])
    assert (await ann.look(table))["board"]["turn"] == before["board"]["turn"] + 1


async def test_every_offered_move_is_played_and_reports_what_moved(person: NewPerson) -> None:
    ann = await person()
    table = await ann.make("me", {"kind": "device"})
    async with await ann.socket(table["id"]) as socket:
        for turn in range(60):
            moves = socket.table["moves"]
            if not moves:
                break
            before = socket.table["board"]
            move = moves[(7 * turn) % len(moves)]
            await socket.do("play", move=move["text"], turn=before["turn"])
            played = next(seen["events"][-1] for seen in reversed(socket.seen) if seen["type"] == "update")
            assert played["type"] == "played"
            check_tokens(before, socket.table["board"], played)


def check_tokens(before: Json, after: Json, played: Json) -> None:
    """The movements account for every token of the bank and of the player."""
    for color, count in before["bank"].items():
        change = 0
        for movement in played["movements"]:
            if movement["what"] == "tokens":
                sign = 1 if movement["target"]["area"] == "bank" else -1
                change += sign * movement["tokens"].get(color, 0)
        assert after["bank"][color] == count + change
        hand = before["hands"][played["seat"]]["tokens"][color]
        assert after["hands"][played["seat"]]["tokens"][color] == hand - change


async def test_after_the_game_a_rematch_keeps_the_seats_for_the_same_people(person: NewPerson) -> None:
    ann, bob, eve = await person(), await person(), await person()
    table = await ann.make("me", "open", clock={"kind": "live", "seconds": 600, "increment": 5})
    await bob.join(table["id"])
    assert await ann.fail(table["id"], "rematch") == "not_over"
    await ann.do(table["id"], "resign")
    assert await eve.fail(table["id"], "rematch") == "not_seated"
    again = (await bob.do(table["id"], "rematch"))["table"]
    assert (await ann.do(table["id"], "rematch"))["table"] == again
    assert (await ann.look(table["id"]))["rematch"] == again
    assert await eve.refusal("POST", f"/api/tables/{again}/join", {}) == "table_full"
    joined = await ann.join(again)
    assert joined["status"] == "live"
    assert joined["clock"] == {"kind": "live", "seconds": 600, "increment": 5}


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        (["me", "me"], "one_seat_is_yours"),
        (["open", "device"], "device_needs_you"),
        (["computer", "computer"], "nobody_plays"),
        (["me", {"kind": "computer", "level": "nonsense"}], "no_such_level"),
        (["me", {"kind": "invited", "name": "nobody at all"}], "no_such_person"),
        (["me", {"kind": "device", "name": "\u202e"}], "name_signs"),
    ],
)
async def test_a_table_that_cannot_be_is_refused(person: NewPerson, seats: list[str | Json], code: str) -> None:
    ann = await person()
    wishes = [{"kind": seat} if isinstance(seat, str) else seat for seat in seats]
    for wish in wishes:
        if wish["kind"] == "computer":
            wish.setdefault("level", "apprentice")
    assert await ann.refusal("POST", "/api/tables", {"seats": wishes}) == code


async def test_hints_positions_and_the_catalogue_serve_lessons(person: NewPerson) -> None:
    ann = await person()
    catalogue = await ann.ask("GET", "/api/catalogue")
    assert len(catalogue["cards"]) == 90
    assert len(catalogue["nobles"]) == 10
    start = "2 0 1 0 act 0 444445 23,30,37,17/61,65,60,47/82,73,89,84 ?36/?26/?16 2,8,4 000000:-:- 000000:-:-"
    shown = await ann.ask("POST", "/api/positions", {"position": start, "moves": ["+wug", "r17"], "viewer": 0})
    assert [frame["move"]["text"] for frame in shown["played"]] == ["+wug", "r17"]
    assert shown["board"]["market"][0][3]["id"] is None
    assert shown["moves"]
    hint = await ann.ask("POST", "/api/hints", {"position": start, "level": "apprentice"})
    assert hint["move"]["text"]
    body = {"position": start, "moves": ["+www"]}
    assert await ann.refusal("POST", "/api/positions", body) == "illegal_move"
    assert await ann.refusal("POST", "/api/positions", {"position": "nonsense"}) == "bad_position"

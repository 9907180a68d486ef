"""Trying out moves for all seats: which card comes is chosen, or one of those that are left comes at random."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from server.clients import Client, Json
from splendor import Game

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

START = "2 0 1 0 act 0 444445 23,30,37,17/61,65,60,47/82,73,89,84 ?36/?26/?16 2,8,4 000000:-:- 000000:-:-"


def ask(moves: list[str], cards: list[int | None], position: str = START) -> Json:
    return {"position": position, "moves": moves, "cards": cards, "open_hands": True}


async def test_the_card_that_comes_is_chosen(person: NewPerson) -> None:
    ann = await person()
    answer = await ann.ask("POST", "/api/positions", ask(["r17", "rd2"], [5, 44]))
    assert [card["id"] for card in answer["board"]["market"][0]] == [23, 30, 37, 5]
    assert [card["id"] for card in answer["board"]["hands"][1]["reserved"]] == [44]
    assert "?35/?25/?16" in answer["board"]["position"]


async def test_a_card_comes_at_random_from_those_that_are_left(person: NewPerson) -> None:
    ann = await person()
    come = set()
    for _ in range(12):
        answer = await ann.ask("POST", "/api/positions", ask(["r17"], [None]))
        come.add(answer["board"]["market"][0][3]["id"])
    assert len(come) > 1
    assert come <= set(range(1, 41)) - {17, 23, 30, 37}


async def test_known_decks_are_shuffled_anew(person: NewPerson) -> None:
    ann = await person()
    whole = Game(players=2, seed=1)
    top = int(whole.position.split()[8].split(",")[0])
    last = int(whole.position.split()[8].split("/")[0].split(",")[-1])
    answer = await ann.ask("POST", "/api/positions", ask(["r17"], [last], whole.position))
    assert answer["board"]["market"][0][3]["id"] == last != top
    assert answer["board"]["position"].split()[8] == "?35/?26/?16"


async def test_the_board_is_turned_to_the_seat_that_decides_and_hides_no_hand(person: NewPerson) -> None:
    ann = await person()
    answer = await ann.ask("POST", "/api/positions", ask(["rd2"], [44]))
    assert answer["board"]["viewer"] == answer["board"]["seat"] == 1
    assert answer["board"]["hands"][0]["reserved"][0]["id"] == 44
    assert answer["board"]["market"][0][0]["missing"] is not None
    assert answer["moves"]


@pytest.mark.parametrize(
    ("moves", "cards"),
    [(["r17"], [23]), (["r17"], [50]), (["+wug"], [5]), (["r17", "r5"], [5, 5]), ([], [5])],
)
async def test_a_card_that_cannot_come_is_refused(person: NewPerson, moves: list[str], cards: list[int | None]) -> None:
    ann = await person()
    assert await ann.refusal("POST", "/api/positions", ask(moves, cards)) == "card_not_left"


async def test_a_position_that_cannot_be_is_explained(person: NewPerson) -> None:
    ann = await person()
    reply = await ann.http.post("/api/positions", json={"position": START.replace("37,17", "37,23")})
    assert reply.json()["error"] == {
        "code": "bad_position",
        "params": {"column": 22, "sentence": "card 23 is in two places", "check": "card_twice", "card": 23},
    }

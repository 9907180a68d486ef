"""A second check of the reasons in reviews, which shares nothing with the first.

It reads the position as text, plays the lines on plain lists with a rulebook of its own (`oracle` has the printed
cards), and asks of each reason whether what it says is so.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from oracle import CARDS, GEMS, NOBLES, TOKENS

LETTERS = "wugrko"
Board = dict[str, Any]
NOBLE_POINTS = 3


def read_board(text: str) -> Board:
    fields = text.split(" ")
    players = int(fields[0])
    nobles = [entry.partition("@") for entry in fields[9].split(",")]
    return {
        "players": players,
        "seat": int(fields[3]),
        "bank": [int(n) for n in fields[6]],
        "market": [card for row in fields[7].split("/") for card in row.split(",")],
        "nobles": {int(noble): int(seat) if seat else None for noble, _, seat in nobles},
        "hands": [read_hand(field) for field in fields[10:]],
    }


def read_hand(field: str) -> dict[str, Any]:
    tokens, bought, reserved = field.split(":")
    return {
        "tokens": [int(n) for n in tokens],
        "bought": [] if bought == "-" else [int(card) for card in bought.split(",")],
        "reserved": [] if reserved == "-" else [entry.rstrip("d") for entry in reserved.split(",")],
    }


def bonuses(hand: dict[str, Any]) -> list[int]:
    return [sum(CARDS[card]["bonus"] == color for card in hand["bought"]) for color in GEMS]


def points(board: Board, seat: int) -> int:
    cards: int = sum(CARDS[card]["points"] for card in board["hands"][seat]["bought"])
    nobles = sum(1 for owner in board["nobles"].values() if owner == seat)
    return cards + NOBLE_POINTS * nobles


def bill(hand: dict[str, Any], card: int) -> list[int] | None:
    """What the card costs this hand, gold only where it must be; None if it is too much."""
    costs = [max(CARDS[card][color] - bonus, 0) for color, bonus in zip(GEMS, bonuses(hand), strict=True)]
    paid = [min(cost, held) for cost, held in zip(costs, hand["tokens"], strict=False)]
    gold = sum(costs) - sum(paid)
    return [*paid, gold] if gold <= hand["tokens"][5] else None


def play(board: Board, text: str) -> Board:
    """The board after a turn; a card that comes from a deck is a question mark."""
    board = copy.deepcopy(board)
    seat, bank = board["seat"], board["bank"]
    hand = board["hands"][seat]
    found = re.fullmatch(r"([^-@]*)(?:-(\w+))?(?:@(\d+))?", text)
    assert found
    action, returned, noble = found.groups()

    def move(letters: str, sign: int) -> None:
        for letter in letters:
            hand["tokens"][LETTERS.index(letter)] += sign
            bank[LETTERS.index(letter)] -= sign

    if action.startswith("+"):
        move(action[1:], 1)
    elif action.startswith("r"):
        assert len(hand["reserved"]) < 3
        if action.startswith("rd"):
            hand["reserved"].append("?")
        else:
            board["market"][board["market"].index(action[1:])] = "?"
            hand["reserved"].append(action[1:])
        if bank[5]:
            move("o", 1)
    elif action.startswith("b"):
        name, _, payment = action[1:].partition("=")
        card = int(name)
        paid = [payment.count(letter) for letter in LETTERS] if payment else bill(hand, card)
        assert paid is not None
        for color, count in enumerate(paid):
            move(LETTERS[color] * count, -1)
        if name in board["market"]:
            board["market"][board["market"].index(name)] = "?"
        else:
            hand["reserved"].remove(name)
        hand["bought"].append(card)
    move(returned or "", -1)
    ready = [number for number, owner in board["nobles"].items() if owner is None and not lacking(hand, number)]
    if noble or ready:
        board["nobles"][int(noble) if noble else ready[0]] = seat
    assert min(bank) >= 0
    assert min(hand["tokens"]) >= 0
    board["seat"] = (seat + 1) % board["players"]
    return board


def lacking(hand: dict[str, Any], noble: int) -> int:
    return sum(max(NOBLES[noble][color] - bonus, 0) for color, bonus in zip(GEMS, bonuses(hand), strict=True))


def own_turns(board: Board, line: tuple[str, ...]) -> list[tuple[str, Board, Board]]:
    """The turns of the seat that decides, three at most, with the boards before and after them."""
    seat, turns = board["seat"], []
    for text in line:
        after = play(board, text)
        if board["seat"] == seat:
            turns.append((text, board, after))
        board = after
        if board["seat"] == 0 and max(points(board, n) for n in range(board["players"])) >= 15:
            break
    return turns[:3]


def card_bought(text: str) -> int | None:
    found = re.match(r"b(\d+)", text)
    return int(found[1]) if found else None


def nobles_of(board: Board, seat: int) -> set[int]:
    return {noble for noble, owner in board["nobles"].items() if owner == seat}


def is_true(position: str, best: tuple[str, ...], played: tuple[str, ...], code: str, params: dict[str, Any]) -> bool:
    """Is what a reason says about two lines so?"""
    board = read_board(position)
    seat = board["seat"]
    better, worse = own_turns(board, best), own_turns(board, played)
    after, otherwise = better[0][2], worse[0][2]
    card: Any = params.get("card")
    if card is not None and params["points"] != CARDS[card]["points"] and code != "scores":
        return False
    if code == "ends":
        return bool(points(after, seat) == params["points"] >= 15 > points(otherwise, seat))
    if code == "scores":
        gained, less = (points(b, seat) - points(board, seat) for b in (after, otherwise))
        return (gained, less) == (params["points"], params["less"]) and gained > less and card_bought(best[0]) == card
    if code == "denies":
        rival = board["hands"][params["seat"]]
        taken = str(card) in board["market"] and str(card) not in after["market"]
        return params["seat"] != seat and taken and str(card) in otherwise["market"] and bill(rival, card) is not None
    if code == "noble":
        came, others = (
            set().union(*(nobles_of(after, seat) - nobles_of(before, seat) for _, before, after in turns))
            for turns in (better[: params["turns"]], worse[: params["turns"]])
        )
        return params["noble"] in came and not others and len(worse) >= params["turns"]
    if code == "affords":
        at_hand = [*after["market"], *after["hands"][seat]["reserved"]]
        return (
            str(card) in at_hand
            and bill(after["hands"][seat], card) is not None
            and bill(otherwise["hands"][seat], card) is None
        )
    if code == "buys":
        turns = params["turns"]
        bought = [card_bought(text) for text, _, _ in better[:turns]]
        return bought[-1] == card and len(worse) >= turns and card not in [card_bought(t) for t, _, _ in worse[:turns]]
    if code == "nearer":
        short = [lacking(b["hands"][seat], params["noble"]) for b in (board, after, otherwise)]
        return bool(short[1] == params["lacking"] <= 2 and short[1] < min(short[0], short[2]))
    if code == "returns":
        counts = [len((re.search(r"-(\w+)", line[0]) or ["", ""])[1]) for line in (played, best)]
        return counts == [params["count"], params["less"]] and counts[0] > counts[1]
    if code == "blocked":
        hand = otherwise["hands"][seat]
        cards = [int(name) for name in hand["reserved"] if name != "?"]
        is_full = len(cards) == 3 and len(board["hands"][seat]["reserved"]) == 2
        return is_full and all(bill(hand, name) is None for name in cards)
    if code == "gold":
        counts = [b["hands"][seat]["tokens"][TOKENS.index("gold")] for b in (board, after, otherwise)]
        return counts[1] > counts[0] >= counts[2]
    return bool(code == "search" and params["gain"] > 0)

"""A second, deliberately naive rulebook, to compare the real one with.

It is written from the description of the game alone: a table is a dict of lists, everything is recounted
whenever it is asked for, cards and nobles are read from the printed tables, and nothing is taken from the
rules of the package. Decisions are words, such as "take white, blue" or "buy level 2 card 3".
"""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "src" / "splendor" / "data"
GEMS = ["white", "blue", "green", "red", "black"]
TOKENS = [*GEMS, "gold"]
WORD = 1 << 64

Table = dict[str, Any]


def read(name: str) -> dict[int, dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {int(row["id"]): {k: v if k == "bonus" else int(v) for k, v in row.items()} for row in rows}


CARDS = read("cards.csv")
NOBLES = read("nobles.csv")


# ------------------------------------------------------------------------------------------- the deal


class SplitMix64:
    """The generator on Python's unbounded integers."""

    def __init__(self, seed: int) -> None:
        self.state = seed % WORD

    def bits(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return z ^ (z >> 31)

    def below(self, count: int) -> int:
        """Scale 32 random bits to 0 … count - 1; throw away the draws that would make some results likelier."""
        while True:
            product = (self.bits() >> 32) * count
            if product % (1 << 32) >= (1 << 32) % count:
                return product >> 32

    def shuffle(self, cards: list[int]) -> None:
        for last in reversed(range(1, len(cards))):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


def deal(players: int, seed: int, first: int = 0, cap: int = 0) -> Table:
    chance = SplitMix64(seed)
    decks = {level: [number for number, card in CARDS.items() if card["level"] == level] for level in (1, 2, 3)}
    for level in (1, 2, 3):
        chance.shuffle(decks[level])
    rows = {level: [decks[level].pop() for _ in range(4)] for level in (1, 2, 3)}
    nobles: list[int] = []
    while len(nobles) < players + 1:
        noble = chance.below(10) + 1
        if noble not in nobles:
            nobles.append(noble)
    gems = {2: 4, 3: 5, 4: 7}[players]
    return {
        "players": players,
        "first": first,
        "seat": first,
        "round": 1,
        "cap": cap,
        "step": "act",
        "passes": 0,
        "supply": dict.fromkeys(GEMS, gems) | {"gold": 5},
        "hands": [dict.fromkeys(TOKENS, 0) for _ in range(players)],
        "decks": decks,
        "rows": rows,
        "nobles": [{"id": noble, "owner": None} for noble in nobles],
        "bought": [[] for _ in range(players)],
        "reserved": [[] for _ in range(players)],
    }


# ------------------------------------------------------------------------------------------- counting


def bonuses(table: Table, seat: int) -> dict[str, int]:
    return {color: sum(CARDS[card]["bonus"] == color for card in table["bought"][seat]) for color in GEMS}


def points(table: Table, seat: int) -> int:
    nobles = len([noble for noble in table["nobles"] if noble["owner"] == seat])
    return int(sum(CARDS[card]["points"] for card in table["bought"][seat])) + 3 * nobles


def price(table: Table, card: int) -> dict[str, int]:
    saved = bonuses(table, table["seat"])
    return {color: max(0, CARDS[card][color] - saved[color]) for color in GEMS}


def payment(table: Table, card: int) -> dict[str, int] | None:
    """What the player pays with as little gold as possible, or None for a card that is too dear."""
    hand = table["hands"][table["seat"]]
    due = price(table, card)
    paid = {color: min(due[color], hand[color]) for color in GEMS}
    paid["gold"] = sum(due.values()) - sum(paid.values())
    return paid if paid["gold"] <= hand["gold"] else None


def willing_nobles(table: Table) -> list[int]:
    """The places of the nobles on the table that would visit the player whose turn it is."""
    have = bonuses(table, table["seat"])
    return [
        place
        for place, noble in enumerate(table["nobles"])
        if noble["owner"] is None and all(have[color] >= NOBLES[noble["id"]][color] for color in GEMS)
    ]


# -------------------------------------------------------------------------------------- what is legal


def legal(table: Table) -> set[str]:
    hand = table["hands"][table["seat"]]
    if table["step"] == "return":
        return {f"return {color}" for color in TOKENS if hand[color]}
    if table["step"] == "noble":
        return {f"choose noble {place + 1}" for place in willing_nobles(table)}
    if table["step"] != "act":
        return set()
    moves = set()
    colors = [color for color in GEMS if table["supply"][color]]
    if colors:
        moves |= {"take " + ", ".join(some) for some in combinations(colors, min(3, len(colors)))}
    moves |= {f"take {color}, {color}" for color in GEMS if table["supply"][color] >= 4}
    for level in (1, 2, 3):
        if len(table["reserved"][table["seat"]]) < 3:
            if table["decks"][level]:
                moves.add(f"reserve from deck {level}")
            moves |= {f"reserve level {level} card {i + 1}" for i in range(4) if table["rows"][level][i]}
        for place, card in enumerate(table["rows"][level]):
            if card and payment(table, card):
                moves.add(f"buy level {level} card {place + 1}")
    for place, kept in enumerate(table["reserved"][table["seat"]]):
        if payment(table, kept["id"]):
            moves.add(f"buy reserved card {place + 1}")
    return moves or {"pass"}


# --------------------------------------------------------------------------------------------- playing


def play(table: Table, move: str) -> None:
    seat = table["seat"]
    hand, supply = table["hands"][seat], table["supply"]
    words = move.replace(",", "").split()
    if words[0] == "pass":
        table["passes"] += 1
    elif table["step"] == "act":
        table["passes"] = 0
    if words[0] == "take":
        for color in words[1:]:
            supply[color] -= 1
            hand[color] += 1
    elif words[0] == "reserve":
        unseen = words[1] == "from"
        level = int(words[3] if unseen else words[2])
        card = table["decks"][level].pop() if unseen else leave_row(table, level, int(words[4]) - 1)
        table["reserved"][seat].append({"id": card, "unseen": unseen})
        if supply["gold"]:
            supply["gold"] -= 1
            hand["gold"] += 1
    elif words[0] == "buy":
        place = int(words[-1]) - 1
        from_hand = words[1] == "reserved"
        card = table["reserved"][seat][place]["id"] if from_hand else table["rows"][int(words[2])][place]
        paid = payment(table, card)
        assert paid is not None
        for color, count in paid.items():
            hand[color] -= count
            supply[color] += count
        if from_hand:
            del table["reserved"][seat][place]
        else:
            leave_row(table, int(words[2]), place)
        table["bought"][seat] = sorted([*table["bought"][seat], card])
    elif words[0] == "return":
        hand[words[1]] -= 1
        supply[words[1]] += 1
    if words[0] == "choose":
        table["nobles"][int(words[2]) - 1]["owner"] = seat
        finish_turn(table)
    else:
        after_action(table)


def leave_row(table: Table, level: int, place: int) -> int:
    """Take a face-up card away; the deck fills its place, if it can."""
    card = table["rows"][level][place]
    table["rows"][level][place] = table["decks"][level].pop() if table["decks"][level] else None
    return int(card)


def after_action(table: Table) -> None:
    if sum(table["hands"][table["seat"]].values()) > 10:
        table["step"] = "return"
        return
    willing = willing_nobles(table)
    if len(willing) > 1:
        table["step"] = "noble"
        return
    for place in willing:
        table["nobles"][place]["owner"] = table["seat"]
    finish_turn(table)


def finish_turn(table: Table) -> None:
    seats = [(table["first"] + turn) % table["players"] for turn in range(table["players"])]
    turn = seats.index(table["seat"])
    is_last_of_round = turn == table["players"] - 1
    if is_last_of_round and any(points(table, seat) >= 15 for seat in seats):
        table["step"] = "points"
    elif table["passes"] == table["players"]:
        table["step"] = "stalemate"
    elif is_last_of_round and table["round"] == table["cap"]:
        table["step"] = "cap"
    else:
        table["step"] = "act"
        table["seat"] = seats[(turn + 1) % table["players"]]
        table["round"] += is_last_of_round


def places(table: Table) -> list[int]:
    """Each seat's place: sort by points, then by fewest cards; the level ones share, the next is skipped."""
    keys = [(-points(table, seat), len(table["bought"][seat])) for seat in range(table["players"])]
    return [sorted(keys).index(key) + 1 for key in keys]

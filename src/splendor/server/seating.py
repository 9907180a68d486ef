"""From the wish for a table to its seats: names are looked up, levels are known, one's own seat is one's own."""

from __future__ import annotations

from splendor.server import log, names
from splendor.server import messages as m
from splendor.server.database.people import People
from splendor.server.refusal import Refused
from splendor.server.table import computer


async def plan_seats(wish: m.NewTable, host: m.Person, levels: list[str], people: People) -> list[log.SeatPlan]:
    """The seats of a new table; raises Refused for what cannot be."""
    kinds = [seat.kind for seat in wish.seats]
    if kinds.count("me") > 1:
        raise Refused("one_seat_is_yours")
    if "device" in kinds and "me" not in kinds:
        raise Refused("device_needs_you")
    if all(kind == "computer" for kind in kinds):
        raise Refused("nobody_plays")
    return [await plan_seat(seat, wish, host, levels, people) for seat in wish.seats]


async def plan_seat(
    seat: m.SeatWish, wish: m.NewTable, host: m.Person, levels: list[str], people: People
) -> log.SeatPlan:
    """One of them."""
    match seat.kind:
        case "me":
            return log.SeatPlan(kind="person", person=host, commit=wish.commit)
        case "device":
            return log.SeatPlan(kind="device", person=host, label=label(seat.name))
        case "computer":
            if seat.level not in levels:
                raise Refused("no_such_level", levels=levels)
            return log.SeatPlan(kind="computer", person=computer(seat.level))
        case "invited":
            account = await people.by_name(names.key_of(seat.name or ""))
            if account is None or account.id == host.id:
                raise Refused("no_such_person")
            return log.SeatPlan(kind="invited", invited=account.id, label=account.name)
        case "open":
            return log.SeatPlan(kind="open")


def label(name: str | None) -> str | None:
    """What someone at the same screen is called."""
    if name is None:
        return None
    try:
        return names.normalise(name)
    except names.BadName as error:
        raise Refused(error.code, longest=names.LONGEST) from None

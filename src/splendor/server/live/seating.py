"""From the wish for a table to its seats: names are looked up, levels are known, one's own seat is one's own."""

from __future__ import annotations

from splendor.server import messages as m
from splendor.server.access import names
from splendor.server.database.invitations import Invitations
from splendor.server.database.people import Account, People
from splendor.server.refusal import RequestRefused
from splendor.server.tables import log
from splendor.server.tables.table import computer


async def plan_seats(
    wish: m.NewTable, host: Account, levels: list[str], people: People, invitations: Invitations
) -> list[log.SeatPlan]:
    """The seats of a new table; raises RequestRefused for what cannot be."""
    kinds = [seat.kind for seat in wish.seats]
    if kinds.count("me") > 1:
        raise RequestRefused("one_seat_is_yours")
    if "device" in kinds and "me" not in kinds:
        raise RequestRefused("device_needs_you")
    if all(kind == "computer" for kind in kinds):
        raise RequestRefused("nobody_plays")
    return [await plan_seat(seat, wish, host, levels, people, invitations) for seat in wish.seats]


async def plan_seat(
    seat: m.SeatWish, wish: m.NewTable, host: Account, levels: list[str], people: People, invitations: Invitations
) -> log.SeatPlan:
    """One of them."""
    match seat.kind:
        case "me":
            promise = wish.commit if wish.position is None else None
            return log.SeatPlan(kind="person", person=host.person, commit=promise)
        case "device":
            return log.SeatPlan(kind="device", person=host.person, label=label(seat.name))
        case "computer":
            if seat.level not in levels:
                raise RequestRefused("no_such_level", levels=levels)
            return log.SeatPlan(kind="computer", person=computer(seat.level))
        case "invited":
            account = await people.by_name(names.key_of(seat.name or ""))
            if account is None or account.id == host.id:
                raise RequestRefused("no_such_person")
            if not await invitations.may_invite(host, account) or await invitations.are_too_many(account.id):
                raise RequestRefused("cannot_invite")
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
        raise RequestRefused(error.code, longest=names.LONGEST) from None

"""What the database's other rows say about a table, so that it can be found without folding its log."""

from __future__ import annotations

from typing import Any

from splendor.server import log
from splendor.server.database.ledger import Change
from splendor.server.records import record_of
from splendor.server.table import OnlineTable

RESEATING = (log.Created, log.SatDown, log.Left, log.Started)


def change_of(table: OnlineTable, entries: list[log.Stored]) -> Change:
    """The change that stores these entries; the table has them already."""
    row: dict[str, Any] = {"version": table.version, "status": table.status, "updated": table.updated}
    if entries[0].version == 1:
        row |= {"is_public": table.made.public, "players": len(table.seats), "created": table.created}
    is_new_end = table.finished_version is not None and table.finished_version >= entries[0].version
    places: list[tuple[str, int]] = []
    if is_new_end:
        row |= {"finished": table.updated, "turns": table.turn}
        if table.result is not None:
            rated = is_rated(table)
            places = rated_places(table) if rated else []
            row |= {"reason": table.result.reason, "is_rated": rated, "record": record_of(table)}
    reseats = is_new_end or any(isinstance(stored.entry, RESEATING) for stored in entries)
    return Change(table.id, entries[0].version - 1, entries, row, seat_rows(table) if reseats else None, places)


def seat_rows(table: OnlineTable) -> list[dict[str, Any]]:
    """Who sits, or sat, where; with the result when there is one."""
    rows = []
    for number, seat in enumerate(table.seats):
        person = seat.player or seat.person
        rows.append(
            {
                "seat": number,
                "person": person.id if person else seat.invited,
                "label": seat.label if seat.kind == "device" else None,
                "place": table.result.places[number] if table.result else None,
                "points": table.result.points[number] if table.result else None,
            }
        )
    return rows


def is_rated(table: OnlineTable) -> bool:
    """A game counts if every seat had its own player, and nobody was replaced without having lost by it."""
    players = {seat.player.id for seat in table.seats if seat.player}
    is_whole = all(seat.forfeit or seat.person == seat.player for seat in table.seats)
    return len(players) == len(table.seats) and is_whole and table.turn >= len(table.seats)


def rated_places(table: OnlineTable) -> list[tuple[str, int]]:
    """The players and their places."""
    assert table.result is not None
    return [(s.player.id, place) for s, place in zip(table.seats, table.result.places, strict=True) if s.player]

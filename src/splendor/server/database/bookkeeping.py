"""What the database's other rows say about a table, so that it can be found without folding its log."""

from __future__ import annotations

from splendor.server.database.appending import Change
from splendor.server.database.schema import Columns
from splendor.server.tables import log, viewers
from splendor.server.tables.records import record_of
from splendor.server.tables.table import OnlineTable

RESEATING = (log.Created, log.SatDown, log.Left, log.Declined, log.Filled, log.Emptied, log.Started)


def change_of(table: OnlineTable, entries: list[log.Stored], due: float | None) -> Change:
    """The change that stores these entries; the table has them already. `due` is when it needs to be looked after."""
    row: Columns = {"version": table.version, "status": table.status, "updated": table.updated, "due": due}
    row |= {"sight": viewers.sight_among_people(table)}
    if entries[0].version == 1:
        row |= {"is_public": table.made.public, "players": len(table.seats), "created": table.created}
        row |= {"pairing": table.made.pairing}
    is_new_end = table.finished_version is not None and table.finished_version >= entries[0].version
    places: list[tuple[str, int]] = []
    if is_new_end:
        row |= {"finished": table.updated, "turns": table.turn}
        if table.result is not None:
            rated = is_rated(table)
            places = rated_places(table) if rated else []
            row |= {"reason": table.result.reason, "is_rated": rated, "is_counted": is_counted(table)}
            row |= {"record": record_of(table)}
    reseats = is_new_end or any(isinstance(stored.entry, RESEATING) for stored in entries)
    rows = seat_rows(table) if reseats else None
    return Change(table.id, entries[0].version - 1, entries, row, rows, places, against(table))


def seat_rows(table: OnlineTable) -> list[Columns]:
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
                "is_invited": person is None and seat.invited is not None,
                "has_aborted": number == table.aborted_by,
            }
        )
    return rows


def is_rated(table: OnlineTable) -> bool:
    """Does a game change ratings? It counts, and no computer has two seats either."""
    return is_counted(table) and len({seat.player.id for seat in table.seats if seat.player}) == len(table.seats)


def is_counted(table: OnlineTable) -> bool:
    """Does a game count? It was dealt, each person had one seat, and who was replaced has lost by it."""
    people = [seat.player.id for seat in table.seats if seat.player and not seat.player.level]
    computers = [seat for seat in table.seats if seat.player and seat.player.level]
    is_whole = all(seat.forfeit or seat.person == seat.player for seat in table.seats)
    is_own = len(set(people)) + len(computers) == len(table.seats)
    return table.made.position is None and is_own and is_whole and table.turn >= len(table.seats)


def against(table: OnlineTable) -> str:
    """Ratings among people and against computers are kept apart."""
    return "computers" if any(seat.player and seat.player.is_computer for seat in table.seats) else "people"


def rated_places(table: OnlineTable) -> list[tuple[str, int]]:
    """The players and their places."""
    assert table.result is not None
    return [(s.player.id, place) for s, place in zip(table.seats, table.result.places, strict=True) if s.player]

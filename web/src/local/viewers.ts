/** What the page is told about a table of this browser: the same messages as the server sends, and nothing more. */

import type { AnyEvent, Fairness, Seat, Table } from '../api/messages'
import { commitTo } from '../lib/nonce'
import { PROCEDURE } from '../lib/proof'
import { canAbort, canUndo } from './commands'
import type { Stored } from './log'
import type { LocalTable } from './table'

/** The seat through whose eyes the page looks: of several people at one device, that of whoever decides. */
function viewerOf(table: LocalTable): number | null {
  const own = table.own
  if (own.length === 1) return own[0]!
  return table.toMove !== null && own.includes(table.toMove) ? table.toMove : null
}

export function tableMessage(table: LocalTable, now: number): Table {
  const { made, own } = table
  const viewer = viewerOf(table)
  return {
    id: table.id,
    version: table.version,
    status: table.status,
    public: false,
    spectators: false,
    clock: made.clock,
    order: made.order,
    created: table.created,
    now,
    seats: table.seats.map((_, seat) => seatMessage(table, seat, now)),
    you: own,
    viewer,
    board: table.game.board(viewer),
    moves: table.status === 'live' ? table.game.offers(viewer) : [],
    can_undo: canUndo(table),
    can_abort: canAbort(table),
    offer: table.offer,
    result: table.result,
    fairness: fairnessMessage(table),
    rematch: table.rematch,
    pairing: null,
    is_host: false,
  }
}

function seatMessage(table: LocalTable, seat: number, now: number): Seat {
  const { kind, person, player, label, forfeit } = table.seats[seat]!
  const clock = table.secondsLeft(seat, now)
  return { seat, kind, person, player, label, clock, forfeit, absence: null, has_committed: false, has_revealed: false, owes_promise: false }
}

function fairnessMessage({ made, seats, order, isFinished }: LocalTable): Fairness | null {
  if (made.position !== null) return null
  const nobody = seats.map(() => null)
  return { procedure: PROCEDURE, commit: commitTo(made.secret), secret: isFinished ? made.secret : null, commits: nobody, nonces: nobody, order }
}

/** What happened after a version. */
export function eventsSince(table: LocalTable, since: number): AnyEvent[] {
  const viewer = table.own.length === 1 ? table.own[0]! : null
  return table.log.slice(since).map((stored) => eventMessage(table, stored, viewer))
}

function eventMessage(table: LocalTable, { version, at, entry }: Stored, viewer: number | null): AnyEvent {
  const when = { version, at }
  switch (entry.type) {
    case 'created':
      return { ...when, type: 'created' }
    case 'started':
      return { ...when, type: 'started', order: entry.order }
    case 'clocks_resumed':
      return { ...when, type: 'clocks_resumed' }
    case 'played': {
      const step = table.steps.get(version)!
      return { ...when, type: 'played', seat: step.seat, turn: step.turn, ...table.game.shown(step, viewer), ends_turn: step.endsTurn }
    }
    default:
      return { ...when, ...entry }
  }
}

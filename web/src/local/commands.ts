/** What people may do at a table of this browser, and what it leads to: from a command to the entries for the log. */

import type { ClientMessage, MoveForm } from '../api/messages'
import { Refused } from '../api/http'
import { IllegalMove, NotationError, parseMove } from '../../engine/index.ts'
import type { Entry } from './log'
import { endsGame, type LocalTable } from './table'

const ABORT_TURNS = 2 // a game may be aborted before this many turns
const SUBSTITUTE = 'journeyman' // the level that plays on for who is gone

const refuse = (code: string, params: Record<string, unknown> = {}): never => {
  throw new Refused({ code, params })
}

/** The entries that a command leads to; throws Refused. */
export function carryOut(table: LocalTable, command: ClientMessage, now: number): Entry[] {
  if (command.type !== 'rematch' && table.status !== 'live') refuse('game_over')
  switch (command.type) {
    case 'play':
      return play(table, command.move, command.turn ?? null, now)
    case 'resign':
      return resign(table, command.seat ?? null)
    case 'abort':
      return canAbort(table) ? [{ type: 'aborted', seat: table.own[0]!, reason: 'abort' }] : refuse('too_late_to_abort')
    case 'ask_takeback':
      return takeBack(table)
    default:
      return refuse('not_allowed')
  }
}

export const canAbort = (table: LocalTable): boolean => table.status === 'live' && table.turn < ABORT_TURNS

export function canUndo(table: LocalTable): boolean {
  const seat = table.takebackSeat
  return seat !== null && table.undoableTurns(seat) !== null
}

function play(table: LocalTable, move: string, turn: number | null, now: number): Entry[] {
  const seat = decidingSeat(table)
  if (turn !== null && turn !== table.turn) refuse('stale', { turn: table.turn })
  if (table.flagFalls !== null && now > table.flagFalls) refuse('out_of_time')
  checked(move, () => table.game.check(move))
  return [{ type: 'played', seat, move }]
}

/** The whole moves that begin with this one. */
export function consider(table: LocalTable, move: string): MoveForm[] {
  return checked(move, () => table.game.continuations(decidingSeat(table), move))
}

function checked<Answer>(move: string, ask: () => Answer): Answer {
  try {
    parseMove(move)
    return ask()
  } catch (error) {
    if (error instanceof NotationError) refuse('bad_notation', { column: error.column })
    if (error instanceof IllegalMove) refuse('illegal_move', { reason: error.code, ...error.params })
    throw error
  }
}

function decidingSeat(table: LocalTable): number {
  const seat = table.toMove
  return seat === null || !table.own.includes(seat) ? refuse('not_your_turn', { seat }) : seat
}

function resign(table: LocalTable, wanted: number | null): Entry[] {
  const seats = table.own.filter((seat) => !table.seats[seat]!.forfeit)
  if (wanted !== null && !seats.includes(wanted)) refuse('not_your_seat', { seat: wanted })
  const seat = wanted ?? (table.toMove !== null && seats.includes(table.toMove) ? table.toMove : seats[0]!)
  return forfeit(table, seat, 'resigned')
}

/** A player is out; in a game that goes on a computer takes the seat. */
export function forfeit(table: LocalTable, seat: number, reason: 'resigned' | 'time'): Entry[] {
  const after = table.seats.map((one, n) => (n === seat ? { ...one, forfeit: reason } : one))
  const out: Entry = { type: 'forfeited', seat, reason }
  return endsGame(after) ? [out] : [out, { type: 'replaced', seat, level: SUBSTITUTE }]
}

function takeBack(table: LocalTable): Entry[] {
  const seat = table.takebackSeat
  const turns = seat === null ? null : table.undoableTurns(seat)
  return turns === null ? refuse('nothing_to_take_back') : [{ type: 'took_back', turns }]
}

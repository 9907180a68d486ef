/**
 * Choosing a move step by step: the list of legal moves, narrowed by what has been chosen so far.
 * No rule is known here; whatever the list allows can be chosen.
 */

import type { Color, MoveForm } from '../api/messages'
import { COLORS, count, type SomeTokens } from '../lib/colors'

export type Selection =
  | { kind: 'none' }
  | { kind: 'take'; tokens: SomeTokens }
  | { kind: 'card'; card: number }
  | { kind: 'deck'; level: number }
  | { kind: 'return'; tokens: SomeTokens }

export const NOTHING: Selection = { kind: 'none' }

const holds = (whole: SomeTokens, part: SomeTokens): boolean =>
  COLORS.every((color) => (part[color] ?? 0) <= (whole[color] ?? 0))

export const same = (a: SomeTokens, b: SomeTokens): boolean => holds(a, b) && holds(b, a)

export function plus(tokens: SomeTokens, color: Color, n = 1): SomeTokens {
  const sum = { ...tokens, [color]: (tokens[color] ?? 0) + n }
  if (sum[color] === 0) delete sum[color]
  return sum
}

/** The moves that what has been chosen can still become. */
export function candidates(moves: MoveForm[], selection: Selection): MoveForm[] {
  switch (selection.kind) {
    case 'none':
      return moves
    case 'take':
      return moves.filter((move) => move.kind === 'take' && move.taken && holds(move.taken, selection.tokens))
    case 'card':
      return moves.filter((move) => move.card === selection.card)
    case 'deck':
      return moves.filter((move) => move.kind === 'draw' && move.level === selection.level)
    case 'return':
      return moves.filter((move) => move.returned && holds(move.returned, selection.tokens))
  }
}

const chosen = (selection: Selection): SomeTokens => (selection.kind === 'take' ? selection.tokens : {})

/** Can one more token of this color be chosen? Beginning to take replaces a chosen card. */
export const canTake = (moves: MoveForm[], selection: Selection, color: Color): boolean =>
  candidates(moves, { kind: 'take', tokens: plus(chosen(selection), color) }).length > 0

/** One more token of the color; if there can be no more of it, those chosen go back. */
export function tapToken(moves: MoveForm[], selection: Selection, color: Color): Selection {
  const tokens = chosen(selection)
  if (canTake(moves, selection, color)) return { kind: 'take', tokens: plus(tokens, color) }
  const held = tokens[color] ?? 0
  if (held > 0) {
    const rest = plus(tokens, color, -held)
    return count(rest) > 0 ? { kind: 'take', tokens: rest } : NOTHING
  }
  const alone: Selection = { kind: 'take', tokens: { [color]: 1 } }
  return candidates(moves, alone).length > 0 ? alone : selection
}

/** The move that is exactly what has been chosen, if it is whole. */
export function complete(moves: MoveForm[], selection: Selection): MoveForm | null {
  if (selection.kind === 'take') {
    return moves.find((move) => move.kind === 'take' && move.taken && same(move.taken, selection.tokens)) ?? null
  }
  if (selection.kind === 'return') return moves.find((move) => move.kind === 'finish' && same(move.returned ?? {}, selection.tokens)) ?? null
  if (selection.kind === 'deck') return candidates(moves, selection)[0] ?? null
  return null
}

/** Could a whole choice still grow? "ww" is whole; "w" may become "ww" or "wug". */
export const canGrow = (moves: MoveForm[], selection: Selection): boolean =>
  selection.kind === 'take' &&
  candidates(moves, selection).some((move) => count(move.taken) > count(selection.tokens))

/** Every way to buy the card, the usual one first. */
export const purchases = (moves: MoveForm[], card: number): MoveForm[] =>
  moves.filter((move) => move.kind === 'buy' && move.card === card)

export const reservation = (moves: MoveForm[], card: number): MoveForm | null =>
  moves.find((move) => move.kind === 'reserve' && move.card === card) ?? null

/** One more token of the color goes back; if there can be no more of it, those chosen stay. */
export function tapReturn(moves: MoveForm[], selection: Selection, color: Color): Selection {
  const returned = selection.kind === 'return' ? selection.tokens : {}
  const more: Selection = { kind: 'return', tokens: plus(returned, color) }
  if (candidates(moves, more).length > 0) return more
  const rest = plus(returned, color, -(returned[color] ?? 0))
  return count(rest) > 0 ? { kind: 'return', tokens: rest } : NOTHING
}

/** How many tokens the turn asks back. */
export const owed = (moves: MoveForm[]): number => count(moves.find((move) => move.returned)?.returned)

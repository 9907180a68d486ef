/** From whole turns in numbers to moves, and back: see `game/moves.py`. What is legal is asked of the rules. */

import { ACTION, PHASE, TABLE, TAKEN, TURNS } from './layout.ts'
import { formatMove, type Move } from './notation.ts'
import type { Address } from './module.ts'
import { type Reason, reasonAgainst } from './refusals.ts'
import type { Rules, Turn } from './rules.ts'
import { type State, stateOf } from './state.ts'

/** A move that the rules do not allow now; the message says why, and so do `code` and `params`. Nothing has changed. */
export class IllegalMove extends Error {
  readonly code: string
  readonly params: Record<string, unknown>

  constructor(reason: Reason | string) {
    super(typeof reason === 'string' ? reason : reason.sentence)
    this.name = 'IllegalMove'
    this.code = typeof reason === 'string' ? 'illegal_move' : reason.code
    this.params = typeof reason === 'string' ? {} : reason.params
  }
}

/** The move that begins with this action; a buy pays with as little gold as possible. */
export function moveOfAction(rules: Rules, state: Address, action: number): Move {
  if (action < ACTION.RESERVE_MARKET) return { kind: 'take', taken: [...TAKEN[action]!, 0] }
  if (action < ACTION.RESERVE_DECK) return { kind: 'reserve', card: rules.get(state, 'market', action - ACTION.RESERVE_MARKET) + 1 }
  if (action < ACTION.BUY_MARKET) return { kind: 'draw', level: action - ACTION.RESERVE_DECK + 1 }
  if (action < ACTION.PASS) return { kind: 'buy', card: rules.cardForSale(state, action) + 1 }
  return { kind: 'pass' }
}

/** The move with one more decision: the action it begins with, a return, or the choice of a noble. */
export function withDecision(rules: Rules, state: Address, move: Move, action: number): Move {
  if (action < ACTION.RETURN_TOKEN) return moveOfAction(rules, state, action)
  if (action >= ACTION.CHOOSE_NOBLE) return { ...move, noble: rules.get(state, 'nobles', action - ACTION.CHOOSE_NOBLE) + 1 }
  const returned = [...(move.returned ?? Array<number>(TABLE.GOLD + 1).fill(0))]
  returned[action - ACTION.RETURN_TOKEN]! += 1
  return { ...move, returned }
}

function moveOfTurn(rules: Rules, state: Address, turn: Turn): Move {
  const move: Move = turn.action === TURNS.no_action ? { kind: 'finish' } : moveOfAction(rules, state, turn.action)
  if (turn.payment) move.payment = turn.payment
  if (turn.returned.some((count) => count)) move.returned = turn.returned
  if (turn.noble !== TABLE.NO_NOBLE) move.noble = turn.noble + 1
  return move
}

/** All legal moves, each with its turn, by their text. */
export function legalMoves(rules: Rules, state: Address): Map<string, { move: Move; turn: Turn }> {
  const turns = rules.legalTurns(state)
  return new Map(
    turns.map((turn) => {
      const move = moveOfTurn(rules, state, turn)
      return [formatMove(move), { move, turn }]
    }),
  )
}

/** Play a legal turn. */
export function playTurn(rules: Rules, state: Address, turn: Turn): void {
  if (turn.payment) rules.applyPaying(state, turn.action, turn.payment)
  else if (turn.action !== TURNS.no_action) rules.apply(state, turn.action)
  turn.returned.forEach((count, color) => {
    for (let n = 0; n < count; n++) rules.apply(state, ACTION.RETURN_TOKEN + color)
  })
  if (turn.noble !== TABLE.NO_NOBLE) rules.apply(state, ACTION.CHOOSE_NOBLE + rules.field(state, 'nobles').indexOf(turn.noble))
}

/** All ends of a turn of which this much has been played, as whole moves; before one has begun, all legal moves. */
export function completions(rules: Rules, state: State, begun: Move): Move[] {
  const ends = rules.withState(state.bytes, (at) => Array.from(legalMoves(rules, at).values(), ({ move }) => move))
  return ends.map((end) => (end.kind === 'finish' ? joined(begun, end) : end))
}

/** A move and the rest of the same turn. */
export function joined(begun: Move, { returned, noble }: Move): Move {
  const move = { ...begun }
  if (returned) move.returned = returned.map((count, color) => count + (begun.returned?.[color] ?? 0))
  if (noble !== undefined) move.noble = noble
  return move
}

/** A turn of which the action has been played. */
export interface Begun {
  action: number // or TURNS.no_action, when the turn began earlier
  move: Move // the action, as the list of legal moves writes it
  after: State
}

/** Play the action of a move, as it pays for it, and nothing that follows; throws IllegalMove. */
export function begin(rules: Rules, state: State, wished: Move): Begun {
  const { kind, taken, card, level, payment } = wished
  const phase = state.phase[0]!
  const refuse = (): never => {
    throw new IllegalMove(reasonAgainst(rules, state, wished, false))
  }
  if (kind === 'finish') {
    if (phase !== PHASE.RETURN && phase !== PHASE.NOBLE) refuse()
    return { action: TURNS.no_action, move: { kind }, after: state }
  }
  const wanted: Move = { kind, ...(taken && { taken }), ...(card !== undefined && { card }), ...(level !== undefined && { level }) }
  const text = formatMove(wanted)
  return rules.withState(state.bytes, (at) => {
    const action = phase === PHASE.ACT ? rules.legalActions(at).find((one) => formatMove(moveOfAction(rules, at, one)) === text) : undefined
    if (action === undefined) return refuse()
    const move = moveOfAction(rules, at, action)
    if (!payment) rules.apply(at, action)
    else {
      if (kind !== 'buy' || !rules.isExactPayment(at, card! - 1, payment)) return refuse()
      const isDefault = rules.leastGoldPayment(at, card! - 1).every((count, color) => count === payment[color])
      if (!isDefault) move.payment = payment
      rules.applyPaying(at, action, payment)
    }
    return { action, move, after: stateOf(rules.read(at)) }
  })
}

/**
 * Why a move is refused: a sentence that teaches the rule, with a code and parameters to say it in any language. The twin
 * of the Python package's `game/refusals`: the rules have already said no, here the position is only looked at.
 */

import { ACTION, COLORS, LIMITS, PHASE, TABLE, TAKEN } from './layout.ts'
import type { Address } from './module.ts'
import { formatMove, type Move, type Tokens } from './notation.ts'
import type { Rules } from './rules.ts'
import { ofSeat, type State, stateOf } from './state.ts'

const { CARDS, GOLD, LEVELS, NO_CARD, NO_NOBLE, NOBODY, RESERVE_LIMIT, TABLE_NOBLES } = TABLE

export interface Reason {
  sentence: string
  code: string
  params: Record<string, unknown>
}

const because = (sentence: string, code: string, params: Record<string, unknown> = {}): Reason => ({ sentence, code, params })
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** A number with its noun. */
const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Why this move cannot be played: as a whole turn or the rest of one, or its action alone. */
export function reasonAgainst(rules: Rules, state: State, move: Move, isWhole: boolean): Reason {
  const after = stateOf(state.bytes)
  /** Plays a decision if it is legal. */
  const played = (action: number, payment?: Tokens): boolean =>
    rules.withState(after.bytes, (at) => {
      if (!rules.isLegal(at, action)) return false
      if (payment) rules.applyPaying(at, action, payment)
      else rules.apply(at, action)
      after.bytes.set(rules.read(at))
      return true
    })
  if (move.kind === 'finish') {
    if (!isUnfinished(state)) return nothingToFinish(state)
  } else {
    const action = actionOf(state, move)
    if (action === null || !rules.withState(state.bytes, (at) => rules.isLegal(at, action))) return illegalAction(rules, state, move)
    if (move.payment && move.kind !== 'buy') return because('only a card that is bought is paid for', 'illegal_move')
    if (move.payment && !rules.withState(state.bytes, (at) => rules.isExactPayment(at, move.card! - 1, move.payment!))) return wrongPayment(rules, state, move.card!, move.payment)
    played(action, move.payment)
  }
  for (const [color, times] of (move.returned ?? []).entries()) {
    for (let n = 0; n < times; n++) if (!played(ACTION.RETURN_TOKEN + color)) return illegalDecision(rules, after, ACTION.RETURN_TOKEN + color)
  }
  if (move.noble !== undefined) {
    const place = after.nobles.indexOf(move.noble - 1)
    if (place < 0) return because(`noble ${move.noble} is not on the table`, 'noble_not_there', { noble: move.noble })
    const cameByItself = after.noble_seat[place] !== state.noble_seat[place]
    if (!cameByItself && !played(ACTION.CHOOSE_NOBLE + place)) return illegalDecision(rules, after, ACTION.CHOOSE_NOBLE + place)
  }
  if (isWhole && isUnfinished(after)) return unfinished(rules, after)
  return because(`${formatMove(move) || 'this'} is not legal now`, 'illegal_move')
}

const isUnfinished = ({ phase }: State): boolean => phase[0] === PHASE.RETURN || phase[0] === PHASE.NOBLE
const isOver = ({ phase }: State): boolean => phase[0]! > PHASE.NOBLE
const hand = (state: State): number[] => ofSeat(state.reserved, state.seat[0]!, RESERVE_LIMIT)
const tokens = (state: State): number[] => ofSeat(state.tokens, state.seat[0]!, GOLD + 1)

/** The number of the action that a move begins with; null if the table has no such card or tokens. */
function actionOf(state: State, { kind, taken = [], card, level }: Move): number | null {
  const placeOf = (cards: ArrayLike<number>, first: number): number | null => {
    const place = card === undefined || card > CARDS ? -1 : Array.from(cards).indexOf(card - 1)
    return place < 0 ? null : first + place
  }
  if (kind === 'take') {
    const found = taken[GOLD] ? -1 : TAKEN.findIndex((row) => row.every((times, color) => times === taken[color]))
    return found < 0 ? null : found
  }
  if (kind === 'reserve') return placeOf(state.market, ACTION.RESERVE_MARKET)
  if (kind === 'draw') return level! >= 1 && level! <= LEVELS ? ACTION.RESERVE_DECK + level! - 1 : null
  if (kind === 'buy') return placeOf(state.market, ACTION.BUY_MARKET) ?? placeOf(hand(state), ACTION.BUY_RESERVED)
  return ACTION.PASS
}

function illegalAction(rules: Rules, state: State, move: Move): Reason {
  if (isOver(state)) return gameOver()
  if (state.phase[0] !== PHASE.ACT) return unfinished(rules, state)
  if (move.kind === 'take') return illegalTake(state, move.taken!)
  if (move.kind === 'reserve' || move.kind === 'draw') return illegalReserve(state, move)
  if (move.kind === 'buy') return illegalBuy(rules, state, move.card)
  return because('passing is allowed only when no other action is possible', 'pass_not_allowed')
}

const gameOver = (): Reason => because('the game is over', 'game_over')

function illegalTake(state: State, taken: Tokens): Reason {
  if (taken[GOLD]) return because('gold cannot be taken; it comes with a reserved card', 'gold_cannot_be_taken')
  const gems = Array.from({ length: GOLD }, (_, color) => color)
  const colors = gems.filter((color) => taken[color])
  const missing = colors.filter((color) => state.bank[color] === 0).map((color) => COLORS[color]!)
  if (missing.length) return because(`the bank has no ${missing.join(' or ')} token left`, 'pile_empty', { colors: missing })
  const needed = LIMITS.PAIR_PILE
  if (colors.length === 1 && sum(taken) === 2) {
    const [held, color] = [state.bank[colors[0]!]!, COLORS[colors[0]!]!]
    return because(`the ${color} pile holds ${count(held, 'token')}; taking two needs ${needed}`, 'pile_too_small', { color, held, needed })
  }
  const inBank = gems.filter((color) => state.bank[color]).length
  if (!inBank) return because('the bank has no gem tokens left to take', 'bank_empty')
  const most = Math.min(3, inBank)
  return because(`take one token each of ${count(most, 'different color')}, or two of one color from a pile of ${needed} or more`, 'wrong_take', { colors: most, pile: needed })
}

function illegalReserve(state: State, { kind, card, level }: Move): Reason {
  const seat = state.seat[0]!
  if (!hand(state).includes(NO_CARD)) return because(`seat ${seat} already has ${RESERVE_LIMIT} reserved cards`, 'hand_full', { seat, limit: RESERVE_LIMIT })
  if (kind === 'reserve' && card !== undefined && card <= CARDS) return because(`card ${card} is not face up on the market`, 'not_on_market', { card })
  if (kind === 'reserve') return because('that slot of the market is empty', 'slot_empty')
  if (level! >= 1 && level! <= LEVELS) return because(`the level ${level} deck is empty`, 'deck_empty', { level })
  return because('there are decks 1, 2 and 3', 'no_such_deck')
}

function illegalBuy(rules: Rules, state: State, card: number | undefined): Reason {
  const seat = state.seat[0]!
  if (card === undefined || card > CARDS) return because('there is no card in that place', 'slot_empty')
  if (![...state.market, ...hand(state)].includes(card - 1)) {
    return because(`card ${card} is neither on the market nor among the reserved cards of seat ${seat}`, 'not_for_sale', { card, seat })
  }
  const price = priceOf(rules, state, card)
  const lacking = rules.withState(state.bytes, (at) => rules.missing(at, seat, [card - 1]))[0]!.tokens
  const short = sum(lacking) - tokens(state)[GOLD]!
  return because(`card ${card} costs ${listed(price)} after bonuses; seat ${seat} is ${count(short, 'token')} short`, 'too_expensive', { card, seat, price, short })
}

function wrongPayment(rules: Rules, state: State, card: number, payment: Tokens): Reason {
  const seat = state.seat[0]!
  for (const [number, held] of tokens(state).entries()) {
    const color = COLORS[number]!
    if (payment[number]! > held) return because(`seat ${seat} has ${count(held, `${color} token`)}`, 'tokens_lacking', { seat, color, held })
  }
  const price = priceOf(rules, state, card)
  return because(`card ${card} costs ${listed(price)} after bonuses; the payment must be exact, gold standing for any color`, 'wrong_payment', { card, price })
}

/** What the turn still asks for. */
function unfinished(rules: Rules, state: State): Reason {
  const seat = state.seat[0]!
  if (state.phase[0] === PHASE.RETURN) {
    const held = sum(tokens(state))
    const excess = held - LIMITS.HAND_LIMIT
    return because(`seat ${seat} holds ${count(held, 'token')} and must return exactly ${excess}`, 'must_return', { seat, held, excess })
  }
  const canCome = (at: Address, place: number): boolean => rules.isLegal(at, ACTION.CHOOSE_NOBLE + place)
  const places = Array.from({ length: TABLE_NOBLES }, (_, place) => place)
  const nobles = rules.withState(state.bytes, (at) => places.filter((place) => canCome(at, place))).map((place) => state.nobles[place]! + 1)
  return because(`seat ${seat} must choose one of the nobles ${nobles.join(', ')}`, 'must_choose_noble', { seat, nobles })
}

function nothingToFinish(state: State): Reason {
  if (isOver(state)) return gameOver()
  const seat = state.seat[0]!
  return because(`seat ${seat} has no tokens to return and no noble to choose; a turn begins with an action`, 'nothing_to_finish', { seat })
}

/** Why a return or a choice of a noble is not possible now. */
function illegalDecision(rules: Rules, state: State, action: number): Reason {
  const seat = state.seat[0]!
  const isReturning = state.phase[0] === PHASE.RETURN
  if (action < ACTION.CHOOSE_NOBLE && isReturning) {
    const color = COLORS[action - ACTION.RETURN_TOKEN]!
    return because(`seat ${seat} has no ${color} token left to return`, 'nothing_to_return', { seat, color })
  }
  if (action < ACTION.CHOOSE_NOBLE) {
    return because(`tokens are returned only down to ${LIMITS.HAND_LIMIT}, never below`, 'too_many_returned', { limit: LIMITS.HAND_LIMIT })
  }
  if (isReturning) return unfinished(rules, state)
  const place = action - ACTION.CHOOSE_NOBLE
  const [noble, owner] = [state.nobles[place]! + 1, state.noble_seat[place]!]
  if (noble - 1 === NO_NOBLE) return because('there is no noble in that place', 'no_noble_there')
  if (owner !== NOBODY) return because(`noble ${noble} has gone to seat ${owner}`, 'noble_gone', { noble, seat: owner })
  if (state.phase[0] === PHASE.NOBLE) return because(`the bonuses of seat ${seat} do not reach noble ${noble}`, 'noble_out_of_reach', { noble, seat })
  return because('a noble is chosen only at the end of a turn in which several could come', 'no_noble_choice')
}

/** What a card costs the seat that decides, after its bonuses, by color: what it would lack without a token. */
function priceOf(rules: Rules, state: State, card: number): number[] {
  const seat = state.seat[0]!
  const bare = stateOf(state.bytes)
  bare.tokens.fill(0, (GOLD + 1) * seat, (GOLD + 1) * (seat + 1))
  return rules.withState(bare.bytes, (at) => rules.missing(at, seat, [card - 1]))[0]!.tokens
}

/** Tokens in words. */
const listed = (price: number[]): string => price.flatMap((n, color) => (n ? [`${n} ${COLORS[color]}`] : [])).join(', ') || 'nothing'

/** Can this position exist? For positions that come from outside: the twin of the Python package's `notation/checks`. */

import { CARDS_IN_LEVEL, COLORS, FIRST_CARD, LIMITS, PHASE, TABLE } from './layout.ts'
import type { Rules } from './rules.ts'
import { boughtCards, deckOf, ofSeat, type State } from './state.ts'

// The fields of a position's text.
const [ROUND, PHASE_FIELD, PASSES, BANK, MARKET, DECKS, NOBLES, FIRST_SEAT] = [2, 4, 5, 6, 7, 8, 9, 10] as const
const { CARDS, GOLD, LEVELS, NO_CARD, RESERVE_LIMIT, SLOTS, UNSEEN } = TABLE

type Problem = [number, string]

/** The first thing that is impossible about a position, or null. */
export function problemWith(state: State, rules: Rules): Problem | null {
  return rules.withState(state.bytes, (at) => {
    for (const check of [tokensAreConserved, handsAreInLimits, cardsAreInOnePlace, noblesDiffer, turnFits]) {
      for (const problem of check(state, rules, at)) return problem
    }
    return null
  })
}

type Check = (state: State, rules: Rules, at: number) => Iterable<Problem>
const seatsOf = (state: State): number[] => Array.from({ length: state.players[0]! }, (_, seat) => seat)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const tokensAreConserved: Check = function* (state) {
  const players = state.players[0]!
  for (let color = 0; color <= GOLD; color++) {
    const total = color === GOLD ? LIMITS.GOLD_TOKENS : LIMITS.GEM_TOKENS[players]!
    const held = Array.from({ length: TABLE.MAX_PLAYERS }, (_, seat) => state.tokens[(GOLD + 1) * seat + color]!)
    const there = state.bank[color]! + sum(held)
    if (there !== total) yield [BANK, `with ${players} players there are ${total} ${COLORS[color]} tokens; here are ${there}`]
  }
}

const handsAreInLimits: Check = function* (state) {
  const limit = LIMITS.HAND_LIMIT
  for (const seat of seatsOf(state)) {
    const held = sum(ofSeat(state.tokens, seat, GOLD + 1))
    if (state.phase[0] === PHASE.RETURN && seat === state.seat[0]) {
      if (held <= limit || held > limit + 3) yield [FIRST_SEAT + seat, `seat ${seat} is to return tokens but holds ${held}`]
    } else if (held > limit) {
      yield [FIRST_SEAT + seat, `seat ${seat} holds ${held} tokens; between turns the limit is ${limit}`]
    }
  }
}

/** Every card lies in exactly one place; the places a viewer cannot see hold what is left over. */
const cardsAreInOnePlace: Check = function* (state) {
  const seen = new Set<number>()
  const unseen = Array<number>(LEVELS).fill(0)
  function* lay(cards: Iterable<number>, field: number): Generator<Problem> {
    for (const card of cards) {
      if (card < CARDS) {
        if (seen.has(card)) yield [field, `card ${card + 1} is in two places`]
        seen.add(card)
      } else if (card !== NO_CARD) unseen[card - UNSEEN]! += 1
    }
  }
  yield* lay(state.market, MARKET)
  for (let level = 0; level < LEVELS; level++) yield* lay(deckOf(state, level).reverse(), DECKS)
  for (const seat of seatsOf(state)) {
    yield* lay(ofSeat(state.reserved, seat, RESERVE_LIMIT), FIRST_SEAT + seat)
    yield* lay(boughtCards(state, seat), FIRST_SEAT + seat)
  }
  for (let level = 0; level < LEVELS; level++) {
    const [first, count, hidden] = [FIRST_CARD[level]!, CARDS_IN_LEVEL[level]!, unseen[level]!]
    const missing = Array.from({ length: count }, (_, n) => first + n).filter((card) => !seen.has(card))
    if (missing.length > hidden) {
      const names = hidden ? `${missing.length} of level ${level + 1}` : missing.map((card) => card + 1).join(', ')
      yield [DECKS, `cards are missing: ${names}`]
    }
    if (missing.length < hidden) yield [DECKS, `level ${level + 1} has ${count} cards; here are ${count + hidden - missing.length}`]
    if (state.deck_size[level] && state.market.subarray(SLOTS * level, SLOTS * (level + 1)).includes(NO_CARD)) {
      yield [MARKET, `a slot of level ${level + 1} is empty although its deck is not`]
    }
  }
}

const noblesDiffer: Check = function* (state, rules, at) {
  const nobles = Array.from(state.nobles.subarray(0, state.players[0]! + 1), (noble) => noble + 1)
  for (const noble of nobles) {
    if (nobles.filter((other) => other === noble).length > 1) yield [NOBLES, `noble ${noble} is there twice`]
  }
  for (const [place, noble] of nobles.entries()) {
    const seat = state.noble_seat[place]!
    if (seat >= 0 && !rules.module.call.has_bonuses_for!(at, seat, place)) {
      yield [NOBLES, `seat ${seat} cannot have received noble ${noble}: its bonuses do not reach`]
    }
  }
}

/** The phase, and the end of the game, agree with the rest. */
const turnFits: Check = function* (state, rules, at) {
  const [phase, players, seat] = [state.phase[0]!, state.players[0]!, state.seat[0]!]
  const [cap, round, passes] = [state.round_cap[0]!, state.round_number[0]!, state.passes[0]!]
  const isLastSeat = (seat + 1) % players === state.first[0]
  const hasTrigger = rules.module.call.has_trigger!(at) !== 0
  const points = LIMITS.WINNING_POINTS
  if (cap && round > cap) yield [ROUND, `round ${round} is beyond the cap of ${cap}`]
  if (phase === PHASE.ENDED_BY_POINTS && !(hasTrigger && isLastSeat)) {
    yield [PHASE_FIELD, `no player has ${points} points at the end of a round; the game is not over`]
  }
  if (phase === PHASE.ENDED_BY_STALEMATE && passes !== players) yield [PASSES, 'a stalemate needs a pass by every player in succession']
  if (phase === PHASE.ENDED_BY_CAP && !(round === cap && isLastSeat)) yield [PHASE_FIELD, 'the cap on rounds has not been reached']
  if (phase <= PHASE.NOBLE && passes >= players) yield [PASSES, 'every player has passed; the game would be over']
  if (phase === PHASE.ACT && seat === state.first[0] && hasTrigger) {
    yield [PHASE_FIELD, `a player had ${points} points when the last round ended; the game would be over`]
  }
  if (phase === PHASE.NOBLE && countBits(rules.module.call.visiting_nobles!(at, seat)) < 2) yield [PHASE_FIELD, `seat ${seat} has no choice between nobles`]
}

const countBits = (bits: number): number => [...bits.toString(2)].filter((bit) => bit === '1').length

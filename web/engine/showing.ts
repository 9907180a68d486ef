/**
 * From a state to what a viewer is shown: the board, the moves, what moved, and how it ended. The twin of the Python
 * package's `game/showing`; what comes out is what the server sends. Everything goes through `seenBy`.
 */

import type { BoardView, CardMoved, Color, Hand, MoveForm, Movement, NobleMoved, Place, ReservedCard, Result, ShownCard, ShownNoble, Tokens as NamedTokens } from '../src/api/messages.ts'
import { CARD_FACES, gems, named, NOBLE_TILES } from './box.ts'
import { CARD_LEVEL, COLORS, NOBLE_COST, PHASE, PHASES, TABLE } from './layout.ts'
import { begin, completions, moveOfAction } from './moves.ts'
import { formatMove, formatPosition, type Move, type Tokens } from './notation.ts'
import { type Rules, SPECTATOR } from './rules.ts'
import { boughtCards, ofSeat, type State, stateOf } from './state.ts'

const { GOLD, LEVELS, NO_CARD, NO_NOBLE, NOBODY, RESERVE_LIMIT, SLOTS, UNSEEN } = TABLE

/** A seat; null for a spectator; `all` for whom nothing in a hand is hidden: a replay, when the game is over. */
export type Viewer = number | null | 'all'
/** For each card what is missing by color, and whether it can be bought. */
type Lacks = Map<number, { tokens: number[]; canBuy: boolean }>
type Some = Partial<Record<Color, number>>
type Asked = 'return' | 'noble'

/** The state as a viewer may know it. */
export function seenBy(rules: Rules, state: State, viewer: Viewer): State {
  if (viewer === 'all') return state
  const bytes = rules.withState(state.bytes, (at) => {
    rules.hide(at, viewer ?? SPECTATOR)
    return rules.read(at)
  })
  return stateOf(bytes)
}

const allTokens = (counts: readonly number[]): NamedTokens => named(counts)
/** Only those that there are; of any sign. */
const someTokens = (counts: readonly number[]): Some => Object.fromEntries(counts.flatMap((count, color) => (count ? [[COLORS[color]!, count]] : []))) as Some
const someOrNone = (counts: readonly number[] | undefined): Some | null => (counts?.some((count) => count) ? someTokens(counts) : null)

// ----------------------------------------------------------------------------------------- the board

/** The board for one viewer, after `turn` turns; with open hands it may be turned to a seat, the `asker`. */
export function boardView(rules: Rules, state: State, viewer: Viewer, turn: number, asker: number | null = null): BoardView {
  const seen = seenBy(rules, state, viewer)
  if (viewer !== 'all') asker = viewer
  const lacks = whatIsMissing(rules, seen, asker)
  const market = Array.from(seen.market, (card) => (card === NO_CARD ? null : shownCard(card, lacks.get(card))))
  const [players, phase] = [seen.players[0]!, seen.phase[0]!]
  return {
    position: formatPosition(seen),
    viewer: asker,
    players,
    seat: seen.seat[0]!,
    round: seen.round_number[0]!,
    turn,
    phase: PHASES[phase]!,
    is_last_round: rules.withState(seen.bytes, (at) => rules.module.call.has_trigger!(at) !== 0),
    is_over: phase > PHASE.NOBLE,
    bank: allTokens(Array.from(seen.bank)),
    market: Array.from({ length: LEVELS }, (_, level) => market.slice(SLOTS * level, SLOTS * (level + 1))),
    decks: Array.from(seen.deck_size),
    nobles: Array.from({ length: players + 1 }, (_, place) => shownNoble(seen, place, asker)),
    hands: Array.from({ length: players }, (_, seat) => handOf(seen, seat, seat === asker ? lacks : new Map())),
  }
}

/** What a seat lacks for the cards it could buy: those on the market and its own reserved ones. */
function whatIsMissing(rules: Rules, seen: State, seat: number | null): Lacks {
  if (seat === null) return new Map()
  const cards = [...seen.market, ...ofSeat(seen.reserved, seat, RESERVE_LIMIT)].filter((card) => card < UNSEEN)
  const lacking = rules.withState(seen.bytes, (at) => rules.missing(at, seat, cards))
  return new Map(cards.map((card, n) => [card, lacking[n]!]))
}

function shownCard(card: number, lacks: ReturnType<Lacks['get']>): ShownCard {
  const hidden = { id: null, level: card - UNSEEN + 1, points: null, bonus: null, cost: null, missing: null, gold: null, affordable: false }
  if (card >= UNSEEN) return hidden
  const face = CARD_FACES[card]!
  if (!lacks) return { ...face, missing: null, gold: null, affordable: false }
  const gold = lacks.tokens.reduce((sum, count) => sum + count, 0)
  return { ...face, missing: gems(lacks.tokens), gold: lacks.canBuy ? gold : null, affordable: lacks.canBuy }
}

function shownNoble(seen: State, place: number, seat: number | null): ShownNoble {
  const [noble, owner] = [seen.nobles[place]!, seen.noble_seat[place]!]
  const has = seat === null ? null : ofSeat(seen.bonuses, seat, GOLD)
  const missing = has && gems(NOBLE_COST[noble]!.map((asked, color) => Math.max(asked - has[color]!, 0)))
  return { ...NOBLE_TILES[noble]!, seat: owner === NOBODY ? null : owner, missing }
}

/** What lies before a seat; what is missing for its reserved cards is said to the viewer's own only. */
function handOf(seen: State, seat: number, lacks: Lacks): Hand {
  const fromDeck = ofSeat(seen.from_deck, seat, RESERVE_LIMIT)
  const reserved = ofSeat(seen.reserved, seat, RESERVE_LIMIT)
  return {
    tokens: allTokens(ofSeat(seen.tokens, seat, GOLD + 1)),
    bonuses: gems(ofSeat(seen.bonuses, seat, GOLD)),
    points: seen.points[seat]!,
    bought: boughtCards(seen, seat).map((card) => CARD_FACES[card]!),
    reserved: reserved.flatMap((card, n): ReservedCard[] => (card === NO_CARD ? [] : [{ ...shownCard(card, lacks.get(card)), from_deck: fromDeck[n] === 1 }])),
    nobles: Array.from(seen.nobles).flatMap((noble, place) => (noble !== NO_NOBLE && seen.noble_seat[place] === seat ? [noble + 1] : [])),
  }
}

// ----------------------------------------------------------------------------------------- the moves

/** A move taken apart; `state` is the one it is played on. */
export function moveForm(rules: Rules, state: State, move: Move, then: Asked | null = null): MoveForm {
  const payment = move.kind === 'buy' ? (move.payment ?? defaultPayment(rules, state, move.card!)) : null
  return {
    text: formatMove(move),
    kind: move.kind,
    taken: someOrNone(move.taken),
    card: move.card ?? null,
    level: move.level ?? null,
    payment: payment && someTokens(payment),
    returned: someOrNone(move.returned),
    noble: move.noble ?? null,
    then,
  }
}

const defaultPayment = (rules: Rules, state: State, card: number): Tokens => rules.withState(state.bytes, (at) => rules.leastGoldPayment(at, card - 1))
const ASKS_FOR: Partial<Record<number, Asked>> = { [PHASE.RETURN]: 'return', [PHASE.NOBLE]: 'noble' }

/**
 * What the viewer may play now: each action with each way to pay, or each way to finish the turn. Returns and nobles
 * are not multiplied into the actions; `then` says where one of them follows.
 */
export function offeredMoves(rules: Rules, state: State, viewer: number | null): MoveForm[] {
  if (viewer === null || viewer !== state.seat[0] || state.phase[0]! > PHASE.NOBLE) return []
  const seen = seenBy(rules, state, viewer)
  if (seen.phase[0] !== PHASE.ACT) return completions(rules, seen, { kind: 'finish' }).map((move) => moveForm(rules, seen, move))
  const decisions = rules.withState(seen.bytes, (at) =>
    rules.decisions(at).map(({ action, phase }) => {
      const move = moveOfAction(rules, at, action)
      const others = move.kind === 'buy' ? rules.payments(at, action).slice(1) : []
      return { moves: [move, ...others.map((payment): Move => ({ ...move, payment }))], then: ASKS_FOR[phase] ?? null }
    }),
  )
  return decisions.flatMap(({ moves, then }) => moves.map((move) => moveForm(rules, seen, move, then)))
}

/** Every whole move that begins with this action; throws IllegalMove if it cannot be played. */
export function continuations(rules: Rules, state: State, viewer: number, wanted: Move): MoveForm[] {
  const seen = seenBy(rules, state, viewer)
  const { after, move } = begin(rules, seen, wanted)
  const moves = ASKS_FOR[after.phase[0]!] ? completions(rules, after, move) : [move]
  return moves.map((whole) => moveForm(rules, seen, whole))
}

// --------------------------------------------------------------------------------------- what moved

const place = (area: Place['area'], at: Partial<Place> = {}): Place => ({ area, seat: at.seat ?? null, level: at.level ?? null, slot: at.slot ?? null })

/** What went from where to where in one turn, or part of one, as the viewer sees it: tokens, cards, nobles. */
export function movements(rules: Rules, before: State, after: State, move: Move, viewer: Viewer): Movement[] {
  const seat = before.seat[0]!
  const hasCards = move.kind === 'buy' || move.kind === 'reserve' || move.kind === 'draw'
  const [was, now] = hasCards ? [seenBy(rules, before, viewer), seenBy(rules, after, viewer)] : [before, after]
  const none = Array<number>(GOLD + 1).fill(0)
  const paid = move.kind === 'buy' ? (move.payment ?? defaultPayment(rules, was, move.card!)) : none
  const returned = move.returned ?? none
  const [had, holds] = [ofSeat(was.tokens, seat, GOLD + 1), ofSeat(now.tokens, seat, GOLD + 1)]
  const got = holds.map((count, color) => count - had[color]! + paid[color]! + returned[color]!)
  const [bank, purse] = [place('bank'), place('tokens', { seat })]
  const tokens = (counts: readonly number[], origin: Place, target: Place): Movement[] =>
    counts.some((count) => count) ? [{ what: 'tokens', tokens: someTokens(counts), origin, target }] : []
  return [
    ...tokens(paid, purse, bank),
    ...(hasCards ? cardsMoved(was, now, seat) : []),
    ...tokens(got, bank, purse),
    ...tokens(returned, purse, bank),
    ...noblesMoved(was, now),
  ]
}

/** At most one card goes to a hand or is bought, and at most one comes from a deck to the market. */
function cardsMoved(was: State, now: State, seat: number): CardMoved[] {
  const moved: CardMoved[] = []
  const owned = new Set(boughtCards(was, seat))
  for (const card of boughtCards(now, seat)) {
    if (!owned.has(card)) moved.push(cardMoved(card, marketPlace(was, card) ?? reservedPlace(was, now, seat, card), place('bought', { seat })))
  }
  const [before, after] = [was, now].map((state) => ofSeat(state.reserved, seat, RESERVE_LIMIT).filter((card) => card !== NO_CARD)) as [number[], number[]]
  if (after.length > before.length) {
    const card = after.at(-1)!
    const origin = marketPlace(was, card) ?? place('deck', { level: CARD_LEVEL[card]! + 1 })
    moved.push(cardMoved(card, origin, place('reserved', { seat, slot: after.length - 1 })))
  }
  for (const [slot, card] of now.market.entries()) {
    if (card === was.market[slot] || card === NO_CARD) continue
    const level = Math.floor(slot / SLOTS) + 1
    moved.push(cardMoved(card, place('deck', { level }), place('market', { level, slot: slot % SLOTS })))
  }
  return moved
}

const cardMoved = (card: number, origin: Place, target: Place): CardMoved => ({
  what: 'card',
  card: card >= UNSEEN ? null : card + 1,
  level: CARD_LEVEL[card]! + 1,
  origin,
  target,
})

function marketPlace(state: State, card: number): Place | null {
  const slot = state.market.indexOf(card)
  return card >= UNSEEN || slot < 0 ? null : place('market', { level: Math.floor(slot / SLOTS) + 1, slot: slot % SLOTS })
}

/** Where a bought card lay in the hand; one that the viewer did not know lay where the hand differs now. */
function reservedPlace(was: State, now: State, seat: number, card: number): Place {
  const [held, holds] = [was, now].map((state) => ofSeat(state.reserved, seat, RESERVE_LIMIT)) as [number[], number[]]
  const back = UNSEEN + CARD_LEVEL[card]!
  const known = held.indexOf(card)
  return place('reserved', { seat, slot: known >= 0 ? known : held.findIndex((old, slot) => old === back && old !== holds[slot]) })
}

/** The noble that came to a seat, if one did. */
function noblesMoved(was: State, now: State): NobleMoved[] {
  return Array.from(now.noble_seat).flatMap((owner, slot): NobleMoved[] =>
    owner === was.noble_seat[slot] ? [] : [{ what: 'noble', noble: now.nobles[slot]! + 1, origin: place('nobles', { slot }), target: place('nobles', { seat: owner }) }],
  )
}

// --------------------------------------------------------------------------------------- the ending

/** How a game ended by the rules; null while it goes on. */
export function resultOf(rules: Rules, state: State): Result | null {
  return state.phase[0]! > PHASE.NOBLE ? standing(rules, state, PHASES[state.phase[0]!] as Result['reason']) : null
}

/** The result of a game that is over for this reason: the places by the rules, as the game stands. */
export function standing(rules: Rules, state: State, reason: Result['reason']): Result {
  const points = Array.from(state.points.subarray(0, state.players[0]))
  const { places } = rules.withState(state.bytes, (at) => rules.result(at))
  const winners = places.flatMap((one, seat) => (one === 1 ? [seat] : []))
  const level = points.filter((one) => one === points[winners[0]!]).length
  return {
    reason,
    winners,
    places,
    points,
    cards: points.map((_, seat) => boughtCards(state, seat).length),
    decided_by: winners.length > 1 ? 'shared' : level > 1 ? 'cards' : 'points',
  }
}

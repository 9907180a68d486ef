/** A game as one record of 256 bytes, with names on its fields: see `core/state.py`. */

import { CARD_BONUS, CARDS_IN_LEVEL, FIRST_CARD, RECORDS, TABLE } from './layout.ts'

const { size, fields } = RECORDS.state
type Field = keyof typeof fields
type Numbers = Int8Array | Uint8Array | Int32Array

export type State = { readonly bytes: Uint8Array } & { readonly [name in Field]: Numbers }

/** A state on bytes of its own. */
export function stateOf(bytes: Uint8Array = new Uint8Array(size)): State {
  const own = new Uint8Array(size)
  own.set(bytes)
  const state: Record<string, Numbers | Uint8Array> = { bytes: own }
  for (const [name, { at, kind, count }] of Object.entries(fields)) {
    const View = { i8: Int8Array, u8: Uint8Array, i32: Int32Array }[kind]
    state[name] = new View(own.buffer, at, count)
  }
  return state as State
}

/** The cards that a seat has bought, rising. */
export function boughtCards(state: State, seat: number): number[] {
  const row = fields.bought.count / TABLE.MAX_PLAYERS
  const has = (card: number) => state.bought[row * seat + (card >> 3)]! >> (card & 7) & 1
  return Array.from({ length: TABLE.CARDS }, (_, card) => card).filter(has)
}

/** Note a card as bought, with its bonus. */
export function addBought(state: State, seat: number, card: number): void {
  const row = fields.bought.count / TABLE.MAX_PLAYERS
  state.bought[row * seat + (card >> 3)]! |= 1 << (card & 7)
  state.bonuses[TABLE.GOLD * seat + CARD_BONUS[card]!]! += 1
}

/** The cards of a deck, the top one first. */
export function deckOf(state: State, level: number): number[] {
  const first = FIRST_CARD[level]!
  return Array.from(state.deck.subarray(first, first + state.deck_size[level]!)).reverse()
}

export function putDeck(state: State, level: number, cards: readonly number[]): void {
  const first = FIRST_CARD[level]!
  state.deck_size[level] = cards.length
  state.deck.fill(TABLE.UNSEEN + level, first, first + CARDS_IN_LEVEL[level]!)
  state.deck.set(cards.toReversed(), first)
}

/** Some of the numbers of each seat. */
export const ofSeat = (numbers: Numbers, seat: number, each: number): number[] => Array.from(numbers.subarray(each * seat, each * (seat + 1)))

/** Is this the back of a card? */
export const isUnseen = (card: number): boolean => card >= TABLE.UNSEEN && card < TABLE.UNSEEN + TABLE.LEVELS

/** The cards of a level that lie in no visible place, rising. */
export function unseenCards(state: State, level: number): number[] {
  const seats = Array.from({ length: TABLE.MAX_PLAYERS }, (_, seat) => seat)
  const seen = new Set([...state.market, ...state.reserved, ...seats.flatMap((seat) => boughtCards(state, seat))])
  return Array.from({ length: CARDS_IN_LEVEL[level]! }, (_, n) => FIRST_CARD[level]! + n).filter((card) => !seen.has(card))
}

export function withUnseenDecks(state: State): State {
  const hidden = stateOf(state.bytes)
  for (let level = 0; level < TABLE.LEVELS; level++) putDeck(hidden, level, Array<number>(state.deck_size[level]!).fill(TABLE.UNSEEN + level))
  return hidden
}

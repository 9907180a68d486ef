/** Luck: what the cards that came from the decks have changed. See `analysis/luck.py`. */

import type { RevealedCard } from '../../src/api/messages.ts'
import { CARD_LEVEL, FIRST_CARD } from '../layout.ts'
import { begin } from '../moves.ts'
import type { Move } from '../notation.ts'
import type { Rules } from '../rules.ts'
import { type State, stateOf, unseenCards } from '../state.ts'
import type { PositionValue } from './value.ts'

/** The card that came from a deck in a turn, if one did, and the position with it, before anything that follows. */
interface Draw {
  card: number
  after: State
}

function drawOf(rules: Rules, before: State, move: Move): Draw | null {
  if (move.kind === 'finish') return null
  const { after } = begin(rules, before, move)
  const level = Array.from(before.deck_size).findIndex((size, deck) => after.deck_size[deck]! < size)
  return level < 0 ? null : { card: before.deck[FIRST_CARD[level]! + before.deck_size[level]! - 1]!, after }
}

/** The position with another card in the place of the one that came. */
function withOther(after: State, card: number, other: number): State {
  const state = stateOf(after.bytes)
  for (const places of [state.market, state.reserved]) {
    places.forEach((lying, n) => {
      if (lying === card) places[n] = other
    })
  }
  return state
}

/** The luck of a turn's draw: V with the card that came, less the mean over all that could have come. */
export function revealOf(value: PositionValue, before: State, move: Move): RevealedCard | null {
  const draw = drawOf(value.rules, before, move)
  if (!draw) return null
  const { card, after } = draw
  const level = CARD_LEVEL[card]!
  const cards = [card, ...unseenCards(after, level)]
  const shares = cards.map((other) => value.shares(withOther(after, card, other)))
  const seat = before.seat[0]!
  const luck = shares[0]!.map((share, n) => share - shares.reduce((sum, row) => sum + row[n]!, 0) / shares.length)
  const outcome = (better: (a: number, b: number) => boolean) => {
    const place = shares.reduce((best, row, n) => (better(row[seat]!, shares[best]![seat]!) ? n : best), 0)
    return { card: cards[place]! + 1, share: shares[place]![seat]! }
  }
  return {
    seat,
    kind: after.market.includes(card) ? 'market' : 'hand',
    level: level + 1,
    card: card + 1,
    luck,
    best: outcome((a, b) => a > b),
    worst: outcome((a, b) => a < b),
  }
}

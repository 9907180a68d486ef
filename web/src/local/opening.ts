/** How a game begins in this browser: its seats as they were wished for, and the cards, shuffled as a server does it. */

import type { NewTable, Person, SeatWish } from '../api/messages'
import { Refused } from '../api/http'
import { newNonce } from '../lib/nonce'
import { deal, PROCEDURE } from '../lib/proof'
import type { Splendor } from '../../engine/index.ts'
import { computer, type Created, type SeatPlan, type Started } from './log'
import type { LocalTable } from './table'

const SEED_DIGITS = 16 // of the secret, for a game that starts from a position
const MARKET = 7 // the first field of a position that depends on the deal

export function made(wish: NewTable, me: Person): Created {
  const seats = wish.seats.map(({ kind, level, name }): SeatPlan => {
    if (kind === 'computer') return { kind, person: computer(level!), label: null }
    if (kind === 'device') return { kind, person: me, label: name ?? null }
    if (kind === 'me') return { kind: 'person', person: me, label: null }
    throw new Refused({ code: 'not_allowed' })
  })
  if (seats.every(({ kind }) => kind === 'computer')) throw new Refused({ code: 'nobody_plays' })
  const position = wish.position ?? null
  const [seed] = crypto.getRandomValues(new Uint32Array(1))
  return { type: 'created', seats, clock: wish.clock ?? { kind: 'none' }, order: position ? 'chosen' : (wish.order ?? 'random'), secret: newNonce(), position, seed: seed! }
}

export function started(splendor: Splendor, { seats, order, secret, position }: Created): Started {
  if (position) {
    const game = splendor.start(position, BigInt(`0x${secret.slice(0, SEED_DIGITS)}`))
    if (game.players !== seats.length) throw new Refused({ code: 'other_players', params: { players: game.players } })
    return { type: 'started', position: game.position, order: seats.map((_, seat) => seat) }
  }
  const dealt = deal(secret, seats.map(() => null), order === 'random', PROCEDURE)
  const fields = splendor.deal({ players: seats.length }).position.split(' ')
  fields.splice(MARKET, 3, dealt.market, dealt.decks, dealt.nobles)
  return { type: 'started', position: fields.join(' '), order: dealt.order.split(',').map(Number) }
}

/** Another game of the same people: one place on, unless it is from the same position again. */
export function again({ made: { position, clock, order }, seats }: LocalTable): NewTable {
  const moved = position ? seats : [...seats.slice(1), seats[0]!]
  const wished = moved.map(({ player, label }): SeatWish => (player.level ? { kind: 'computer', level: player.level } : label ? { kind: 'device', name: label } : { kind: 'me' }))
  return { seats: wished, clock, order, position }
}

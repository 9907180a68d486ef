/** V, the one value function of a review: what share of the win each seat can expect. See `analysis/value.py`. */

import { OBSERVATION_SIZE, PHASE, TABLE } from '../layout.ts'
import type { Address } from '../module.ts'
import type { Network } from '../network.ts'
import type { Rules } from '../rules.ts'
import { type State, stateOf } from '../state.ts'
import { POWERS } from './tables.ts'

export class PositionValue {
  readonly rules: Rules
  readonly network: Network
  private readonly seen: Address

  constructor(rules: Rules, network: Network) {
    this.rules = rules
    this.network = network
    this.seen = rules.module.room(OBSERVATION_SIZE)
  }

  /** The shares as this seat expects them by what it sees, itself first; rotations of colors are not averaged. */
  expected(state: State, viewer: number): Float32Array {
    return this.rules.withState(state.bytes, (at) => this.network.rate(this.rules.observe(at, viewer, this.seen))).subarray(0, TABLE.MAX_PLAYERS)
  }

  /** The share of each seat, calibrated by a power; the reserved cards of all are known, and the decks are not. */
  shares(state: State): number[] {
    const players = state.players[0]!
    if (state.phase[0]! > PHASE.NOBLE) {
      const { places } = this.rules.withState(state.bytes, (at) => this.rules.result(at))
      const winners = places.filter((place) => place === 1).length
      return places.map((place) => (place === 1 ? 1 / winners : 0))
    }
    const open = stateOf(state.bytes)
    open.from_deck.fill(0)
    const seat = state.seat[0]!
    const seen = this.expected(open, seat)
    const ordered = Array.from({ length: players }, (_, n) => seen[(n - seat + players) % players]!)
    const power = POWERS[String(players) as keyof typeof POWERS]
    return asShares(asShares(ordered).map((share) => share ** power))
  }
}

/** The same, adding up to 1 exactly. */
export function asShares(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  return values.map((value) => value / total)
}

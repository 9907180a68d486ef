/** The trained network at work: what it thinks of positions, of decisions, and of the leaves of a search. */

import { ACTION, NETWORK, OBSERVATION_SIZE, OPINION, RECORDS, TABLE } from './layout.ts'
import { type Address, Module } from './module.ts'
import type { Rules } from './rules.ts'

const { rotations } = NETWORK
const WIDTH = TABLE.MAX_PLAYERS + ACTION.ACTIONS // shares, then ratings

export class Network {
  private readonly module: Module<'rate' | 'widen'>
  private readonly weights: Address
  private readonly desk: Address
  private readonly row: Address
  private readonly rated: Address
  readonly policyTemperature: readonly number[] // with 2, 3 and 4 players

  /** `packed` is the file of the weights. */
  constructor(instance: WebAssembly.Instance, packed: Uint8Array) {
    if (packed.length !== NETWORK.packed) throw new Error(`the network is damaged: ${packed.length} bytes instead of ${NETWORK.packed}`)
    this.module = new Module(instance)
    this.weights = this.module.room(NETWORK.weights)
    this.desk = this.module.room(NETWORK.desk)
    this.row = this.module.room(OBSERVATION_SIZE)
    this.rated = this.module.room(4 * WIDTH)
    const stored = this.module.room(NETWORK.packed)
    this.module.bytes(stored, NETWORK.packed).set(packed)
    this.module.bytes(this.weights, NETWORK.kept).set(packed.subarray(0, NETWORK.kept))
    this.module.call.widen(stored + NETWORK.kept, this.weights + NETWORK.kept, (NETWORK.packed - NETWORK.kept) / 2)
    this.policyTemperature = Array.from(this.module.view('f64', this.weights, 3))
  }

  /** Shares of the win from the seat that looks on, then the logit of each action; all colors moved on by `steps`. */
  rate(observation: Uint8Array, steps = 0): Float32Array {
    this.module.bytes(this.row, OBSERVATION_SIZE).set(observation)
    this.module.call.rate(this.row, steps, this.weights, this.desk, this.rated, this.rated + 4 * TABLE.MAX_PLAYERS)
    return this.module.view('f32', this.rated, WIDTH).slice()
  }

  /** The rotation of the colors in which the leaves of a deal are looked at. */
  rotationOf(deal: number): number {
    return deal % rotations
  }

  /** The mean over all rotations. */
  rateAllRotations(observation: Uint8Array): Float32Array {
    const total = new Float32Array(WIDTH)
    for (let steps = 0; steps < rotations; steps++) this.rate(observation, steps).forEach((value, n) => (total[n]! += value))
    return total.map((value) => value / rotations)
  }
}

/** What decisions are worth to a network without a search: see `network/action_values.py`. */
export class ActionValues {
  private readonly opinion: Address
  private readonly seen: Address
  private readonly after: Address
  private readonly shares: Address
  private readonly paper: Address
  private readonly rng: Address
  private readonly rules: Rules
  private readonly network: Network
  private readonly rate: (observation: Uint8Array) => Float32Array

  constructor(rules: Rules, network: Network, allRotations = false) {
    this.rules = rules
    this.network = network
    this.rate = allRotations ? (seen) => network.rateAllRotations(seen) : (seen) => network.rate(seen)
    const { module } = rules
    this.opinion = module.room(RECORDS.opinion.size)
    this.seen = module.room(OBSERVATION_SIZE)
    this.after = rules.newState()
    this.shares = module.room(4 * TABLE.MAX_PLAYERS)
    this.paper = module.room(RECORDS.paper.size)
    this.rng = rules.newRng(0)
  }

  /** The share of the win that each decision is worth to the seat that decides; below zero if it is not legal. */
  of(view: Address): Float64Array {
    const { module } = this.rules
    const { fields } = RECORDS.opinion
    const opinion = <K extends 'legal' | 'known' | 'ratings' | 'tried' | 'worth'>(name: K) => {
      const { at, kind, count } = fields[name]
      return module.view(kind, this.opinion + at, count)
    }
    const seat = this.rules.get(view, 'seat')
    const rated = this.rate(this.rules.observe(view, seat, this.seen))
    opinion('ratings').set(rated.subarray(TABLE.MAX_PLAYERS))
    module.call.choose_likely!(view, this.opinion)
    for (let action = 0; action < ACTION.ACTIONS; action++) {
      if (!opinion('legal')[action]) continue
      this.rules.copy(view, this.after)
      if (module.call.play_decision!(this.after, action, this.seen, this.shares)) {
        opinion('tried')[action] = module.view('f32', this.shares, 1)[0]!
        opinion('known')[action] = OPINION.FINAL
      } else if (opinion('known')[action] === OPINION.LIKELY) {
        opinion('tried')[action] = this.rate(module.bytes(this.seen, OBSERVATION_SIZE))[0]!
        opinion('known')[action] = OPINION.TRIED_OUT
      }
    }
    const temperature = this.network.policyTemperature[this.rules.get(view, 'players') - 2]!
    if (module.call.combine_opinions!(this.opinion, temperature)) {
      module.call.put_first!(this.opinion, module.call.greedy_decision!(view, 0, this.paper, this.rng))
    }
    return opinion('worth').slice() as Float64Array
  }
}

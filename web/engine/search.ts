/** `Search`: think about a view for a while, and say what was found. The twin of the Python package's `Search`. */

import { ACTION, EDGES_PER_NODE, OBSERVATION_SIZE, PHASE, RECORDS, SEARCH, TABLE, TREE_ARRAYS } from './layout.ts'
import { bytesOf, type Address } from './module.ts'
import { moveOfAction, withDecision } from './moves.ts'
import { ActionValues, type Network } from './network.ts'
import type { Move } from './notation.ts'
import type { Rules } from './rules.ts'
import type { View } from './game.ts'

export type Settings = { [name in keyof typeof SEARCH.settings]: number }

/** A decision that was looked at. All values are expected shares of the win. */
export interface Choice {
  action: number
  move: Move // the whole turn that begins with it
  visits: number
  value: number[] // of each seat: the mean of the visits
  worth: number // what the choice is made by: of the deciding seat, its prior value included
  error: number | null // the standard error of the worth; needs two visits
  prior: number // how likely it is the best, before any visit
  line: Move[] // this move, and what will be played after it
}

export interface Result {
  simulations: number
  choices: Choice[] // the best first
  value: number[] // of the position, for each seat
  best: Move
}

export interface Limits {
  simulations?: number
  seconds?: number // whichever ends first; with neither it thinks until it is stopped
  progress?: (result: Result) => void
  every?: number // simulations between two of these
  signal?: AbortSignal // stops it
}

/** An array for each field of a tree, and the record that says where they lie. */
interface Tree {
  handle: Address
  at: Record<keyof typeof TREE_ARRAYS, Address>
}

export const NODES = 1 << 15
const ROOT = 0
const SLICE = 0.02 // seconds; so often it looks at the clock and lets others work
const MOST_CHILDREN = 64
const { ACTIONS } = ACTION
const { MAX_PLAYERS } = TABLE

/** Room for one search at a time, used again and again. */
export class Desk {
  readonly leaves: Address
  readonly settings: Address
  readonly paper: Address
  readonly found: Address
  readonly seed: Address
  readonly rng: Address
  readonly state: Address
  readonly seen: Address
  readonly rated: Address
  readonly nodes: Address
  tree: Tree
  spare: Tree
  private readonly rules: Rules

  constructor(rules: Rules, nodes = NODES) {
    this.rules = rules
    const { module } = rules
    this.leaves = module.room(RECORDS.leaves.size)
    this.settings = module.room(RECORDS.settings.size)
    this.paper = module.room(RECORDS.paper.size)
    this.found = module.room(RECORDS.found.size)
    this.seed = rules.newRng(0)
    this.rng = rules.newRng(0)
    this.state = rules.newState()
    this.seen = module.room(OBSERVATION_SIZE)
    this.rated = module.room(4 * (MAX_PLAYERS + ACTIONS))
    this.nodes = module.room(4 * MOST_CHILDREN)
    this.tree = this.newTree(nodes)
    this.spare = this.newTree(nodes)
  }

  private newTree(nodes: number): Tree {
    const { module } = this.rules
    const handle = module.room(RECORDS.tree.size)
    const fields = RECORDS.tree.fields
    const at = {} as Tree['at']
    module.view('i32', handle + fields.nodes.at, 1)[0] = nodes
    for (const name of Object.keys(TREE_ARRAYS) as (keyof typeof TREE_ARRAYS)[]) {
      const { of, kind, each } = TREE_ARRAYS[name]
      at[name] = module.room({ tree: 1, node: nodes, edge: nodes * EDGES_PER_NODE }[of] * each * bytesOf(kind))
      module.view('i32', handle + fields[name].at, 1)[0] = at[name]
    }
    return { handle, at }
  }

  swapTrees(): void {
    ;[this.tree, this.spare] = [this.spare, this.tree]
  }
}

interface Found {
  visits: number[]
  values: Float64Array // [action, seat]
  squares: Float64Array // of the deciding seat's values
  priors: number[]
}

export class Search {
  private readonly rules: Rules
  private readonly desk: Desk
  private readonly network: Network | null
  private readonly rootValues: ActionValues | null
  private readonly settings: Settings
  private view!: View
  private values: Float64Array | null = null
  private stopped = false

  /** With a network it values leaves by it, else by rollouts. The same seed gives the same result. */
  constructor(rules: Rules, desk: Desk, view: View, options: { seed: bigint | number; settings?: Partial<Settings>; network?: Network; rootValues?: ActionValues }) {
    this.rules = rules
    this.desk = desk
    this.network = options.network ?? null
    this.rootValues = options.rootValues ?? null
    this.settings = { ...SEARCH.settings, ...options.settings }
    rules.seed(desk.seed, options.seed)
    rules.seed(desk.rng, options.seed)
    rules.module.call.clear_tree!(desk.tree.handle)
    for (const name of Object.keys(this.settings) as (keyof Settings)[]) {
      const { at, kind } = RECORDS.settings.fields[name]
      if (kind === 'i64') rules.module.view('i64', desk.settings + at, 1)[0] = BigInt(this.settings[name])
      else rules.module.view('f64', desk.settings + at, 1)[0] = this.settings[name]
    }
    this.begin(view)
  }

  private begin(view: View): void {
    if (view.isOver) throw new Error('the game is over')
    if (view.viewer !== view.seat) throw new Error(`it is the turn of seat ${view.seat}, but this is the view of ${view.viewer}`)
    this.view = view
    this.values = null
    this.rules.write(this.desk.state, view.bytes)
  }

  // ------------------------------------------------------------------------------------------ think

  /** Thinks, and lets others work in between. Run again to think longer. */
  async run(limits: Limits = {}): Promise<Result> {
    const { simulations = Infinity, seconds = Infinity, progress, every = 1000, signal } = limits
    this.stopped = false
    const start = performance.now() / 1000
    let [done, reported, size] = [0, 0, 8]
    while (!this.stopped && !signal?.aborted && done < simulations) {
      const began = performance.now() / 1000
      if (began - start >= seconds) break
      size = Math.min(size, simulations - done)
      this.simulate(size)
      done += size
      const took = performance.now() / 1000 - began
      if (took < SLICE / 2) size = Math.min(2 * size, 4096)
      else if (took > 2 * SLICE) size = Math.max(size >> 1, 1)
      if (progress && done - reported >= every) {
        reported = done
        progress(this.result())
      }
      await new Promise((resume) => setTimeout(resume))
    }
    return this.result()
  }

  stop(): void {
    this.stopped = true
  }

  /** From now on these decisions of the position are visited at least as often as the most visited of the others. */
  include(actions: Iterable<number>): void {
    const first = { [PHASE.RETURN]: ACTION.RETURN_TOKEN, [PHASE.NOBLE]: ACTION.CHOOSE_NOBLE }[this.rules.get(this.desk.state, 'phase')] ?? 0
    let set = 0n
    for (const action of actions) set |= 1n << BigInt(action - first)
    this.rules.module.view('i64', this.desk.settings + RECORDS.settings.fields.include.at, 1)[0] = set
  }

  /** So many simulations at once. */
  simulate(count: number): void {
    const { desk, network } = this
    const { call } = this.rules.module
    if (!network) {
      call.simulate!(desk.tree.handle, desk.state, count, desk.settings, desk.leaves, desk.paper, desk.seed, desk.rng)
      return
    }
    const seat = this.view.seat
    for (let n = 0; n < count; n++) {
      const isFirst = this.rootVisits() === 0
      call.gather!(desk.tree.handle, desk.state, desk.settings, desk.leaves, desk.seed, desk.rng)
      this.judge(network)
      if (isFirst) this.rules.module.view('f32', desk.leaves + RECORDS.leaves.fields.priors.at, ACTIONS).set(this.softmax(this.actionValues()!))
      call.back_up!(desk.tree.handle, seat, desk.leaves)
    }
  }

  /** The network's opinion of the leaf, in the rotation of the colors that goes with its deal. */
  private judge(network: Network): void {
    const { desk, rules } = this
    const { fields } = RECORDS.leaves
    const leaf = desk.leaves + fields.states.at
    const deal = rules.module.view('i32', desk.leaves + fields.deal.at, 1)[0]!
    const rated = network.rate(rules.observe(leaf, rules.get(leaf, 'seat'), desk.seen), network.rotationOf(deal))
    rules.module.view('f32', desk.rated, rated.length).set(rated)
    rules.module.call.write_judgement!(desk.leaves, desk.rated, desk.rated + 4 * MAX_PLAYERS)
  }

  private actionValues(): Float64Array | null {
    this.values ??= this.rootValues?.of(this.desk.state) ?? null
    return this.values
  }

  private softmax(worth: Float64Array): Float32Array {
    const legal = this.rules.legalActions(this.desk.state)
    const top = Math.max(...legal.map((action) => worth[action]!))
    const priors = new Float32Array(ACTIONS)
    for (const action of legal) priors[action] = Math.exp((worth[action]! - top) / SEARCH.PRIOR_TEMPERATURE)
    const total = priors.reduce((sum, prior) => sum + prior)
    return priors.map((prior) => prior / total)
  }

  /** Goes on with a later view of the same seat and game; returns how many simulations could be kept. */
  advance(view: View): number {
    const { desk, rules } = this
    const isSameSeat = view.viewer === this.view.viewer
    this.begin(view)
    const node = isSameSeat ? rules.module.call.find_position!(desk.tree.handle, desk.state) : -1
    rules.module.call.clear_tree!(desk.spare.handle)
    if (node >= 0) rules.module.call.copy_subtree!(desk.tree.handle, node, desk.spare.handle)
    desk.swapTrees()
    return node >= 0 ? this.rootVisits() : 0
  }

  // ------------------------------------------------------------------------------------------ result

  private rootVisits(): number {
    return this.rules.module.view('i32', this.desk.tree.at.node_visits, 1)[0]!
  }

  private rootValue(): number[] {
    const visits = Math.max(this.rootVisits(), 1)
    return Array.from(this.rules.module.view('f32', this.desk.tree.at.node_value, MAX_PLAYERS), (sum) => sum / visits)
  }

  /** What was found about the decisions at a place: several nodes, which differ in the cards turned up. */
  private tally(nodes: readonly number[]): Found {
    const { module } = this.rules
    const { desk } = this
    const { fields, size } = RECORDS.found
    module.bytes(desk.found, size).fill(0)
    module.view('i32', desk.nodes, nodes.length).set(nodes)
    module.call.add_up!(desk.tree.handle, desk.nodes, nodes.length, desk.found)
    return {
      visits: Array.from(module.view('i64', desk.found + fields.visits.at, ACTIONS), Number),
      values: module.view('f64', desk.found + fields.values.at, ACTIONS * MAX_PLAYERS).slice(),
      squares: module.view('f64', desk.found + fields.squares.at, ACTIONS).slice(),
      priors: Array.from(module.view('f64', desk.found + fields.priors.at, ACTIONS)),
    }
  }

  private below(nodes: readonly number[], action: number): number[] {
    const { module } = this.rules
    const { desk } = this
    module.view('i32', desk.nodes, nodes.length).set(nodes)
    const children = desk.found // read and written one after the other
    const room = RECORDS.found.size / 4
    const count = Math.min(module.call.write_children!(desk.tree.handle, desk.nodes, nodes.length, action, children, room), MOST_CHILDREN)
    return Array.from(module.view('i32', children, count))
  }

  private corrected(values: Float64Array, { visits, values: sums }: Found, seat: number): number[] {
    const sum = (action: number): number => sums[MAX_PLAYERS * action + seat]!
    let [error, total] = [0, 0]
    visits.forEach((count, action) => {
      error += sum(action) - count * values[action]!
      total += count
    })
    error /= Math.max(total, 1)
    return visits.map((count, action) => worthOf(values[action]! + error, count, sum(action)))
  }

  private worth(found: Found): number[] {
    const values = this.actionValues()
    const seat = this.view.seat
    if (values) return this.corrected(values, found, seat)
    const firstPlay = this.rootValue()[seat]! - this.settings.first_play_reduction
    return found.visits.map((count, action) => worthOf(firstPlay, count, found.values[MAX_PLAYERS * action + seat]!))
  }

  private priors(found: Found): number[] {
    const total = found.priors.reduce((sum, prior) => sum + prior)
    if (total > 0) return found.priors.map((prior) => prior / total)
    const values = this.actionValues()
    return values ? Array.from(this.softmax(values)) : found.priors
  }

  private ranking(worth: readonly number[], priors: readonly number[]): number[] {
    const legal = this.rules.legalActions(this.desk.state)
    return legal.sort((a, b) => worth[b]! - worth[a]! || priors[b]! - priors[a]! || a - b)
  }

  /** The whole turn that begins with the best decision. */
  best(): Move {
    const found = this.tally([ROOT])
    const action = this.ranking(this.worth(found), this.priors(found))[0]!
    return this.withCopy((state) => this.turn(state, [ROOT], action, this.decision)[0])
  }

  /** What has been found so far. */
  result(): Result {
    const found = this.tally([ROOT])
    const [worth, priors] = [this.worth(found), this.priors(found)]
    const players = this.view.players
    const choices = this.ranking(worth, priors).map((action, place) => {
      const line = this.line(action, place ? this.favorite : this.decision)
      const visits = found.visits[action]!
      const sums = found.values.subarray(MAX_PLAYERS * action, MAX_PLAYERS * action + players)
      const value = Array.from(sums, (sum) => sum / Math.max(visits, 1))
      const error = standardError(visits, sums[this.view.seat]!, found.squares[action]!)
      return { action, move: line[0]!, visits, value, worth: worth[action]!, error, prior: priors[action]!, line }
    })
    return { simulations: this.rootVisits(), choices, value: this.rootValue().slice(0, players), best: choices[0]!.move }
  }

  private withCopy<Answer>(look: (state: Address) => Answer): Answer {
    return this.rules.onCopy(this.desk.state, look)
  }

  /** Plays a decision on a hidden state, and the rest of the turn as `decide` says. */
  private turn(state: Address, nodes: number[], action: number, decide: (state: Address, nodes: number[]) => number): [Move, number[]] {
    let move = withDecision(this.rules, state, { kind: 'finish' }, action)
    this.rules.apply(state, action)
    nodes = this.below(nodes, action)
    while (this.rules.goesOn(state)) {
      action = decide(state, nodes)
      move = withDecision(this.rules, state, move, action)
      this.rules.apply(state, action)
      nodes = this.below(nodes, action)
    }
    return [move, nodes]
  }

  private readonly decision = (state: Address, nodes: number[]): number => {
    const values = this.rootValues?.of(state)
    if (!values) return this.favorite(state, nodes)
    const worth = this.corrected(values, this.tally(nodes), this.rules.get(state, 'seat'))
    return bestOf(this.rules.legalActions(state), worth)
  }

  /** The legal decision with most visits; without any, the one that the light policy likes. */
  private readonly favorite = (state: Address, nodes: number[]): number => {
    const { visits } = this.tally(nodes)
    const best = bestOf(this.rules.legalActions(state), visits)
    return visits[best]! > 0 ? best : this.rules.module.call.likely_decision!(state, this.desk.paper, this.desk.rng)
  }

  private line(first: number, decide: (state: Address, nodes: number[]) => number): Move[] {
    return this.withCopy((state) => {
      let [move, nodes] = this.turn(state, [ROOT], first, decide)
      const moves = [move]
      while (!this.rules.isOver(state)) {
        const { visits } = this.tally(nodes)
        const action = bestOf(this.rules.legalActions(state), visits)
        if (!visits[action] || this.isUnseen(state, action)) break
        ;[move, nodes] = this.turn(state, nodes, action, this.favorite)
        moves.push(move)
      }
      return moves
    })
  }

  /** Is this about a card that is not known yet? */
  private isUnseen(state: Address, action: number): boolean {
    if (this.rules.get(state, 'phase') !== PHASE.ACT) return false
    const { card } = moveOfAction(this.rules, state, action)
    return card !== undefined && card > TABLE.CARDS
  }
}

/** Of a worth, from the sums of the visits' values and of their squares: see `search/worth.py`. */
function standardError(visits: number, value: number, square: number): number | null {
  if (visits < 2) return null
  const variance = Math.max(square - (value * value) / visits, 0) / (visits - 1)
  return Math.sqrt(visits * variance) / (SEARCH.PRIOR_VISITS + visits)
}

const worthOf = (prior: number, visits: number, sum: number): number => (SEARCH.PRIOR_VISITS * prior + sum) / (SEARCH.PRIOR_VISITS + visits)

/** The first of the actions with the highest number. */
function bestOf(actions: readonly number[], numbers: ArrayLike<number>): number {
  return actions.reduce((best, action) => (numbers[action]! > numbers[best]! ? action : best))
}

/** What the seats can expect in a position, and what each decision in it is worth: see `analysis/evaluation.py`. */

import type { Candidate, Evaluation } from '../../src/api/messages.ts'
import { Game, type View } from '../game.ts'
import { SEARCH } from '../layout.ts'
import type { ActionValues } from '../network.ts'
import { formatMove, type Move, type Tokens } from '../notation.ts'
import type { Choice, Search } from '../search.ts'
import { stateOf } from '../state.ts'
import { EVALUATION } from './tables.ts'
import { type Decision, decisionsOf } from './turns.ts'
import { asShares, type PositionValue } from './value.ts'

/** A search at one view, which can go on; decisions to include get as many visits as the best of the others. */
export class Analysis {
  simulations = 0
  private readonly view: View
  private readonly search: Search
  private readonly value: PositionValue
  private readonly rootValues: ActionValues
  private found: ReturnType<Search['result']> | null = null
  private readonly included: { move: Move; text: string; decisions: Decision[]; later: { gain: number; variance: number } | null }[]

  /** `search` is one at the view that has not begun; throws IllegalMove for a decision that cannot be included. */
  constructor(view: View, search: Search, value: PositionValue, rootValues: ActionValues, include: readonly string[]) {
    this.view = view
    this.search = search
    this.value = value
    this.rootValues = rootValues
    const state = stateOf(view.bytes)
    const moves = include.map((text) => new Game(value.rules, state).play(text))
    this.included = moves.map((move) => ({ move, text: formatMove(move), decisions: decisionsOf(value.rules, state, move), later: null }))
    search.include(this.included.map(({ decisions }) => decisions[0]!.action))
  }

  /** Looks closer by so many simulations. */
  run(simulations: number): void {
    if (simulations <= 0) return
    this.search.simulate(simulations)
    this.simulations += simulations
    this.found = null
  }

  /** What the search has found, read off once: that takes as long as some simulations. */
  private result(): ReturnType<Search['result']> {
    return (this.found ??= this.search.result())
  }

  /** What each legal action is worth so far. */
  worths(): Map<number, number> {
    return new Map(this.result().choices.map(({ action, worth }) => [action, worth]))
  }

  /** What has been found so far. */
  evaluation(): Evaluation {
    const { choices, value } = this.result()
    const { seat } = this.view
    const shares = asShares(value)
    const candidates = choices.map((choice) => candidateOf(choice, shares, seat))
    for (const one of this.included) {
      if (candidates.some(({ move }) => move === one.text)) continue
      const place = choices.findIndex(({ action }) => action === one.decisions[0]!.action)
      candidates.push(this.variation(candidates[place]!, one))
    }
    candidates.sort((a, b) => b.worth - a.worth)
    return { seat, shares, simulations: this.simulations, candidates }
  }

  /** A turn that begins like the candidate, but pays, returns or chooses otherwise: told by the network alone. */
  private variation(candidate: Candidate, one: Analysis['included'][number]): Candidate {
    const { move, text, decisions } = one
    one.later ??= this.difference(move, decisions)
    const { gain, variance } = one.later
    const worth = Math.min(Math.max(candidate.worth + gain, 0), 1)
    const error = Math.sqrt(candidate.error ** 2 + variance)
    return { ...candidate, move: text, worth, shares: withShare(candidate.shares, this.view.seat, worth), error, line: [text] }
  }

  private difference(move: Move, decisions: Decision[]): { gain: number; variance: number } {
    const losses = decisions.slice(1).map((decision) => this.loss(decision))
    const gain = this.gainByPayment(move, decisions[0]!) - losses.reduce((sum, loss) => sum + loss, 0)
    const known = losses.length + Number(move.payment !== undefined)
    return { gain, variance: known * ((EVALUATION.LATER_ERROR * 2) / this.view.players) ** 2 }
  }

  private loss({ state, action }: Decision): number {
    const values = this.value.rules.withState(state.bytes, (at) => this.rootValues.of(at))
    return Math.max(...values) - values[action]!
  }

  /** What it gains to pay with more gold than needed. */
  private gainByPayment(move: Move, decision: Decision): number {
    return move.payment ? this.shareAfter(decision, move.payment) - this.shareAfter(decision, null) : 0
  }

  private shareAfter({ state, action }: Decision, payment: Tokens | null): number {
    const { rules } = this.value
    const after = stateOf(rules.withState(state.bytes, (at) => {
      if (payment) rules.applyPaying(at, action, payment)
      else rules.apply(at, action)
      return rules.read(at)
    }))
    return this.value.expected(after, this.view.seat)[0]!
  }
}

/** What a search says about a decision. The fewer visits it has, the more the error of its action value counts. */
function candidateOf({ move, visits, value, worth, error, prior, line }: Choice, shares: number[], seat: number): Candidate {
  const priorPart = SEARCH.PRIOR_VISITS / (SEARCH.PRIOR_VISITS + visits)
  return {
    move: formatMove(move),
    worth,
    shares: withShare(visits ? asShares(value) : shares, seat, worth),
    error: Math.hypot(error ?? 0, (priorPart * EVALUATION.PRIOR_ERROR * 2) / shares.length),
    prior,
    visits,
    line: line.map(formatMove),
  }
}

/** The same with another share for one seat; the others keep their parts of the rest. */
function withShare(shares: readonly number[], seat: number, share: number): number[] {
  const others = 1 - shares[seat]!
  return shares.map((value, n) => {
    if (n === seat) return share
    return others <= 0 ? (1 - share) / (shares.length - 1) : (value * (1 - share)) / others
  })
}


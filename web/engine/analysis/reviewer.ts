/**
 * A whole game under review, turn by turn: the twin of `analysis/reviewer.py`. It does not review records that leave
 * drawn cards unnamed.
 */

import type { Candidate, Note, Reason, Review, TurnReview } from '../../src/api/messages.ts'
import type { Game } from '../game.ts'
import type { ActionValues } from '../network.ts'
import { formatMove, formatPosition, type Move } from '../notation.ts'
import type { Rules } from '../rules.ts'
import { seenBy } from '../showing.ts'
import type { State } from '../state.ts'
import type { Analysis } from './evaluation.ts'
import { type Grading, isError, judge } from './grades.ts'
import { expectedLosses } from './levels.ts'
import { revealOf } from './luck.ts'
import { outcomeOf } from './outcome.ts'
import { reasonsFor } from './reasons.ts'
import { summed } from './summary.ts'
import { EVALUATION, FINGERPRINT, FORMULA, REASONS, REVIEW } from './tables.ts'
import type { PositionValue } from './value.ts'

/** What a review needs of the engine. */
export interface Bench {
  value: PositionValue
  values: ActionValues // of the network in one rotation, as levels decide
  analysis: (position: string, seat: number, include: string[], seed: number) => Analysis
}

export class GameReview {
  readonly total: number
  private readonly bench: Bench
  private readonly game: Game
  private readonly effort: Review['effort']
  private readonly seed: number
  private readonly states: State[] = []
  private readonly moves: Move[] = []
  private readonly start: number[]
  private readonly turns: TurnReview[] = []

  /** The curve is reckoned at once; throws RangeError for a game without a turn, or one longer than any real one. */
  constructor(bench: Bench, game: Game, effort: Review['effort'], seed: number) {
    this.bench = bench
    this.game = game
    this.effort = effort
    this.seed = seed
    const { turns } = game
    if (!turns.length || turns.length > REVIEW.MOST_TURNS) throw new RangeError(`a review is for 1 to ${REVIEW.MOST_TURNS} turns`)
    const again = game.fromStart()
    for (const { move } of turns) {
      const { before, after } = again.playPart(move)
      if (!this.states.length) this.states.push(before)
      this.states.push(after)
      this.moves.push(move)
    }
    this.total = effort === 'curve' ? 0 : turns.length
    const shares = this.states.map((state) => bench.value.shares(state))
    this.start = shares[0]!
    for (const n of this.moves.keys()) this.turns.push(this.bare(n, shares[n + 1]!))
  }

  private bare(number: number, shares: number[]): TurnReview {
    const state = this.states[number]!
    return {
      number,
      round_number: state.round_number[0]!,
      seat: state.seat[0]!,
      move: formatMove(this.moves[number]!),
      effort: null,
      best: null,
      loss: 0,
      error: 0,
      grade: null,
      is_certain: true,
      cost: [],
      expected_loss: {},
      simulations: 0,
      candidates: [],
      reasons: [],
      reveals: [],
      luck: shares.map(() => 0),
      shares,
    }
  }

  /** The luck of the card that came in a turn. */
  reveal(number: number): void {
    const found = revealOf(this.bench.value, this.states[number]!, this.moves[number]!)
    if (found) Object.assign(this.turns[number]!, { reveals: [found], luck: found.luck })
  }

  /** Looks at a decision until its grade is clear, or the effort is spent. */
  look(number: number): TurnReview {
    const { value, values, analysis } = this.bench
    const [state, move] = [this.states[number]!, formatMove(this.moves[number]!)]
    const seat = state.seat[0]!
    const view = seenBy(value.rules, state, seat)
    const one = analysis(formatPosition(state), seat, [move], this.seed * REVIEW.SEEDS + number)
    const verdict = lookedAt(one, move, EVALUATION.SIMULATIONS[this.effort])
    const { candidates, simulations } = one.evaluation()
    const kept = candidates.slice(0, REVIEW.CANDIDATES)
    if (!kept.some((candidate) => candidate.move === move)) kept.push(verdict.played)
    return Object.assign(this.turns[number]!, {
      effort: this.effort,
      best: verdict.best.move,
      loss: verdict.grade === 'forced' ? 0 : verdict.loss,
      error: verdict.error,
      grade: verdict.grade,
      is_certain: verdict.isCertain,
      cost: verdict.cost,
      expected_loss: expectedLosses(value.rules, values, view, one.worths()),
      simulations,
      candidates: kept,
      reasons: reasonsOf(value.rules, view, verdict, candidates),
    })
  }

  /** Everything that is known now. */
  review(): Review {
    const [first] = this.states as [State]
    const result = outcomeOf(this.game)
    const end = this.turns.at(-1)!.shares
    const names = this.start.map((_, seat) => this.game.tags[`Seat${seat}`] ?? null)
    return summed({
      version: 1,
      formula: FORMULA,
      network: FINGERPRINT,
      effort: this.effort,
      seed: this.seed,
      players: names.length,
      names,
      position: formatPosition(first),
      is_over: result !== null,
      start: this.start,
      turns: [...this.turns],
      summary: [],
      key_moments: [],
      decided_by: 'open',
      notes: this.notes(first, result !== null, end),
      done: 0,
      total: this.total,
    }, result ?? end)
  }

  private notes(first: State, hasResult: boolean, end: number[]): Note[] {
    const notes: Note[] = []
    if (hasResult && !this.game.isOver) {
      const expected = end.map((share) => `${(100 * share).toFixed(0)} %`).join(', ')
      notes.push({ code: 'given_up', params: { shares: end }, text: `The game was not played to its end. By then the seats could expect ${expected} of the win.` })
    }
    if (!hasResult) notes.push({ code: 'unfinished', params: {}, text: 'The game is not over: the result is what each seat can expect now.' })
    const isUnderWay = first.round_number[0]! > 1 || first.seat[0] !== first.first[0] || first.tokens.some((count) => count) || first.bought.some((bits) => bits)
    if (isUnderWay) notes.push({ code: 'begins_later', params: {}, text: 'The record does not begin with the deal: all that came before counts as deal.' })
    return notes
  }
}

function reasonsOf(rules: Rules, state: State, { grade, best, played }: Grading, candidates: readonly Candidate[]): Reason[] {
  if (isError(grade)) return reasonsFor(rules, state, best, played)
  return grade === 'great' ? reasonsFor(rules, state, played, candidates[1]!, REASONS.SECOND) : []
}

/** For a part of the simulations if it is clear then, for more if it is in doubt. */
function lookedAt(analysis: Analysis, move: string, simulations: number): Grading {
  let verdict: Grading
  for (const part of [...REVIEW.CLEAR_PARTS, 1, REVIEW.UNCLEAR_TIMES]) {
    analysis.run(Math.max(Math.floor(simulations * part) - analysis.simulations, 0))
    verdict = judge(analysis.evaluation().candidates, move)
    if ((verdict.isCertain && verdict.grade !== 'great') || (part === 1 && !isInDoubt(verdict))) break
  }
  return verdict!
}

/** Was the decision worse than the best, and could more search change the word for it? */
const isInDoubt = ({ grade, isCertain }: Grading): boolean => !isCertain && !['best', 'great', 'forced'].includes(grade)


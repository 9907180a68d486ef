/** Grades: what a decision cost, in one word, and only as far as the search can tell. See `analysis/grades.py`. */

import type { Candidate, TurnReview } from '../../src/api/messages.ts'
import { GRADES } from './tables.ts'

export type Grade = NonNullable<TurnReview['grade']>

/** What is said about a decision. */
export interface Grading {
  grade: Grade
  best: Candidate
  played: Candidate
  loss: number
  error: number // standard error of the loss; of the best decision, of its lead
  cost: number[] // what the decision cost each seat
  isCertain: boolean // false: with more search the grade could change
}

const { CERTAINTY, ERRORS, GREAT_GAP, OBVIOUS, SERIOUS_CERTAINTY, THRESHOLDS, UNLIKELY } = GRADES

export const isError = (grade: Grade | null): boolean => (GRADES.ERRORS as readonly (Grade | null)[]).includes(grade)
export const counts = (grade: Grade | null): boolean => (GRADES.COUNTED as readonly (Grade | null)[]).includes(grade)

/** The grade of a move among candidates that are ranked by their worth, and count as all that could be played. */
export function judge(candidates: readonly Candidate[], move: string): Grading {
  const best = candidates[0]!
  const played = candidates.find((one) => one.move === move)!
  const players = best.shares.length
  const others = candidates.filter((one) => one !== played)
  if (!others.length) return { grade: 'forced', best, played, loss: 0, error: 0, cost: best.shares.map(() => 0), isCertain: true }
  const rival = played === best ? others[0]! : best
  const [loss, error] = [best.worth - played.worth, Math.hypot(rival.error, played.error)]
  const cost = best.shares.map((better, seat) => better - played.shares[seat]!)
  const found = { best, played, loss, error, cost }
  if (played === best) return { ...found, ...gradeOfBest(played, rival, others, error, players) }
  const grade = gradeOfLoss(loss, players, error)
  const ends = [Math.max(loss - CERTAINTY * error, 0), loss + CERTAINTY * error]
  return { ...found, grade, isCertain: ends.every((end) => gradeOfLoss(end, players) === grade) }
}

/** The grade for a loss, as far as it exceeds its error. */
function gradeOfLoss(loss: number, players: number, error = 0): Grade {
  if (loss <= error) return 'best'
  const grade = word(loss > CERTAINTY * error ? loss : loss - error, players)
  if (!isSerious(grade)) return grade
  const sure = word(Math.max(loss - SERIOUS_CERTAINTY * error, 0), players)
  return isSerious(sure) ? sure : ERRORS[0]
}

const isSerious = (grade: Grade): boolean => (GRADES.SERIOUS as readonly Grade[]).includes(grade)

/** The grade of a loss without error. */
function word(loss: number, players: number): Grade {
  const found = Object.entries(THRESHOLDS).find(([, end]) => loss < (end * 2) / players)
  return (found?.[0] as Grade | undefined) ?? 'blunder'
}

/** The grade of the top decision: forced, great or just the best; and whether its lead is beyond doubt. */
function gradeOfBest(played: Candidate, second: Candidate, others: readonly Candidate[], error: number, players: number): Pick<Grading, 'grade' | 'isCertain'> {
  const lead = played.worth - second.worth
  const isAhead = lead - CERTAINTY * error > 0
  const hasGap = lead >= (GREAT_GAP * 2) / players && isAhead
  if (hasGap && played.prior > OBVIOUS) return { grade: 'forced', isCertain: true }
  const wasOverlooked = played.prior < UNLIKELY || others.some(({ prior }) => prior > played.prior)
  return hasGap && wasOverlooked ? { grade: 'great', isCertain: true } : { grade: 'best', isCertain: isAhead }
}

/** What a review says about the whole game: ledger, sums, key moments, what decided it. See `analysis/summary.py`. */

import type { KeyMoment, Review, SeatReview, TurnReview } from '../../src/api/messages.ts'
import { counts, type Grade, isError } from './grades.ts'
import { performanceOf } from './performance.ts'
import { ACCURACY, AVERAGE, GRADES, MOMENTS, PERFORMANCE } from './tables.ts'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The review with its sums brought up to date; `result` is the share of the win that each seat got, or can expect. */
export function summed(review: Review, result: readonly number[] = review.summary.map((seat) => seat.result)): Review {
  const { turns, names, players, position, start, effort } = review
  const seats = seatReviews(turns, names, Number(position.split(' ')[FIRST_SEAT]), start, result, effort)
  return {
    ...review,
    summary: seats,
    key_moments: keyMoments(turns, players),
    decided_by: review.is_over ? decidedBy(seats) : 'open',
    done: turns.filter((turn) => turn.effort !== null).length,
  }
}

const FIRST_SEAT = 1 // the field of a position

/** The sums of each seat. Deal, luck, errors and rest add up to what it got beyond an average deal. */
function seatReviews(turns: readonly TurnReview[], names: (string | null)[], first: number, start: readonly number[], results: readonly number[], effort: Review['effort']): SeatReview[] {
  const players = names.length
  const shares = AVERAGE[String(players) as keyof typeof AVERAGE]
  return names.map((name, seat) => {
    const average = shares[(seat - first + players) % players]!
    const result = results[seat]!
    const deal = start[seat]! - average
    const luck = sum(turns.map((turn) => turn.luck[seat]!))
    const [own, others] = [true, false].map((isOwn) => turns.filter((turn) => turn.grade !== null && (turn.seat === seat) === isOwn)) as [TurnReview[], TurnReview[]]
    const [ownErrors, othersErrors] = [own, others].map((list) => sum(list.map((turn) => -turn.cost[seat]!))) as [number, number]
    const counted = own.filter((turn) => counts(turn.grade))
    const losses = counted.map((turn) => turn.loss)
    const grades: Partial<Record<Grade, number>> = {}
    for (const { grade } of own) grades[grade!] = (grades[grade!] ?? 0) + 1
    const samples = counted.map((turn) => ({ loss: turn.loss, hardness: turn.expected_loss[PERFORMANCE.YARDSTICK] ?? 0 }))
    return {
      seat,
      name,
      average,
      result,
      deal,
      luck,
      own_errors: ownErrors,
      own_errors_error: spread(own),
      others_errors: othersErrors,
      others_errors_error: spread(others),
      rest: result - average - deal - luck - ownErrors - othersErrors,
      decisions: counted.length,
      grades,
      mean_loss: losses.length ? sum(losses) / losses.length : null,
      accuracy: accuracyOf(losses, players),
      performance: performanceOf(samples, players, effort),
    }
  })
}

function accuracyOf(losses: readonly number[], players: number): number | null {
  if (!losses.length) return null
  const mean = (Math.max(sum(losses) / losses.length, 0) * players) / 2
  return 100 / (1 + (mean / ACCURACY.HALF) ** ACCURACY.STEEPNESS)
}

/** The standard error of the sum of their losses. */
const spread = (turns: readonly TurnReview[]): number => Math.sqrt(sum(turns.filter((turn) => turn.loss > 0).map((turn) => turn.error ** 2)))

/** Of two, what one wins the other loses, but for the last bits. */
const rounded = (luck: number): number => Number(Math.abs(luck).toFixed(MOMENTS.DIGITS))

/** The turns that are worth looking at again, in their order. */
function keyMoments(turns: readonly TurnReview[], players: number): KeyMoment[] {
  const scale = 2 / players
  const found: KeyMoment[] = []
  for (const { number, seat, grade, loss, candidates, luck } of turns) {
    if (isError(grade) && loss >= MOMENTS.COSTLY * scale) found.push({ turn: number, seat, kind: 'error', swing: -loss })
    else if (grade === 'great') found.push({ turn: number, seat, kind: 'great', swing: candidates[0]!.worth - candidates[1]!.worth })
    const luckiest = luck.reduce((best, one, n) => (rounded(one) > rounded(luck[best]!) ? n : best), 0)
    if (Math.abs(luck[luckiest]!) >= MOMENTS.LUCKY * scale) found.push({ turn: number, seat: luckiest, kind: 'luck', swing: luck[luckiest]! })
  }
  found.sort((a, b) => Math.abs(b.swing) - Math.abs(a.swing))
  return found.slice(0, MOMENTS.MOST_MOMENTS).sort((a, b) => a.turn - b.turn || (a.kind < b.kind ? -1 : 1))
}

/** What made the winner win, if one thing outweighs all the others, the rest and its own error included. */
function decidedBy(seats: readonly SeatReview[]): Review['decided_by'] {
  const winner = seats.reduce((best, seat) => (seat.result > best.result ? seat : best))
  const errors = winner.own_errors + winner.others_errors
  const doubt = GRADES.CERTAINTY * Math.hypot(winner.own_errors_error, winner.others_errors_error)
  const parts = { errors: errors - doubt, deck: winner.luck, deal: winner.deal }
  const causes = Object.keys(parts) as (keyof typeof parts)[]
  const cause = causes.reduce((best, one) => (parts[one] > parts[best] ? one : best))
  const { [cause]: _, ...others } = { errors: errors + doubt, deck: winner.luck, deal: winner.deal, rest: winner.rest }
  const isAlone = winner.result === 1 && parts[cause] > sum(Object.values(others).map((part) => Math.max(part, 0)))
  return isAlone && parts[cause] > 0 ? cause : 'open'
}

/** Which of the graded levels decides like that, by the likelihood of the losses. See `analysis/performance.py`. */

import type { Performance, Review } from '../../src/api/messages.ts'
import { LEVELS } from '../levels.ts'
import { EFFORTS, MEASURED, PERFORMANCE } from './tables.ts'

/** A decision that counts. */
export interface Sample {
  loss: number
  hardness: number // the expected loss of the yardstick in this position
}

interface Measured {
  decisions: number
  counts: readonly (readonly number[])[] // [hardness, loss]
}

const { CONFIDENCE, FEWEST, FEWEST_MEASURED, HARDNESS_BINS, LOSS_BINS, PRIOR_DECISIONS, STEPS } = PERFORMANCE

const binOf = (ends: readonly number[], value: number): number => ends.filter((end) => end <= value).length

/** Between which levels somebody decided; null if there are too few decisions. */
export function performanceOf(samples: readonly Sample[], players: number, effort: Review['effort']): Performance | null {
  if (samples.length < FEWEST) return null
  const { levels, tables } = distributions(players, effort)
  const steps = STEPS * (levels.length - 1)
  const scale = Array.from({ length: steps + 1 }, (_, n) => (n * (levels.length - 1)) / steps)
  const places = samples.map(({ loss, hardness }) => [binOf(HARDNESS_BINS, (hardness * players) / 2), binOf(LOSS_BINS, (loss * players) / 2)] as const)
  const likelihood = scale.map((at) => {
    const lower = Math.min(Math.floor(at), levels.length - 2)
    const part = at - lower
    return places.reduce((sum, [hard, lost]) => sum + Math.log(part * tables[lower + 1]![hard]![lost]! + (1 - part) * tables[lower]![hard]![lost]!), 0)
  })
  const top = Math.max(...likelihood)
  const weights = likelihood.map((one) => Math.exp(one - top))
  const total = weights.reduce((sum, weight) => sum + weight)
  const at = (part: number): number => {
    let sum = 0
    const place = weights.findIndex((weight) => (sum += weight) / total >= part)
    return scale[place < 0 ? scale.length - 1 : place]!
  }
  const [low, middle, high] = [at((1 - CONFIDENCE) / 2), at(0.5), at((1 + CONFIDENCE) / 2)]
  const isTop = middle > levels.length - 1 - 1 / STEPS
  const below = isTop ? levels.length - 1 : Math.floor(middle)
  return {
    scale: middle,
    low,
    high,
    below: middle > 0 ? levels[below]! : null,
    above: isTop ? null : middle > 0 ? levels[below + 1]! : levels[0]!,
    decisions: samples.length,
  }
}

/** The levels, the weakest first, and how likely each loses how much  [level, hardness, loss]. */
function distributions(players: number, effort: Review['effort']): { levels: string[]; tables: number[][][] } {
  const stored = MEASURED as Record<string, Record<string, Record<string, Measured>>>
  const measured = EFFORTS.filter((name) => stored[name]?.[players] && EFFORTS.indexOf(name) <= EFFORTS.indexOf(effort))
  const entry = stored[measured.at(-1) ?? 'quick']![players]!
  const levels = Object.keys(LEVELS).filter((level) => (entry[level]?.decisions ?? 0) >= FEWEST_MEASURED)
  const tables = levels.map((level) =>
    entry[level]!.counts.map((row) => {
      const counts = row.map((count) => count + PRIOR_DECISIONS / (LOSS_BINS.length + 1))
      const total = counts.reduce((sum, count) => sum + count)
      return counts.map((count) => count / total)
    }),
  )
  return { levels, tables }
}

/** What the graded levels would have decided, and what that would have cost them. See `analysis/levels.py`. */

import type { ActionValues } from '../network.ts'
import type { Rules } from '../rules.ts'
import type { State } from '../state.ts'
import { TEMPERATURES } from './tables.ts'

/** What each level would have lost on average in a hidden state, by what the decisions are worth. */
export function expectedLosses(rules: Rules, values: ActionValues, state: State, worths: ReadonlyMap<number, number>): Record<string, number> {
  const worth = rules.withState(state.bytes, (at) => values.of(at))
  const legal = Array.from(worth.keys()).filter((action) => worth[action]! >= 0)
  const top = Math.max(...legal.map((action) => worth[action]!))
  const best = Math.max(...worths.values())
  const scale = 2 / state.players[0]!
  return Object.fromEntries(
    Object.entries(TEMPERATURES).map(([level, temperature]) => {
      const weights = legal.map((action) => Math.exp((worth[action]! - top) / (temperature * scale)))
      const total = weights.reduce((sum, weight) => sum + weight)
      return [level, legal.reduce((sum, action, n) => sum + (weights[n]! / total) * (best - worths.get(action)!), 0)]
    }),
  )
}

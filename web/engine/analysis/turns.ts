/** A whole turn as the decisions that it is made of: see `analysis/turns.py`. */

import { ACTION, PHASE } from '../layout.ts'
import { begin } from '../moves.ts'
import type { Move } from '../notation.ts'
import type { Rules } from '../rules.ts'
import { type State, stateOf } from '../state.ts'

/** One decision of a turn, and the state in which it is made. */
export interface Decision {
  state: State
  action: number
}

/** The decisions of a legal move, in order; tokens are returned in rising color. */
export function decisionsOf(rules: Rules, state: State, move: Move): Decision[] {
  const made: Decision[] = []
  if (move.kind !== 'finish') {
    const { action, after } = begin(rules, state, move)
    made.push({ state, action })
    state = after
  }
  const decide = (action: number): void => {
    made.push({ state, action })
    state = stateOf(rules.withState(state.bytes, (at) => {
      rules.apply(at, action)
      return rules.read(at)
    }))
  }
  move.returned?.forEach((count, color) => {
    for (let n = 0; n < count; n++) if (state.phase[0] === PHASE.RETURN) decide(ACTION.RETURN_TOKEN + color)
  })
  if (move.noble !== undefined && state.phase[0] === PHASE.NOBLE) decide(ACTION.CHOOSE_NOBLE + state.nobles.indexOf(move.noble - 1))
  return made
}

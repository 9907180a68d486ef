/** A game that begins from a given position: what nobody has seen is dealt anew, as a server does it. */

import { Game } from './game.ts'
import { PHASE } from './layout.ts'
import { Unanswerable } from './questions.ts'
import type { Rules } from './rules.ts'
import { type State, stateOf, withUnseenDecks } from './state.ts'

export function startFrom(rules: Rules, position: State, seed: bigint): Game {
  const phase = position.phase[0]!
  if (phase > PHASE.NOBLE) throw new Unanswerable('game_over')
  if (phase !== PHASE.ACT) throw new Unanswerable('unfinished_turn')
  const bytes = rules.withState(withUnseenDecks(position).bytes, (at) => {
    rules.module.call.redeal!(at, rules.newRng(seed))
    return rules.read(at)
  })
  return new Game(rules, stateOf(bytes))
}

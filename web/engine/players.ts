/** Computer players by name: the levels, and `random`, `greedy`, `search` and `network` with options. */

import { Generator } from './chance.ts'
import { ACTION, GREEDY_PLAYER, NETWORK_PLAYER } from './layout.ts'
import { LEVELS } from './levels.ts'
import type { View } from './game.ts'
import { withDecision } from './moves.ts'
import { ActionValues, type Network } from './network.ts'
import type { Move } from './notation.ts'
import type { Address } from './module.ts'
import type { Rules } from './rules.ts'
import { type Desk, type Limits, Search } from './search.ts'

/** Decides for a seat. */
export interface Player {
  /** A legal move for the seat whose view this is. A `signal` makes it move at once with what it has. */
  choose(view: View, limits?: Pick<Limits, 'signal' | 'progress' | 'every'>): Promise<Move>
}

type Decide = (state: Address) => number

/** The move that results when `decide` makes each decision of the turn. */
function wholeTurn(rules: Rules, view: View, decide: Decide): Move {
  if (view.isOver) throw new Error('the game is over')
  if (view.viewer !== view.seat) throw new Error(`it is the turn of seat ${view.seat}, but this is the view of ${view.viewer}`)
  return rules.withState(view.bytes, (state) => {
    let move: Move = { kind: 'finish' }
    do {
      const action = decide(state)
      move = withDecision(rules, state, move, action)
      rules.apply(state, action)
    } while (rules.goesOn(state))
    return move
  })
}

const later = (round: number, patient: number): number => Math.max(0, round - patient)
const firstBest = (actions: readonly number[], worth: ArrayLike<number>): number => actions.reduce((best, action) => (worth[action]! > worth[best]! ? action : best))

export interface Tools {
  rules: Rules
  desk: () => Desk // room for a search
  network: () => Network // throws where there is none
}

/** A player by its name, such as `master` or `search:simulations=500`. */
export function makePlayer(name: string, seed: bigint, tools: Tools): Player {
  const spec = (LEVELS as Record<string, string>)[name] ?? name
  const [kind, text = ''] = spec.split(':', 2) as [string, string?]
  const known: Record<string, string[]> = { random: [], greedy: ['noise'], search: ['time', 'simulations'], network: ['simulations', 'time', 'temperature'] }
  if (!known[kind]) throw new Error(`there is no player ${name}; there are ${[...Object.keys(LEVELS), ...Object.keys(known)].join(', ')}`)
  const options: Record<string, number> = {}
  for (const part of text ? text.split(',') : []) {
    const [option, value] = part.split('=') as [string, string?]
    if (!known[kind].includes(option)) throw new Error(`${kind} has no option ${option}`)
    if (!value || !Number.isFinite(Number(value))) throw new Error(`the option ${option} of ${kind} is a number, not ${value ?? 'nothing'}`)
    options[option] = Number(value)
  }
  if (kind === 'random') return randomPlayer(tools, seed)
  if (kind === 'greedy') return greedyPlayer(tools, seed, options.noise ?? 0)
  if (kind === 'search') return searchPlayer(tools, seed, options)
  return networkPlayer(tools, seed, options)
}

function randomPlayer({ rules }: Tools, seed: bigint): Player {
  const rng = rules.newRng(seed)
  return { choose: (view) => Promise.resolve(wholeTurn(rules, view, (state) => rules.module.call.random_action!(state, rng))) }
}

function greedyPlayer({ rules, desk }: Tools, seed: bigint, noise: number): Player {
  const rng = rules.newRng(seed)
  return {
    choose: (view) => {
      const { PATIENT_ROUNDS, IMPATIENCE } = GREEDY_PLAYER
      const { paper } = desk()
      const decide: Decide = (state) => {
        const amount = noise + IMPATIENCE * later(rules.get(state, 'round_number'), PATIENT_ROUNDS)
        return rules.module.call.greedy_decision!(state, amount, paper, rng)
      }
      return Promise.resolve(wholeTurn(rules, view, decide))
    },
  }
}

function searchPlayer({ rules, desk }: Tools, seed: bigint, options: Record<string, number>): Player {
  const limits: Limits = options.simulations || options.time ? {} : { seconds: 1 }
  if (options.simulations) limits.simulations = options.simulations
  if (options.time) limits.seconds = options.time
  let search: Search | null = null
  return {
    async choose(view, more) {
      if (search) search.advance(view)
      else search = new Search(rules, desk(), view, { seed })
      await search.run({ ...limits, ...more })
      return search.best()
    },
  }
}

function networkPlayer({ rules, desk, network: load }: Tools, seed: bigint, options: Record<string, number>): Player {
  const network = load()
  const { IMPATIENCE, LAST_SEARCH, PATIENT_ROUNDS, settings } = NETWORK_PLAYER
  const [values, closeLook] = [new ActionValues(rules, network), new ActionValues(rules, network, true)]
  const chance = new Generator(seed)
  const decide: Decide = (state) => {
    const worth = values.of(state)
    const temperature = (options.temperature ?? 0) + IMPATIENCE * later(rules.get(state, 'round_number'), PATIENT_ROUNDS)
    if (temperature > 0) {
      const spread = (temperature * 2) / rules.get(state, 'players')
      for (let action = 0; action < ACTION.ACTIONS; action++) worth[action]! += spread * chance.gumbel()
    }
    return firstBest(rules.legalActions(state), worth)
  }
  const limits: Limits = {}
  if (options.simulations) limits.simulations = options.simulations
  if (options.time) limits.seconds = options.time
  const isAlone = !options.simulations && !options.time
  return {
    async choose(view, more) {
      if (isAlone || view.round > LAST_SEARCH) return wholeTurn(rules, view, decide)
      const search = new Search(rules, desk(), view, { seed, settings, network, rootValues: closeLook })
      await search.run({ ...limits, ...more })
      return search.best()
    },
  }
}

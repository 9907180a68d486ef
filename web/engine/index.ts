/**
 * Splendor in a page, a worker or Node: the rules, the search and the network of the Python package, as WebAssembly.
 *
 *     const splendor = await load({ base: '/engine/', network: true })
 *     const game = splendor.deal({ players: 2, seed: 1 })
 *     const player = splendor.player('master')
 *     while (!game.isOver) game.play(await player.choose(game.view(game.seat)))
 *
 * `docs/browser.md` says more. One engine does one thing at a time; for more, load one in each worker.
 */

import { Analysis } from './analysis/evaluation.ts'
import { GameReview } from './analysis/reviewer.ts'
import { PositionValue } from './analysis/value.ts'
import { CARD_FACES, NOBLE_TILES } from './box.ts'
import { problemWith } from './checks.ts'
import { content, EngineProblem, hasSimd, type Read, readerFrom, start } from './files.ts'
import type { PositionAnswer, PositionQuestion, Replay, Review } from '../src/api/messages.ts'
import { Game, IllegalRecord, type Step, View } from './game.ts'
import { isJson, textOfJson } from './json.ts'
import { NETWORK_PLAYER, TABLE } from './layout.ts'
import { LEVELS } from './levels.ts'
import { ActionValues, Network } from './network.ts'
import { IllegalMove } from './moves.ts'
import { formatMove, hasUnseenCards, type Move, NotationError, parseMove, parsePosition } from './notation.ts'
import { makePlayer, type Player } from './players.ts'
import { answerPosition, Unanswerable } from './questions.ts'
import type { PlayedTurn } from './records.ts'
import { replayOf } from './replay.ts'
import { Rules } from './rules.ts'
import { type Choice, Desk, type Limits, type Result, Search, type Settings } from './search.ts'
import type { Viewer } from './showing.ts'
import { startFrom } from './starting.ts'
import type { State } from './state.ts'

export { CARD_FACES, EngineProblem, formatMove, Game, hasSimd, IllegalMove, IllegalRecord, NOBLE_TILES, NotationError, parseMove, Search, Unanswerable, View }
export type { Analysis, Choice, GameReview, Limits, Move, PlayedTurn, Player, Result, Settings, Step, Viewer }

export interface LoadOptions {
  /** Where rules.wasm, network.wasm and network.bin are; without it beside this module. */
  base?: string | URL
  /** Load the network too: 2.4 MB, for the levels. */
  network?: boolean
  /** Reads a file; the default fetches it. */
  read?: Read
}

/** The names of the levels, the weakest first. */
export const levels = Object.keys(LEVELS)

const MOST_SEED = 2n ** 64n - 1n
const randomSeed = (): bigint => crypto.getRandomValues(new BigUint64Array(1))[0]! >> 1n

/** Loads the engine. Rejects with an `EngineProblem`, whose sentence says what is wrong. */
export async function load(options: LoadOptions = {}): Promise<Splendor> {
  const read = options.read ?? readerFrom(new URL(options.base ?? import.meta.url, globalThis.location?.href ?? import.meta.url))
  if (options.network && !hasSimd()) {
    throw new EngineProblem('no_simd', 'this program cannot run the network, which needs WebAssembly SIMD; rules, search and greedy run without it')
  }
  const rules = new Rules(await start(read, 'rules.wasm'))
  if (!options.network) return new Splendor(rules, null)
  const [module, weights] = await Promise.all([start(read, 'network.wasm'), content(read, 'network.bin')])
  return new Splendor(rules, new Network(module, weights))
}

/** What analyses need, with memory that is used again and again. */
interface Bench {
  network: Network
  value: PositionValue
  closeLook: ActionValues // in all rotations
  quickLook: ActionValues
}

/** The engine at work. */
export class Splendor {
  private readonly rules: Rules
  private readonly net: Network | null
  private desk: Desk | null = null
  private kept: Bench | null = null

  constructor(rules: Rules, network: Network | null) {
    this.rules = rules
    this.net = network
  }

  get hasNetwork(): boolean {
    return this.net !== null
  }

  /** Deals a new game. The same seed gives the same deal; without one, chance decides. */
  deal(options: { players?: number; seed?: bigint | number; first?: number; roundCap?: number } = {}): Game {
    const { players = 2, first = 0, roundCap = 0 } = options
    if (!Number.isInteger(players) || players < 2 || players > TABLE.MAX_PLAYERS) throw new RangeError('Splendor is for 2 to 4 players')
    if (!Number.isInteger(first) || first < 0 || first >= players) throw new RangeError(`the first seat must be 0 to ${players - 1}`)
    if (!Number.isInteger(roundCap) || roundCap < 0) throw new RangeError('a cap on rounds must be a whole number')
    const seed = BigInt(options.seed ?? randomSeed())
    if (seed < 0n || seed > MOST_SEED) throw new RangeError('a seed must be from 0 to 2**64 - 1')
    return Game.deal(this.rules, players, seed, first, roundCap)
  }

  /** A game that starts from a whole position, given as text. */
  position(text: string): Game {
    const state = this.read(text)
    if (hasUnseenCards(state)) throw new NotationError('this position hides cards, so it cannot be played; it can be shown as a view')
    return new Game(this.rules, state)
  }

  /** A game that starts from a position, its decks and what nobody has seen dealt anew. */
  start(text: string, seed: bigint | number = randomSeed()): Game {
    return startFrom(this.rules, this.read(text), BigInt(seed))
  }

  /** A position as one seat sees it, given as text; null for a spectator. */
  view(text: string, viewer: number | null): View {
    return new View(this.rules, this.read(text).bytes, viewer)
  }

  private read(position: string): State {
    return parsePosition(position, (state) => problemWith(state, this.rules))
  }

  /** A game from its record, text or JSON, played to the end of it. */
  record(text: string): Game {
    return Game.fromRecord(this.rules, isJson(text) ? textOfJson(text) : text, (position) => this.read(position))
  }

  /** A game step by step, as the server would show it to this viewer; `all` sees every hand. */
  replay(game: Game, viewer: Viewer): Replay {
    return replayOf(game, viewer)
  }

  /** A position with its legal moves, after some moves; throws Unanswerable. */
  answer(question: PositionQuestion): PositionAnswer {
    return answerPosition(this.rules, question, (text) => this.read(text))
  }

  /** A tree search at a view: with the network where it is loaded and not refused, else with rollouts. */
  search(view: View, options: { seed?: bigint | number; settings?: Partial<Settings>; network?: boolean } = {}): Search {
    const { seed = randomSeed(), settings } = options
    const network = options.network === false ? null : this.net
    const more = network ? { network, rootValues: new ActionValues(this.rules, network, true) } : {}
    return new Search(this.rules, this.room(), view, { seed, ...(settings && { settings }), ...more })
  }

  /** A computer player by its name: a level such as `master`, or `search:simulations=500`. */
  player(name: string, options: { seed?: bigint | number } = {}): Player {
    const network = (): Network => {
      if (!this.net) throw new Error(`${name} needs the network: load({ network: true })`)
      return this.net
    }
    return makePlayer(name, BigInt(options.seed ?? randomSeed()), { rules: this.rules, desk: () => this.room(), network })
  }

  /** A search at the view of the seat that decides, told as the server tells evaluations; needs the network. */
  analysis(view: View, options: { include?: readonly string[]; seed?: number } = {}): Analysis {
    const { network, value, closeLook } = this.bench()
    const search = new Search(this.rules, this.room(), view, { seed: options.seed ?? 0, settings: NETWORK_PLAYER.settings, network, rootValues: closeLook })
    return new Analysis(view, search, value, closeLook, options.include ?? [])
  }

  /** A game under review, as the server reviews it; needs the network. */
  review(game: Game, effort: Review['effort'] = 'normal', seed = 0): GameReview {
    const { value, quickLook } = this.bench()
    const analysis = (position: string, seat: number, include: string[], seed: number): Analysis => this.analysis(this.view(position, seat), { include, seed })
    return new GameReview({ value, values: quickLook, analysis }, game, effort, seed)
  }

  private bench(): Bench {
    if (!this.net) throw new Error('this needs the network: load({ network: true })')
    const [network, { rules }] = [this.net, this]
    this.kept ??= { network, value: new PositionValue(rules, network), closeLook: new ActionValues(rules, network, true), quickLook: new ActionValues(rules, network) }
    return this.kept
  }

  private room(): Desk {
    this.desk ??= new Desk(this.rules)
    return this.desk
  }
}


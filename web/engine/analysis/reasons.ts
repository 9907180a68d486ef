/**
 * Why a decision was better than another one: facts that follow from the two lines, checked by playing both. See
 * `analysis/reasons.py`, which has the list of them.
 */

import type { Candidate, Reason } from '../../src/api/messages.ts'
import { Game } from '../game.ts'
import { CARD_BONUS, CARD_LEVEL, CARD_POINTS, COLORS, LIMITS, NOBLE_COST, PHASE, TABLE } from '../layout.ts'
import { IllegalMove } from '../moves.ts'
import type { Move } from '../notation.ts'
import type { Rules } from '../rules.ts'
import { ofSeat, type State } from '../state.ts'
import { REASONS } from './tables.ts'

/** A turn of a line, and the hidden states before and after it. */
interface LineTurn {
  seat: number
  move: Move
  before: State
  after: State
}

/** Two lines from one state, and the turns in them of the seat that decides. */
interface Comparison {
  seat: number
  state: State
  best: LineTurn
  played: LineTurn
  bestTurns: LineTurn[]
  playedTurns: LineTurn[]
  canBuy: (state: State, seat: number, card: number) => boolean // card: its printed id
}

type Params = Record<string, number>

/**
 * At most two reasons why the best decision is better than the played one, the strongest first. Where the best one was
 * played it is compared with another `rival`, which the sentences then call so.
 */
export function reasonsFor(rules: Rules, state: State, best: Candidate, played: Candidate, rival: string = REASONS.PLAYED): Reason[] {
  const [better, worse] = [best, played].map(({ line }) => playLine(rules, state, line)) as [LineTurn[], LineTurn[]]
  if (!better.length || !worse.length) return []
  const seat = state.seat[0]!
  const [bestTurns, playedTurns] = [better, worse].map((line) => line.filter((turn) => turn.seat === seat).slice(0, REASONS.TURNS_AHEAD)) as [LineTurn[], LineTurn[]]
  const canBuy: Comparison['canBuy'] = (at, who, card) => rules.withState(at.bytes, (address) => rules.missing(address, who, [card - 1])[0]!.canBuy)
  const lines = { seat, state, best: better[0]!, played: worse[0]!, bestTurns, playedTurns, canBuy }
  const found: Reason[] = []
  const named = new Set<number>() // a card is named once
  for (const code of Object.keys(FACTS)) {
    if (found.length === REASONS.MOST_REASONS) break
    const params = FACTS[code]!(lines).find(({ card }) => card === undefined || !named.has(card))
    if (!params) continue
    found.push(reason(code, params, rival))
    if (params.card !== undefined) named.add(params.card)
  }
  const gain = best.worth - played.worth
  if (found.length || gain < REASONS.LEAST_GAIN) return found
  return [reason('search', { gain: Number(gain.toFixed(4)) }, rival)]
}

/** The turns of a line as far as they can be played without a card that nobody has seen. */
function playLine(rules: Rules, state: State, line: readonly string[]): LineTurn[] {
  const turns: LineTurn[] = []
  for (const text of line) {
    if (state.phase[0]! > PHASE.NOBLE) break
    const before = state
    try {
      const { seat, move, after } = new Game(rules, before).playPart(text)
      turns.push({ seat, move, before, after })
      state = after
    } catch (error) {
      if (error instanceof IllegalMove) break
      throw error
    }
  }
  return turns
}

// ------------------------------------------------------------------------------------------------ facts

const scored = ({ seat, before, after }: LineTurn): number => after.points[seat]! - before.points[seat]!
const returned = ({ move }: LineTurn): number => (move.returned ?? []).reduce((sum, count) => sum + count, 0)
const pointsOf = (card: number): number => CARD_POINTS[card - 1]!
const isReserve = ({ move }: LineTurn): boolean => move.kind === 'reserve' || move.kind === 'draw'
const onMarket = (state: State, card: number): boolean => state.market.includes(card - 1)
const gold = (state: State, seat: number): number => state.tokens[(TABLE.GOLD + 1) * seat + TABLE.GOLD]!
/** Does the played line go so far that it can be said what is not in it? */
const isFollowed = ({ playedTurns }: Comparison, turns: number): boolean => playedTurns.length >= turns

/** The printed id of the noble that came. */
function nobleOf({ before, after }: LineTurn): number | null {
  const place = after.noble_seat.findIndex((seat, n) => seat !== before.noble_seat[n])
  return place < 0 ? null : after.nobles[place]! + 1
}

function lackingFor(state: State, seat: number, noble: number): number {
  const has = ofSeat(state.bonuses, seat, TABLE.GOLD)
  return NOBLE_COST[noble]!.reduce((sum: number, asked, color) => sum + Math.max(asked - has[color]!, 0), 0)
}

/** What can be said, by its code; the strongest first. */
const FACTS: Record<string, (lines: Comparison) => Params[]> = {
  ends({ seat, best, played }) {
    const [after, otherwise] = [best.after.points[seat]!, played.after.points[seat]!]
    return after >= LIMITS.WINNING_POINTS && otherwise < LIMITS.WINNING_POINTS ? [{ points: after }] : []
  },
  scores({ best, played }) {
    const [points, less] = [scored(best), scored(played)]
    return points > less && best.move.kind === 'buy' ? [{ card: best.move.card!, points, less }] : []
  },
  denies({ seat, state, best, played, canBuy }) {
    const { card } = best.move
    if (card === undefined || !onMarket(state, card) || !onMarket(played.after, card) || pointsOf(card) < REASONS.DENIED_POINTS) return []
    const players = state.players[0]!
    const others = Array.from({ length: players - 1 }, (_, n) => (seat + n + 1) % players)
    return others.filter((other) => canBuy(state, other, card)).map((other) => ({ card, seat: other, points: pointsOf(card) }))
  },
  noble(lines) {
    return lines.bestTurns.flatMap((turn, n): Params[] => {
      const noble = nobleOf(turn)
      const comesToo = lines.playedTurns.slice(0, n + 1).some((other) => nobleOf(other) !== null)
      return noble !== null && isFollowed(lines, n + 1) && !comesToo ? [{ noble, turns: n + 1 }] : []
    })
  },
  affords({ seat, state, best, played, bestTurns, canBuy }) {
    const { kind, card } = bestTurns[1]?.move ?? {}
    if (kind !== 'buy' || card === undefined || pointsOf(card) === 0) return []
    const [now, then, otherwise] = [state, best.after, played.after].map((at) => canBuy(at, seat, card))
    return !now && then && !otherwise ? [{ card, points: pointsOf(card) }] : []
  },
  buys(lines) {
    return lines.bestTurns.flatMap(({ move: { kind, card } }, n): Params[] => {
      if (kind !== 'buy' || card === undefined || !isFollowed(lines, n + 1) || pointsOf(card) === 0) return []
      const isBought = lines.playedTurns.slice(0, n + 1).some(({ move }) => move.kind === 'buy' && move.card === card)
      return isBought ? [] : [{ card, points: pointsOf(card), turns: n + 1 }]
    })
  },
  nearer({ seat, state, best, played }) {
    return Array.from(state.nobles).flatMap((noble, place): Params[] => {
      if (noble < 0 || best.after.noble_seat[place] !== TABLE.NOBODY) return []
      const [before, after, otherwise] = [state, best.after, played.after].map((at) => lackingFor(at, seat, noble)) as [number, number, number]
      return after < before && after < otherwise && after <= REASONS.FEW_LACKING ? [{ noble: noble + 1, lacking: after }] : []
    })
  },
  returns({ best, played }) {
    const [count, less] = [returned(played), returned(best)]
    return count > less ? [{ count, less }] : []
  },
  blocked({ seat, best, played, canBuy }) {
    const hand = ofSeat(played.after.reserved, seat, TABLE.RESERVE_LIMIT)
    const fills = isReserve(played) && !isReserve(best) && hand.every((card) => card < TABLE.CARDS)
    return fills && !hand.some((card) => canBuy(played.after, seat, card + 1)) ? [{}] : []
  },
  gold({ seat, state, best, played }) {
    const [gained, otherwise] = [best, played].map(({ after }) => gold(after, seat) - gold(state, seat)) as [number, number]
    return gained > 0 && otherwise <= 0 ? [{}] : []
  },
}

// ------------------------------------------------------------------------------------------------ words

const reason = (code: string, params: Params, rival: string): Reason => {
  const text = SENTENCES[code]!(params as Numbers)
  return { code, params, text: text.replaceAll(REASONS.PLAYED, rival).replaceAll(capitalized(REASONS.PLAYED), capitalized(rival)) }
}
const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
const within = (turns: number): string => (turns === 1 ? 'with this turn' : `within ${turns} turns`)
const cardWords = (card: number): string => `the ${COLORS[CARD_BONUS[card - 1]!]} card ${card} of level ${CARD_LEVEL[card - 1]! + 1}`

type Numbers = Record<'card' | 'count' | 'gain' | 'lacking' | 'less' | 'noble' | 'points' | 'seat' | 'turns', number>

const SENTENCES: Record<string, (params: Numbers) => string> = {
  ends: ({ points }) => `It reaches ${counted(points, 'point')}, which ends the game with this round.`,
  scores: ({ card, points, less }) => `It brings ${counted(points, 'point')} at once, with ${cardWords(card)}; the played turn brings ${less}.`,
  denies: ({ card, seat, points }) => `It takes ${cardWords(card)}, worth ${counted(points, 'point')}, which seat ${seat} could have bought next.`,
  noble: ({ noble, turns }) => `Noble ${noble} comes ${within(turns)}; in the line behind the played turn none comes by then.`,
  affords: ({ card, points }) => `It can pay for ${cardWords(card)}, worth ${counted(points, 'point')}, next turn; after the played turn not.`,
  buys: ({ card, points, turns }) => `It leads to ${cardWords(card)}, worth ${counted(points, 'point')}, ${within(turns)}; the played turn does not.`,
  nearer: ({ noble, lacking }) => (lacking ? `Its bonus counts for noble ${noble}, which then lacks ${lacking} more.` : `Its bonus is the last that noble ${noble} asks for.`),
  returns: ({ count, less }) => `The played turn gives back ${counted(count, 'token')}, this one ${less || 'none'}.`,
  blocked: () => 'The played turn fills the hand with reserved cards, none of which can be bought next turn.',
  gold: () => 'It takes a gold token, which the played turn does not.',
  search: ({ gain }) => `The search expects ${(100 * gain).toFixed(1)} % more of the win.`,
}

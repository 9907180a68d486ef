/** A position with its legal moves, after some moves were played on it: the twin of what the server answers. */

import type { Frame, PositionAnswer, PositionQuestion } from '../src/api/messages.ts'
import { Game } from './game.ts'
import { FIRST_CARD } from './layout.ts'
import { IllegalMove } from './moves.ts'
import { NotationError, parseMove } from './notation.ts'
import type { Rules } from './rules.ts'
import { boardView, offeredMoves, resultOf, type Viewer } from './showing.ts'
import { type State, stateOf, unseenCards, withUnseenDecks } from './state.ts'

/** Why a question has no answer, in the words of the server's refusals. */
export class Unanswerable extends Error {
  readonly code: string
  readonly params: Record<string, unknown>

  constructor(code: string, params: Record<string, unknown> = {}) {
    super(code)
    this.code = code
    this.params = params
  }
}

export function answerPosition(rules: Rules, question: PositionQuestion, parse: (text: string) => State): PositionAnswer {
  let state = read(question.position, parse)
  const { moves = [], cards = null, viewer = null, open_hands = false } = question
  if (viewer !== null && viewer >= state.players[0]!) throw new Unanswerable('no_such_seat', { seat: viewer })
  const eyes: Viewer = viewer === null || open_hands ? 'all' : viewer
  if (cards) state = withUnseenDecks(state)
  const played: Frame[] = []
  for (let n = 0; n < Math.max(moves.length, cards?.length ?? 0); n++) {
    const card = cards?.[n] ?? null
    if (moves[n] === undefined) throw new Unanswerable('card_not_left', { card })
    const before = cards ? dealt(rules, state, moves[n]!, card, n) : state
    const game = new Game(rules, before)
    const step = playPart(game, moves[n]!, n)
    state = step.after
    const board = boardView(rules, state, eyes, n + 1)
    played.push({ turn: n + 1, seat: step.seat, ...game.shown(step, eyes), comment: '', clock: null, evaluation: null, board })
  }
  const seat = state.seat[0]!
  const turnedTo = open_hands ? (viewer ?? seat) : null
  return { board: boardView(rules, state, eyes, played.length, turnedTo), moves: offeredMoves(rules, state, seat), played, result: resultOf(rules, state) }
}

function read(text: string, parse: (text: string) => State): State {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof NotationError) throw new Unanswerable('bad_position', { column: error.column, sentence: error.problem })
    throw error
  }
}

function playPart(game: Game, text: string, n: number) {
  try {
    return game.playPart(parseMove(text))
  } catch (error) {
    if (error instanceof NotationError) throw new Unanswerable('bad_notation', { column: error.column })
    if (error instanceof IllegalMove) throw new Unanswerable('illegal_move', { move: n, reason: error.code, ...error.params })
    throw error
  }
}

/** The same position with the card on its deck that the move brings; null: one at random of those that are left. */
function dealt(rules: Rules, state: State, move: string, card: number | null, n: number): State {
  const { after } = playPart(new Game(rules, state), move, n)
  const level = Array.from(state.deck_size).findIndex((size, deck) => after.deck_size[deck]! < size)
  const left = level < 0 ? [] : unseenCards(state, level)
  if (card !== null && !left.includes(card - 1)) throw new Unanswerable('card_not_left', { card })
  if (level < 0) return state
  const full = stateOf(state.bytes)
  full.deck[FIRST_CARD[level]! + state.deck_size[level]! - 1] = card === null ? left[Math.floor(Math.random() * left.length)]! : card - 1
  return full
}

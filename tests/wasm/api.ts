/** The module for others at work, asked by `test_wasm_api.py`: reads a question as JSON, prints the answer. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { PositionQuestion } from '../../web/src/api/messages.ts'
import { formatMove, type Game, IllegalMove, IllegalRecord, load, NotationError, parseMove, type Splendor, Unanswerable, type Viewer } from '../../web/engine/index.ts'

interface Question {
  what: string
  network?: boolean
  texts?: string[]
  viewers?: (number | null)[]
  games?: { players: number; seed: number; moves: string[] }[]
  player?: string
  position?: string
  simulations?: number
  seed?: number
  steps?: [position: string, move: string][]
  whole?: number
  questions?: PositionQuestion[]
  includes?: string[][]
}

const [folder] = process.argv.slice(2) as [string]
const question = JSON.parse(readFileSync(0, 'utf8')) as Question
const splendor = await load({ base: pathToFileURL(`${folder}/`), network: question.network ?? false })

/** What a text is read as, written again; or what is wrong with it, and where. */
function reread(text: string, read: (text: string) => string): string | [string, number] {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof NotationError) return [error.problem, error.column]
    throw error
  }
}

const digest = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)

/** All that anyone is shown of a position, of a move on it, and of what the mover may play. */
function everything(game: Game, move: string): unknown {
  const seats = Array.from({ length: game.players }, (_, seat) => seat)
  const viewers: Viewer[] = [...seats, null, 'all']
  const boards = [...viewers.map((viewer) => game.board(viewer)), game.board('all', 1)]
  const offers = [...seats, null].map((seat) => game.offers(seat))
  const standing = [game.result(), game.result('resignation')]
  if (!move) return { boards, offers, standing }
  const before = game.phase === 'act' ? game.continuations(game.seat, move.split(/[-@]/)[0]!) : []
  const step = game.playPart(move)
  const shown = viewers.map((viewer) => game.shown(step, viewer))
  return { boards, offers, standing, continuations: before, shown, after: game.position, reveals: step.reveals, ends: step.endsTurn }
}

/** The replay of a record for everyone. How Python and JavaScript write numbers in JSON differs, so without notes. */
function replayed(splendor: Splendor, text: string): string {
  const game = splendor.record(text)
  const viewers: Viewer[] = [...Array(game.players).keys(), null, 'all']
  const replays = viewers.map((viewer) => splendor.replay(game, viewer))
  return digest(replays.map((replay) => ({ ...replay, frames: replay.frames.map((frame) => ({ ...frame, clock: null, evaluation: null })) })))
}

/** A record that was read, written again; or what is wrong with it, and where. */
function rewritten(splendor: Splendor, text: string): unknown {
  try {
    return splendor.record(text).record()
  } catch (error) {
    if (error instanceof NotationError) return [error.problem, error.line, error.column]
    if (error instanceof IllegalRecord) return ['illegal', /^line \d+, column \d+/.exec(error.message)?.[0] ?? null]
    throw error
  }
}

/** A question about a position, or why it has no answer. */
function answered(splendor: Splendor, asked: PositionQuestion): unknown {
  try {
    return splendor.answer(asked)
  } catch (error) {
    if (error instanceof Unanswerable) return error.code === 'illegal_move' ? [error.code, error.params] : error.code
    throw error
  }
}

/** Why a move cannot be played, as a part of a turn and as a whole one; null where it can. */
function refused(splendor: Splendor, position: string, move: string): unknown {
  const game = splendor.position(position)
  return [() => game.check(move), () => game.play(move)].map((play) => {
    try {
      play()
      return null
    } catch (error) {
      if (error instanceof IllegalMove) return [error.message, error.code, error.params]
      throw error
    }
  })
}

async function answer(splendor: Splendor): Promise<unknown> {
  const { what, texts = [], games = [] } = question
  if (what === 'moves') return texts.map((text) => reread(text, (text) => formatMove(parseMove(text))))
  if (what === 'positions') return texts.map((text) => reread(text, (text) => splendor.position(text).position))
  if (what === 'views') return texts.map((text, n) => reread(text, (text) => splendor.view(text, question.viewers![n]!).position))
  if (what === 'games') {
    return games.map(({ players, seed, moves }) => {
      const game = splendor.deal({ players, seed })
      const seen = [game.position]
      const legal = [game.legalMoves.map(formatMove)]
      for (const move of moves) {
        game.play(move)
        seen.push(game.position, ...Array.from({ length: players }, (_, seat) => game.view(seat).position), game.view(null).position)
        legal.push(game.legalMoves.map(formatMove))
      }
      return { seen, legal, drawn: game.turns.map(({ drawn }) => drawn), winners: game.winners, points: game.points }
    })
  }
  if (what === 'shown') {
    const { steps = [], whole } = question
    if (whole !== undefined) return everything(splendor.position(steps[whole]![0]), steps[whole]![1])
    return steps.map(([position, move]) => digest(everything(splendor.position(position), move)))
  }
  if (what === 'refusals') return question.steps!.map(([position, move]) => refused(splendor, position, move))
  if (what === 'answers') return question.questions!.map((asked) => digest(answered(splendor, asked)))
  if (what === 'starts') return texts.map((text, n) => splendor.start(text, n).position)
  if (what === 'replays') return texts.map((text) => replayed(splendor, text))
  if (what === 'records') return texts.map((text) => rewritten(splendor, text))
  if (what === 'play') {
    const player = splendor.player(question.player!, { seed: question.seed! })
    const chosen: string[] = []
    for (const text of texts) {
      const view = splendor.position(text)
      chosen.push(formatMove(await player.choose(view.view(view.seat))))
    }
    return chosen
  }
  if (what === 'evaluate') {
    return texts.map((text, n) => {
      const { seat } = splendor.position(text)
      const analysis = splendor.analysis(splendor.view(text, seat), { seed: question.seed!, include: question.includes![n]! })
      analysis.run(question.simulations!)
      return analysis.evaluation()
    })
  }
  if (what === 'review') {
    return texts.map((text) => {
      const work = splendor.review(splendor.record(text), 'quick', question.seed!)
      for (let turn = 0; turn < work.total; turn++) work.reveal(turn)
      for (let turn = 0; turn < work.total; turn++) work.look(turn)
      return work.review()
    })
  }
  if (what === 'search') {
    const reports: number[] = []
    const results = []
    for (const text of texts) {
      const game = splendor.position(text)
      const search = splendor.search(game.view(game.seat), { seed: question.seed!, network: question.network ?? false })
      const result = await search.run({ simulations: question.simulations!, every: 50, progress: ({ simulations }) => reports.push(simulations) })
      results.push({
        simulations: result.simulations,
        value: result.value,
        choices: result.choices.map(({ move, visits, worth, line }) => [formatMove(move), visits, worth, line.map(formatMove)]),
      })
    }
    return { results, reports }
  }
  throw new Error(`nobody knows ${what}`)
}

console.log(JSON.stringify(await answer(splendor)))

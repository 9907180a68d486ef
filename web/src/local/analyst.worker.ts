/** Where positions are evaluated and games reviewed, beside the page: an engine of its own, one question at a time. */

import { EngineProblem, type GameReview, load, type Splendor, Unanswerable } from '../../engine/index.ts'
import type { FromAnalyst, ToAnalyst } from './analyst'

const EVERY = 50 // simulations between two reports
const SLICE = 10 // simulations, after which it looks whether somebody wants something else

const say = (message: FromAnalyst): void => postMessage(message)
const others = (): Promise<void> => new Promise((resume) => setTimeout(resume))

let engine: Promise<Splendor>
let review: GameReview | null = null
let current = 0 // the question that is worked on

onmessage = async ({ data }: MessageEvent<ToAnalyst>) => {
  current = data.number
  try {
    if (data.type === 'begin') engine = load({ base: data.engine, network: true })
    else if (data.type === 'evaluate') await evaluate(await engine, data)
    else if (data.type === 'review') open(await engine, data)
    else if (data.type === 'luck') await luck(data.number, data.turns)
    else if (data.type === 'look') say({ type: 'turn', number: data.number, turn: review!.look(data.turn) })
  } catch (error) {
    say({ type: 'failed', number: data.number, reason: error instanceof EngineProblem ? error.reason : 'error', sentence: String(error) })
  }
}

async function evaluate(splendor: Splendor, { number, position, include, simulations }: Extract<ToAnalyst, { type: 'evaluate' }>): Promise<void> {
  if (number !== current) return
  const { seat } = splendor.view(position, null)
  const view = splendor.view(position, seat)
  const analysis = splendor.analysis(view, { include: include.filter((move) => isLegal(splendor, position, move)) })
  while (analysis.simulations < simulations) {
    analysis.run(SLICE)
    if (analysis.simulations % EVERY === 0) say({ type: 'evaluation', number, evaluation: analysis.evaluation(), isDone: analysis.simulations >= simulations })
    await others()
    if (number !== current) return
  }
}

/** What was tried with another card may not be a turn here. */
function isLegal(splendor: Splendor, position: string, move: string): boolean {
  try {
    return splendor.answer({ position, moves: [move] }).played.length === 1
  } catch (error) {
    if (error instanceof Unanswerable) return false
    throw error
  }
}

function open(splendor: Splendor, { number, record, effort }: Extract<ToAnalyst, { type: 'review' }>): void {
  review = splendor.review(splendor.record(record), effort)
  say({ type: 'review', number, review: review.review() })
}

async function luck(number: number, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    review!.reveal(turn)
    await others()
    if (number !== current) return
  }
  say({ type: 'review', number, review: review!.review() })
}

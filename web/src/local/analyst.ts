/** A worker that evaluates positions and reviews games, asked one question at a time: a new one ends the last. */

import type { Evaluation, Review, TurnReview } from '../api/messages'
import { engineFolder } from '../lib/place'

export type ToAnalyst =
  | { type: 'begin'; number: number; engine: string }
  | { type: 'evaluate'; number: number; position: string; include: string[]; simulations: number }
  | { type: 'review'; number: number; record: string; effort: Review['effort'] }
  | { type: 'luck'; number: number; turns: number }
  | { type: 'look'; number: number; turn: number }
  | { type: 'stop'; number: number }

export type FromAnalyst =
  | { type: 'evaluation'; number: number; evaluation: Evaluation; isDone: boolean }
  | { type: 'review'; number: number; review: Review }
  | { type: 'turn'; number: number; turn: TurnReview }
  | { type: 'failed'; number: number; reason: string; sentence: string }

type Unnumbered<Message> = Message extends { number: number } ? Omit<Message, 'number'> : never

export class Analyst {
  private readonly worker = new Worker(new URL('./analyst.worker.ts', import.meta.url), { type: 'module' })
  private number = 0
  private heard: (message: FromAnalyst) => void = () => {}

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<FromAnalyst>) => {
      if (data.number === this.number) this.heard(data)
    }
    this.worker.onerror = (event) => this.heard({ type: 'failed', number: this.number, reason: 'error', sentence: event.message })
    this.send({ type: 'begin', engine: engineFolder() })
  }

  private send(message: Unnumbered<ToAnalyst>): void {
    this.worker.postMessage({ ...message, number: ++this.number })
  }

  /** Asks, and hears every answer until something else is asked. */
  ask(message: Unnumbered<ToAnalyst>, heard: (message: FromAnalyst) => void): void {
    this.heard = heard
    this.send(message)
  }

  stop(): void {
    this.ask({ type: 'stop' }, () => {})
  }

  end(): void {
    this.worker.terminate()
  }
}

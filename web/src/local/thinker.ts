/**
 * A worker in which computers think, one question at a time. A new question, or `stop`, ends the thought before. A
 * worker that gives no sign of life any more is started again, and asked again.
 */

import type { FromThinker, ToThinker } from './protocol'

const LOOK = 2000 // milliseconds between two looks at a worker that thinks
const MOST_SILENT = 8 // looks without a sign of life: it is gone
const MOST_STARTS = 3 // for one question

type Question = Omit<Extract<ToThinker, { type: 'think' }>, 'type' | 'number'>
interface Asked {
  question: Question
  starts: number
  resolve: (move: string) => void
  reject: (error: Error) => void
}

/** The thought is not wanted any more. */
export class Stopped extends Error {}

export interface Readiness {
  milliseconds: number | null // for a position; null: the network does not run here
  reason: string | null // why not
}

export class Thinker {
  private worker: Worker | null = null
  private asked: Asked | null = null
  private number = 0
  private silent = 0
  private watch: ReturnType<typeof setInterval> | undefined

  constructor(
    private readonly engine: string,
    private readonly ready: (how: Readiness) => void,
  ) {}

  /** The move of a player; rejects with Stopped, or another error if there is none. */
  ask(question: Question): Promise<string> {
    this.stop()
    return new Promise((resolve, reject) => {
      this.asked = { question, starts: 0, resolve, reject }
      this.send()
    })
  }

  stop(): void {
    const asked = this.settle()
    if (!asked) return
    this.tell({ type: 'stop' })
    asked.reject(new Stopped())
  }

  private settle(): Asked | null {
    const { asked } = this
    this.asked = null
    clearInterval(this.watch)
    return asked
  }

  private tell(message: ToThinker): void {
    this.worker?.postMessage(message)
  }

  private send(): void {
    this.worker ??= this.start()
    this.silent = 0
    this.number += 1
    this.tell({ type: 'think', number: this.number, ...this.asked!.question })
    clearInterval(this.watch)
    this.watch = setInterval(() => this.look(), LOOK)
  }

  private start(): Worker {
    const worker = new Worker(new URL('./thinking.worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<FromThinker>) => worker === this.worker && this.hear(data)
    worker.onerror = () => worker === this.worker && this.again()
    worker.postMessage({ type: 'begin', engine: this.engine } satisfies ToThinker)
    return worker
  }

  private look(): void {
    this.silent += 1
    if (this.silent > MOST_SILENT) this.again()
    else this.tell({ type: 'ping' })
  }

  /** Another worker for the same question. */
  private again(): void {
    this.worker?.terminate()
    this.worker = null
    if (!this.asked) return
    this.asked.starts += 1
    if (this.asked.starts < MOST_STARTS) this.send()
    else this.settle()!.reject(new Error('no computer can think here'))
  }

  private hear(message: FromThinker): void {
    this.silent = 0
    if (message.type === 'ready') this.ready(message)
    if (message.type === 'thought' && message.number === this.number) this.settle()?.resolve(message.move)
    if (message.type === 'failed' && message.number === this.number) this.settle()?.reject(new Error(message.reason))
  }
}

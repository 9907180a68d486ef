/**
 * A worker of this browser as the host of a table: `local/host.worker.ts` owns the game, and this is the page's side. A
 * worker that is gone is started again; it goes on with what is kept, and is sent again what has not been answered.
 */

import { Refused } from '../api/http'
import type { Hint } from '../api/messages'
import type { FromHost, ToHost } from '../local/protocol'
import { newKey } from '../lib/nonce'
import type { AnswerTo, Command, Host, Watch } from './host'
import { newLocalId, wishes } from './local-id'
import { hire } from './local-worker.svelte'
import { Told } from './told.svelte'
import { Unanswered } from './unanswered'

const LOOK = 4000 // milliseconds between two looks at the worker
const MOST_SILENT = 5 // looks without a sign of life

export class LocalHost extends Told implements Host {
  private readonly unanswered = new Unanswered((text) => this.say({ type: 'command', text }))
  private readonly hints = new Unanswered((key) => this.say({ type: 'hint', key }))
  private worker: Worker | null = null
  private silent = 0
  private readonly look = setInterval(() => this.watchOver(), LOOK)

  constructor(
    private readonly id: string,
    watch: Watch,
  ) {
    super(watch)
    this.start(false)
  }

  command<Sent extends Command>(command: Sent): Promise<AnswerTo<Sent>> {
    const key = newKey()
    return this.unanswered.ask(key, JSON.stringify({ ...command, key }))
  }

  async hint(): Promise<Hint> {
    const key = newKey()
    const { hint } = await this.hints.ask<{ hint: Hint }>(key, key)
    return hint
  }

  join(): Promise<void> {
    return Promise.reject(new Refused({ code: 'not_allowed' }))
  }

  async rematch(): Promise<string> {
    const { table } = await this.command({ type: 'rematch', commit: newLocalId() })
    return table
  }

  takeOver(): void {
    this.problem = null
    this.state = 'connecting'
    this.start(true)
  }

  close(): void {
    this.state = 'closed'
    clearInterval(this.look)
    this.say({ type: 'close' })
    this.worker = null
  }

  private say(message: ToHost): void {
    this.worker?.postMessage(message)
  }

  private start(force: boolean): void {
    this.worker?.terminate()
    const worker = hire(this.id, force ? 'force' : 'play')
    this.worker = worker
    this.silent = 0
    worker.onmessage = ({ data }: MessageEvent<FromHost>) => worker === this.worker && this.hear(data)
    worker.onerror = () => worker === this.worker && this.lost()
  }

  private watchOver(): void {
    if (document.hidden || this.state === 'refused') return
    this.silent += 1
    if (this.silent > MOST_SILENT) this.lost()
    else this.say({ type: 'ping' })
  }

  private lost(): void {
    if (!this.table) {
      this.state = 'refused'
      this.problem = 'engine_unreachable'
    } else {
      this.state = 'lost'
      this.start(true)
    }
  }

  private hear(message: FromHost): void {
    this.silent = 0
    switch (message.type) {
      case 'update':
        this.opened()
        this.update(message)
        return
      case 'done':
      case 'continuations':
      case 'rematch_ready':
        return this.unanswered.answer(message.key, message)
      case 'next':
        return void wishes.set(message.id, message.wish)
      case 'hinted':
        return this.hints.answer(message.key, message)
      case 'refused':
        this.hints.refuse(message.key, message.error)
        return this.unanswered.refuse(message.key, message.error)
      case 'remark':
        return this.remark(message.remark, message.holds)
      case 'pace':
        return void import('./where').then(({ notePace }) => notePace(message.milliseconds)).catch(() => null)
      case 'failed':
        this.state = 'refused'
        this.problem = message.problem.code
        return
    }
  }

  private opened(): void {
    if (this.state === 'open') return
    this.state = 'open'
    this.unanswered.sendAll()
    this.hints.sendAll()
  }
}

/**
 * A server as the host of a table. After a cut it catches up with what was missed, and sends again what has not been
 * answered (`unanswered.ts`): every command has a key, so that nothing is done twice.
 */

import { API, get, post, Refused } from '../api/http'
import type { Hint, ServerMessage, Table, Update } from '../api/messages'
import { withChat, withLine } from '../chat/merge'
import { keep, newKey, newNonce } from '../lib/nonce'
import { keepOpening } from '../lib/promises'
import { session } from '../lib/session.svelte'
import { duty } from './deal'
import type { AnswerTo, Command, Host, Watch } from './host'
import { Line } from './line'
import { Told } from './told.svelte'
import { Unanswered } from './unanswered'

export class SocketHost extends Told implements Host {
  private readonly unanswered = new Unanswered((text) => this.line.send(text))
  private readonly tended = new Set<string>()
  private readonly line: Line
  private build: string | null = null

  constructor(
    private readonly id: string,
    watch: Watch,
  ) {
    super(watch)
    this.line = new Line({
      path: () => `${API}/tables/${id}/socket?since=${this.table?.version ?? 0}`,
      opened: () => this.opened(),
      heard: (message) => this.take(message),
      cut: (tries) => this.cut(tries),
      refused: (reason) => this.refuse(reason || 'not_found'),
    })
  }

  command<Sent extends Command>(command: Sent): Promise<AnswerTo<Sent>> {
    const key = newKey()
    return this.unanswered.ask(key, JSON.stringify({ ...command, key }))
  }

  hint(): Promise<Hint> {
    return post<Hint>('/hints', { position: this.table?.board?.position })
  }

  async join(): Promise<void> {
    await session.join(this.id)
    this.line.redial() // with a seat the table looks different
  }

  async rematch(): Promise<string> {
    const next = this.table?.rematch ?? (await this.openRematch())
    await session.join(next).catch(() => null) // who has a seat there already is refused one
    return next
  }

  close(): void {
    this.state = 'closed'
    this.line.close()
  }

  private async openRematch(): Promise<string> {
    const ready = await this.command({ type: 'rematch', commit: keep(newNonce()) })
    return ready.table
  }

  private opened(): void {
    this.state = 'open'
    this.unanswered.sendAll()
  }

  private cut(tries: number): void {
    if (!this.table) void this.askWhy()
    if (tries > 1 || this.table) this.state = 'lost'
    if (tries > 2 && !this.table) this.problem = 'offline'
  }

  private refuse(code: string): void {
    this.problem = code
    this.state = 'refused'
    this.line.close()
  }

  /** A socket that never opened does not say why; a question does. */
  private async askWhy(): Promise<void> {
    try {
      await get(`/tables/${this.id}`)
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.code === 'offline' || this.state === 'closed') return
      this.refuse(error.problem.code)
    }
  }

  private take(message: ServerMessage): void {
    switch (message.type) {
      case 'update':
        return this.show(message)
      case 'done':
      case 'continuations':
      case 'rematch_ready':
        return this.unanswered.answer(message.key, message)
      case 'refused':
        return this.unanswered.refuse(message.key, message.error)
      case 'presence':
        this.online = message.online
        this.spectators = message.spectators
        return
      case 'said':
        this.heard = { ...message, n: (this.heard?.n ?? 0) + 1 }
        return
      case 'chat':
        this.chat = withChat(this.chat, message)
        return
      case 'written':
        this.chat = withLine(this.chat, message.line)
        return
      case 'beat':
        this.build ??= message.build
        if (message.build !== this.build) this.isOutdated = true
        return
      case 'bye':
        if (message.code === 'revoked' || message.code === 'flood') this.refuse(message.code)
        return
    }
  }

  private show(message: Update): void {
    if (!this.update(message)) return
    keepOpening(message.table)
    this.tendDeal(message.table)
  }

  private tendDeal(table: Table): void {
    const once = `${table.status}:${table.fairness?.commits.join()}`
    if (this.tended.has(once)) return
    const owed = duty(table)
    if (!owed) return
    this.tended.add(once)
    this.command(owed).catch(() => null) // another tab was quicker, or the deal is made: both are fine
  }
}

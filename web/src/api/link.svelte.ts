/**
 * The connection to one table. It reconnects by itself, catches up with what was missed, and sends again what has
 * not been answered: every command has a key, so that nothing is done twice.
 */

import { commitTo, keep, newKey, newNonce, nonceFor } from '../lib/nonce'
import { API, get, Refused } from './http'
import type { AnyEvent, ClientMessage, ServerMessage, Table } from './messages'

type Unkeyed<M> = M extends { key: string } ? Omit<M, 'key'> : never
export type Command = Unkeyed<ClientMessage>

interface Waiting {
  text: string
  resolve: (answer: ServerMessage) => void
  reject: (problem: Refused) => void
}

export type LinkState = 'connecting' | 'open' | 'lost' | 'refused' | 'closed'

const SILENCE = 50_000 // milliseconds without a sign of life until the connection counts as lost

export class TableLink {
  table = $state.raw<Table | null>(null)
  events = $state.raw<AnyEvent[]>([])
  online = $state.raw<number[]>([])
  spectators = $state(0)
  state = $state<LinkState>('connecting')
  problem = $state<string | null>(null)
  isOutdated = $state(false)
  skew = 0 // the server's clock less ours, in seconds

  private socket: WebSocket | null = null
  private waiting = new Map<string, Waiting>()
  private tries = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private silence: ReturnType<typeof setTimeout> | undefined
  private build: string | null = null
  private revealed = new Set<string>()

  constructor(
    readonly id: string,
    /** Told of every update before it is shown; shows it by calling `show`. */
    private readonly onupdate: (fresh: AnyEvent[], table: Table, isFirst: boolean, show: () => void) => void,
  ) {
    this.connect()
    addEventListener('online', this.wake)
    document.addEventListener('visibilitychange', this.wake)
  }

  close(): void {
    this.state = 'closed'
    removeEventListener('online', this.wake)
    document.removeEventListener('visibilitychange', this.wake)
    clearTimeout(this.timer)
    clearTimeout(this.silence)
    this.socket?.close()
  }

  /** Connects anew: after taking a seat one is seen differently. */
  renew(): void {
    this.socket?.close()
    this.socket = null
    this.connect()
  }

  /** Sends a command and waits for its answer, over as many connections as it takes. */
  command(command: Command): Promise<ServerMessage> {
    const key = newKey()
    return new Promise((resolve, reject) => {
      const text = JSON.stringify({ ...command, key })
      this.waiting.set(key, { text, resolve, reject })
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text)
    })
  }

  private wake = (): void => {
    if (document.hidden || this.state === 'closed' || this.state === 'refused') return
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send('{"type":"ping"}')
    else {
      this.tries = 0
      this.connect()
    }
  }

  private connect(): void {
    clearTimeout(this.timer)
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return
    const since = this.table?.version ?? 0
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}${API}/tables/${this.id}/socket?since=${since}`)
    this.socket = socket
    socket.onopen = () => {
      this.tries = 0
      this.state = 'open'
      socket.send('{"type":"ping"}')
      for (const { text } of this.waiting.values()) socket.send(text)
      this.listen()
    }
    socket.onmessage = (event) => {
      if (this.socket !== socket) return
      this.listen()
      this.take(JSON.parse(event.data as string) as ServerMessage)
    }
    socket.onclose = (event) => {
      if (this.socket !== socket || this.state === 'closed') return
      clearTimeout(this.silence)
      if (event.code === 1008) {
        this.problem = event.reason || 'not_found'
        this.state = 'refused'
        return
      }
      this.tries += 1
      if (!this.table) void this.ask()
      if (this.tries > 1 || this.table) this.state = 'lost'
      if (!this.table && this.tries > 2) this.problem = 'offline'
      this.timer = setTimeout(() => this.connect(), Math.min(8000, 250 * 2 ** this.tries) * (0.7 + Math.random() * 0.6))
    }
  }

  /** A socket that never opened does not say why; a question does. */
  private async ask(): Promise<void> {
    try {
      await get(`/tables/${this.id}`)
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.code === 'offline' || this.state === 'closed') return
      clearTimeout(this.timer)
      this.problem = error.problem.code
      this.state = 'refused'
    }
  }

  private listen(): void {
    clearTimeout(this.silence)
    this.silence = setTimeout(() => this.socket?.close(), SILENCE)
  }

  private take(message: ServerMessage): void {
    switch (message.type) {
      case 'update': {
        const isFirst = this.table === null || message.resync
        const fresh = message.events.filter((event) => isFirst || event.version > (this.table?.version ?? 0))
        if (this.table && message.version < this.table.version) return
        this.skew = message.table.now - Date.now() / 1000
        this.problem = null
        this.onupdate(fresh, message.table, isFirst, () => {
          this.events = message.resync ? fresh : [...this.events, ...fresh]
          this.table = message.table
        })
        void this.tendNonce(message.table)
        break
      }
      case 'done':
      case 'continuations':
      case 'rematch_ready':
        this.waiting.get(message.key)?.resolve(message)
        this.waiting.delete(message.key)
        break
      case 'refused':
        if (message.key) {
          this.waiting.get(message.key)?.reject(new Refused(message.error))
          this.waiting.delete(message.key)
        }
        break
      case 'presence':
        this.online = message.online
        this.spectators = message.spectators
        break
      case 'beat':
        this.build ??= message.build
        if (message.build !== this.build) this.isOutdated = true
        break
      case 'bye':
        if (message.code === 'revoked' || message.code === 'flood') {
          this.state = 'refused'
          this.problem = message.code
        }
        break
    }
  }

  /** Our part of the fair deal: promise a number if we have not, show it when all have promised. */
  private async tendNonce(table: Table): Promise<void> {
    const seat = table.you[0]
    if (seat === undefined || (table.status !== 'open' && table.status !== 'dealing')) return
    const commit = table.fairness.commits[seat]
    const once = `${table.status}:${commit ?? ''}`
    if (this.revealed.has(once)) return
    this.revealed.add(once)
    try {
      if (!commit) await this.command({ type: 'commit', commit: keep(newNonce()) })
      else if (table.status === 'dealing' && !table.seats[seat]?.has_revealed) {
        const nonce = nonceFor(commit)
        if (nonce && commitTo(nonce) === commit) await this.command({ type: 'reveal', nonce })
      }
    } catch {
      // another tab was quicker, or the deal is made: both are fine
    }
  }
}

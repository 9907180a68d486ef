/**
 * A line to the server that is kept open: it dials again when it was cut, after growing pauses, at once when the
 * browser is back online or back in sight. A line that stays silent for too long counts as cut.
 */

import type { ClientMessage, ServerMessage } from '../api/messages'

const SILENCE = 50_000 // milliseconds without a sign of life
const REFUSED = 1008 // the code with which a server closes what it does not allow

interface Listener {
  /** The path to dial, asked for each time. */
  path: () => string
  opened: () => void
  heard: (message: ServerMessage) => void
  /** Cut, or never opened; `tries` in a row. It is dialled again unless the line is closed. */
  cut: (tries: number) => void
  /** Not wanted by the server; it is not dialled again. */
  refused: (reason: string) => void
}

export class Line {
  private socket: WebSocket | null = null
  private isClosed = false
  private tries = 0
  private pause: ReturnType<typeof setTimeout> | undefined
  private silence: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly listener: Listener) {
    this.dial()
    addEventListener('online', this.wake)
    document.addEventListener('visibilitychange', this.wake)
  }

  /** Sends if the line is open. Whoever needs an answer sends again when it opens. */
  send(text: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text)
  }

  redial(): void {
    this.socket?.close()
    this.socket = null
    this.dial()
  }

  close(): void {
    this.isClosed = true
    removeEventListener('online', this.wake)
    document.removeEventListener('visibilitychange', this.wake)
    clearTimeout(this.pause)
    clearTimeout(this.silence)
    this.socket?.close()
  }

  private ping(): void {
    this.send(JSON.stringify({ type: 'ping' } satisfies ClientMessage))
  }

  private wake = (): void => {
    if (document.hidden) return
    if (this.socket?.readyState === WebSocket.OPEN) return this.ping()
    this.tries = 0
    this.dial()
  }

  private dial(): void {
    clearTimeout(this.pause)
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}${this.listener.path()}`)
    this.socket = socket
    socket.onopen = () => {
      this.tries = 0
      this.ping()
      this.listener.opened()
      this.listen()
    }
    socket.onmessage = (event) => {
      if (this.socket !== socket) return
      this.listen()
      this.listener.heard(JSON.parse(event.data as string) as ServerMessage)
    }
    socket.onclose = (event) => {
      if (this.socket === socket && !this.isClosed) this.ended(event)
    }
  }

  private listen(): void {
    clearTimeout(this.silence)
    this.silence = setTimeout(() => this.socket?.close(), SILENCE)
  }

  private ended(event: CloseEvent): void {
    clearTimeout(this.silence)
    if (event.code === REFUSED) {
      this.close()
      this.listener.refused(event.reason)
      return
    }
    this.tries += 1
    const longest = Math.min(8000, 250 * 2 ** this.tries)
    this.pause = setTimeout(() => this.dial(), longest * (0.7 + Math.random() * 0.6))
    this.listener.cut(this.tries)
  }
}

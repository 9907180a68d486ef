/**
 * Commands that the host has not answered yet. Each has a key and may be sent as often as needed: when the line opens
 * again, and after a pause when the host was too busy to carry it out, as it is with a full disk.
 */

import { Refused } from '../api/http'
import type { Problem } from '../api/messages'

const PAUSES = [500, 1000, 2000, 4000, 8000] // milliseconds before a command refused as `busy` is sent again

interface Waiting {
  text: string
  busy: number // times in a row
  resolve: (answer: unknown) => void
  reject: (problem: Refused) => void
}

export class Unanswered {
  private readonly waiting = new Map<string, Waiting>()

  constructor(private readonly send: (text: string) => void) {}

  ask<Answer>(key: string, text: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.set(key, { text, busy: 0, resolve: resolve as Waiting['resolve'], reject })
      this.send(text)
    })
  }

  sendAll(): void {
    for (const { text } of this.waiting.values()) this.send(text)
  }

  answer(key: string, answer: unknown): void {
    this.take(key)?.resolve(answer)
  }

  refuse(key: string | null, problem: Problem): void {
    const one = key === null ? undefined : this.waiting.get(key)
    if (!key || !one) return
    const pause = problem.code === 'busy' ? PAUSES[one.busy++] : undefined
    if (pause === undefined) this.take(key)?.reject(new Refused(problem))
    else setTimeout(() => this.waiting.has(key) && this.send(one.text), pause)
  }

  private take(key: string): Waiting | undefined {
    const one = this.waiting.get(key)
    this.waiting.delete(key)
    return one
  }
}

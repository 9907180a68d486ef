/** A review as it grows: read from the server's stream, line by line. */

import { API, lines, post, Refused } from '../api/http'
import type { Problem, Review, ReviewMessage, ReviewStatus, ReviewWish } from '../api/messages'

export type Effort = NonNullable<ReviewWish['effort']>

const AGAIN = 2000 // milliseconds until a broken connection is tried again

/** A review that grows, wherever it is made. All properties are reactive. */
export interface GrowingReview {
  readonly review: Review | null
  readonly problem: Problem | null
  readonly isGrowing: boolean
  /** Have the game looked at with this effort, and follow it. */
  want(effort: Effort): Promise<void>
  close(): void
}

export class Reviewing implements GrowingReview {
  review = $state.raw<Review | null>(null)
  problem = $state.raw<Problem | null>(null)
  isGrowing = $state(false)
  #reading: AbortController | null = null

  constructor(readonly id: string) {}

  /** Have the game looked at with this effort, and read along. */
  async want(effort: Effort): Promise<void> {
    this.problem = null
    try {
      await post<ReviewStatus>(`/reviews/${this.id}`, { effort })
    } catch (error) {
      this.problem = error instanceof Refused ? error.problem : { code: 'offline', params: {} }
      return
    }
    await this.#read()
  }

  close(): void {
    this.#reading?.abort()
  }

  async #read(): Promise<void> {
    this.close()
    const reading = (this.#reading = new AbortController())
    this.isGrowing = true
    try {
      const reply = await fetch(`${API}/reviews/${this.id}/stream`, { credentials: 'same-origin', signal: reading.signal })
      if (!reply.ok || !reply.body) throw new Error(String(reply.status))
      for await (const line of lines(reply.body)) if (this.#take(JSON.parse(line) as ReviewMessage)) break
      this.isGrowing = false
    } catch {
      if (reading.signal.aborted) return
      setTimeout(() => !reading.signal.aborted && void this.#read(), AGAIN)
    }
  }

  /** Take in a line; true if it is the last one. */
  #take(message: ReviewMessage): boolean {
    if (message.type === 'review') this.review = message.review
    else if (message.type === 'growth' && this.review) this.review = grown(this.review, message)
    else if (message.type === 'growth') void this.#read() // it began before anything was stored: read it whole
    return message.type === 'end'
  }
}

/** The review with what has become known since. */
function grown(review: Review, growth: Extract<ReviewMessage, { type: 'growth' }>): Review {
  const turns = [...(review.turns ?? [])]
  for (const turn of growth.turns) turns[turn.number] = turn
  const { summary, key_moments, decided_by, done, total } = growth
  return { ...review, effort: growth.effort as Review['effort'], turns, summary, key_moments, decided_by, done, total }
}

/**
 * A review as it grows, made in the page: by several workers, each with an engine, one decision at a time. The curve
 * comes first, then the luck, then what each decision cost.
 */

import { summed } from '../../engine/analysis/summary'
import type { Problem, Review } from '../api/messages'
import { Analyst, type FromAnalyst } from '../local/analyst'
import type { Effort, GrowingReview } from './reviewing.svelte'

const MOST = 4 // workers
const KEY = 'splendor.review' // the record that is reviewed, so that the page can be loaded anew

let handed: string | null = null // for a browser that keeps nothing

/** The record that another page hands over. */
export function handRecord(record: string): void {
  handed = record
  try {
    sessionStorage.setItem(KEY, record)
  } catch {
    // it is not there any more when the page is loaded anew
  }
}

export function handedRecord(): string | null {
  try {
    return handed ?? sessionStorage.getItem(KEY)
  } catch {
    return handed
  }
}

export class ReviewHere implements GrowingReview {
  review = $state.raw<Review | null>(null)
  problem = $state.raw<Problem | null>(null)
  isGrowing = $state(false)
  private analysts: Analyst[] = []
  private due: number[] = []
  private working = 0

  constructor(private readonly record: string) {}

  want(effort: Effort): Promise<void> {
    this.close()
    this.problem = null
    this.isGrowing = true
    this.working = 0
    const first = this.newAnalyst()
    first.ask({ type: 'review', record: this.record, effort }, (message) => {
      if (message.type !== 'review') return this.fail(message)
      this.review = message.review
      const turns = message.review.turns.length
      this.due = Array.from({ length: turns }, (_, turn) => turn)
      first.ask({ type: 'luck', turns }, (told) => {
        if (told.type !== 'review') return this.fail(told)
        this.review = told.review
        this.work(first)
        while (this.analysts.length < this.most) this.join(effort)
      })
    })
    return Promise.resolve()
  }

  close(): void {
    for (const analyst of this.analysts) analyst.end()
    this.analysts = []
    this.isGrowing = false
  }

  private get most(): number {
    return Math.min(MOST, Math.max(1, (navigator.hardwareConcurrency || 2) - 1))
  }

  private newAnalyst(): Analyst {
    const analyst = new Analyst()
    this.analysts.push(analyst)
    return analyst
  }

  /** One more worker. */
  private join(effort: Effort): void {
    const analyst = this.newAnalyst()
    analyst.ask({ type: 'review', record: this.record, effort }, (message) => (message.type === 'review' ? this.work(analyst) : this.fail(message)))
  }

  /** The next decision; when there is none and nobody works any more, it is done. */
  private work(analyst: Analyst): void {
    const turn = this.due.shift()
    if (turn === undefined) {
      if (!this.working) this.close()
      return
    }
    this.working += 1
    analyst.ask({ type: 'look', turn }, (message) => {
      if (message.type !== 'turn') return this.fail(message)
      this.working -= 1
      const { reveals, luck } = this.review!.turns[turn]! // which only the first worker knows
      this.review = summed({ ...this.review!, turns: this.review!.turns.with(turn, { ...message.turn, reveals, luck }) })
      this.work(analyst)
    })
  }

  private fail(message: FromAnalyst): void {
    const reason = message.type === 'failed' ? message.reason : 'error'
    this.close()
    this.problem = { code: reason === 'error' ? 'not_reviewable' : reason, params: {} }
  }
}

/** What decisions are worth in a position, told while one looks: by the engine in the page, or by the server. */

import { API, lines, Refused } from '../api/http'
import { hasSimd, isBuilt } from '../../engine/files'
import type { Evaluation, Problem, Refusal } from '../api/messages'
import { hasServer } from '../lib/place'
import { settings } from '../lib/settings.svelte'
import { objection } from './permission'

export interface Update {
  evaluation: Evaluation | null // the best so far
  problem: Problem | null // why there is none, or no better one
  isDone: boolean
  by: 'here' | 'server' | null // who reckons
}

/** Tells `onUpdate` ever more exactly, `include` among the decisions, until it is done or stopped. */
export type Evaluate = (position: string, include: string[], onUpdate: (update: Update) => void) => () => void

const PATIENCE = 250 // milliseconds: whoever steps on at once asks for nothing
const MOST_INCLUDED = 4

let isUnable = false // an engine that was here failed

/** Can the page do it itself? */
export const canHere = (): boolean => isBuilt() && hasSimd() && !isUnable

/** Shall it? Unless somebody has said so, the engine is not loaded over a line on which bytes are to be saved. */
export function isHere(): boolean {
  if (!hasServer) return true
  const line = (navigator as { connection?: { saveData?: boolean } }).connection
  return canHere() && (settings.analyses === 'here' || (settings.analyses === 'auto' && !line?.saveData))
}

/** By whoever can; where the page fails, the server goes on. */
export const evaluate: Evaluate = (position, include, onUpdate) => {
  if (!isHere()) return byServer(position, include, onUpdate)
  let stop = (): void => {}
  let isStopped = false
  const byServerInstead = (): void => {
    isUnable = true
    stop = byServer(position, include, onUpdate)
  }
  const timer = setTimeout(() => {
    void Promise.all([import('../local/evaluating'), objection(position)]).then(([{ byPage }, problem]) => {
      if (isStopped) return
      if (problem) return onUpdate({ evaluation: null, problem, isDone: true, by: 'server' })
      stop = byPage(position, include.slice(0, MOST_INCLUDED), (update) => {
        if (update.problem && hasServer) byServerInstead()
        else onUpdate(update)
      })
    }).catch(() => !isStopped && byServerInstead())
  }, PATIENCE)
  return () => {
    isStopped = true
    clearTimeout(timer)
    stop()
  }
}

/** By the server, which looks on while the connection is open. */
const byServer: Evaluate = (position, include, onUpdate) => {
  const asking = new AbortController()
  const timer = setTimeout(() => void read(), PATIENCE)
  let evaluation: Evaluation | null = null

  async function read(): Promise<void> {
    try {
      const reply = await fetch(`${API}/evaluations`, {
        method: 'POST',
        credentials: 'same-origin',
        signal: asking.signal,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ position, effort: 'normal', include: include.slice(0, MOST_INCLUDED) }),
      })
      if (!reply.ok || !reply.body) throw new Refused(((await reply.json()) as Refusal).error, reply.status)
      for await (const line of lines(reply.body)) {
        evaluation = JSON.parse(line) as Evaluation
        onUpdate({ evaluation, problem: null, isDone: false, by: 'server' })
      }
      onUpdate({ evaluation, problem: null, isDone: true, by: 'server' })
    } catch (error) {
      if (asking.signal.aborted) return
      onUpdate({ evaluation, problem: error instanceof Refused ? error.problem : { code: 'offline' }, isDone: true, by: 'server' })
    }
  }

  return () => {
    clearTimeout(timer)
    asking.abort()
  }
}

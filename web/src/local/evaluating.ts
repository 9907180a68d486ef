/** Evaluations by the engine in the page. */

import type { Evaluate } from '../analysis/evaluator'
import { Analyst } from './analyst'

const SIMULATIONS = 400 // as many as the server spends
const IDLE = 60_000 // milliseconds after which the worker is let go

let analyst: Analyst | null = null
let rest: ReturnType<typeof setTimeout> | undefined

export const byPage: Evaluate = (position, include, onUpdate) => {
  clearTimeout(rest)
  const asked = (analyst ??= new Analyst())
  asked.ask({ type: 'evaluate', position, include, simulations: SIMULATIONS }, (message) => {
    if (message.type === 'evaluation') onUpdate({ evaluation: message.evaluation, problem: null, isDone: message.isDone, by: 'here' })
    if (message.type !== 'failed') return
    analyst = null // another try begins anew
    asked.end()
    onUpdate({ evaluation: null, problem: { code: message.reason === 'error' ? 'no_engine' : message.reason }, isDone: true, by: 'here' })
  })
  return () => {
    asked.stop()
    rest = setTimeout(() => {
      analyst?.end()
      analyst = null
    }, IDLE)
  }
}

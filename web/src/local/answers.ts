/** What the page answers by itself, with its own engine, where no server does: questions for which nobody needs one. */

import { EngineProblem, IllegalRecord, load, NotationError, type Splendor, Unanswerable } from '../../engine/index'
import { Refused } from '../api/http'
import type { PositionQuestion, RecordText } from '../api/messages'
import { engineFolder } from '../lib/place'

type Answer = (body: unknown, query: URLSearchParams) => unknown

let engine: Promise<Splendor> | null = null

function rules(): Promise<Splendor> {
  engine ??= load({ base: engineFolder() })
  engine.catch(() => (engine = null)) // the next question tries again
  return engine
}

const ANSWERS: Record<string, Answer> = {
  '/positions': async (body) => (await rules()).answer(body as PositionQuestion),
  '/records/replay': async (body, query) => {
    const splendor = await rules()
    const viewer = query.get('viewer')
    return splendor.replay(splendor.record((body as RecordText).record), viewer === null ? 'all' : Number(viewer))
  },
}

/** The answer to a request; throws Refused, with the code `offline` for what only a server knows. */
export async function answer(address: string, body: unknown): Promise<unknown> {
  const [path = '', query] = address.split('?')
  try {
    if (ANSWERS[path]) return await ANSWERS[path](body, new URLSearchParams(query))
  } catch (error) {
    throw refusalOf(error)
  }
  throw new Refused({ code: 'offline', params: {} })
}

function refusalOf(error: unknown): unknown {
  if (error instanceof Unanswerable) return new Refused({ code: error.code, params: error.params })
  if (error instanceof IllegalRecord) return new Refused({ code: 'illegal_record', params: {} })
  if (error instanceof NotationError) return new Refused({ code: 'bad_record', params: {} })
  return error instanceof EngineProblem ? new Refused({ code: 'offline', params: {} }) : error
}

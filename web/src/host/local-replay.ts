/** A game that this browser keeps and that is over: step by step, and reviewed. */

import { Refused } from '../api/http'
import type { Replay, Table } from '../api/messages'
import type { FromHost, ToHost } from '../local/protocol'
import { beginReview } from '../review/begin'
import { hire } from './local-worker.svelte'

export interface LocalReplay {
  replay: Replay
  table: Table // who was who there
}

/** Rejects with Refused if the game is not there, or not over. */
export function localReplay(id: string, viewer: number | null): Promise<LocalReplay> {
  const worker = hire(id, 'read')
  return new Promise<LocalReplay>((resolve, reject) => {
    let table: Table
    worker.onmessage = ({ data }: MessageEvent<FromHost>) => {
      if (data.type === 'update') {
        table = data.table
        worker.postMessage({ type: 'replay', key: id, viewer } satisfies ToHost)
      }
      if (data.type === 'replayed') resolve({ replay: data.replay, table })
      if (data.type === 'failed') reject(new Refused(data.problem))
      if (data.type === 'refused') reject(new Refused(data.error))
    }
    worker.onerror = () => reject(new Refused({ code: 'engine_unreachable' }))
  }).finally(() => worker.terminate())
}

export const reviewLocal = async (id: string): Promise<void> => beginReview((await localReplay(id, null)).replay.record)

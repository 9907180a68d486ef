/** Games that this browser hosted, sent to the account of whoever played them. */

import { get, post, Refused } from '../api/http'
import type { ImportedGame } from '../api/messages'
import { hasServer } from '../lib/place'
import { session } from '../lib/session.svelte'

/** Is there an account that can keep games? */
export const canKeep = async (): Promise<boolean> => hasServer && ((await session.recall().catch(() => null))?.is_registered ?? false)

/** The games from elsewhere in the account. */
export const importedGames = (): Promise<ImportedGame[]> => get<ImportedGame[]>('/imports')

/** Keeps finished games of this browser in the account, and tells of each; rejects with Refused. */
export async function keepInAccount(ids: string[], kept: (game: ImportedGame) => void = () => {}): Promise<void> {
  const { localReplay } = await import('../host/local-replay')
  for (const id of ids) kept(await sent((await localReplay(id, null)).replay.record))
}

/** A server that has had many of them says for how long to wait. */
async function sent(record: string): Promise<ImportedGame> {
  for (;;) {
    try {
      return await post<ImportedGame>('/imports', { record })
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.code !== 'too_many') throw error
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(error.problem.params?.seconds ?? 1)))
    }
  }
}

/** Positions that people play right now are not studied: the server knows them, and an engine in the page asks it first. */

import { post, Refused } from '../api/http'
import type { Problem } from '../api/messages'
import { hasServer } from '../lib/place'

const PATIENCE = 3000 // milliseconds: a line that is as good as cut does not hold up an engine that is here

/** Why a position must not be studied now; null if it may, or if nobody can be asked. */
export async function objection(position: string): Promise<Problem | null> {
  if (!hasServer) return null
  const asked = post('/evaluations/check', { position }).then(() => null, (error: unknown) =>
    error instanceof Refused && error.problem.code === 'still_played' ? error.problem : null)
  return Promise.race([asked, new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE))])
}

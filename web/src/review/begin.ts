/** The review of a game file: in the page where there is no server or the settings say so, otherwise by the server. */

import { post } from '../api/http'
import type { ReviewStatus } from '../api/messages'
import { hasServer } from '../lib/place'
import { go } from '../lib/router.svelte'
import { settings } from '../lib/settings.svelte'
import { handRecord } from './here.svelte'

export async function beginReview(record: string, step = 0): Promise<void> {
  if (!hasServer || settings.analyses === 'here') {
    handRecord(record)
    return go(`/review?step=${step}`)
  }
  const made = await post<ReviewStatus>('/reviews', { record })
  go(`/review/${made.id}?step=${step}`)
}

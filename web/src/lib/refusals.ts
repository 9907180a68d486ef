/** What to say when a request has failed: why it was refused, or that nobody could be asked. */

import { Refused } from '../api/http'
import { t } from '../i18n/index.svelte'
import { notify } from './announce.svelte'
import { problemText } from './names'

export const refusalText = (error: unknown): string =>
  error instanceof Refused ? problemText(error.problem) : t('net.offline')

export const notifyRefusal = (error: unknown): void => notify(refusalText(error), 'problem')

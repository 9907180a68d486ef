/** What happened at a table, in one sentence each; empty for what nobody needs to read. */

import type { AnyEvent } from '../api/messages'
import { t } from '../i18n/index.svelte'
import { moveText, personName } from './names'

/** `you`: the viewer's own seats, who need not be told that they were away. */
export function eventText(event: AnyEvent, names: string[], you: number[] = []): string {
  const name = 'seat' in event && event.seat !== null ? (names[event.seat] ?? '') : ''
  switch (event.type) {
    case 'played':
      return moveText(event.move, name, event)
    case 'started':
      return t('log.started', { name: names[0] ?? '' })
    case 'sat_down':
      return t('log.sat_down', { name: personName(event.person) })
    case 'left':
      return t('log.left')
    case 'took_back':
      return t('log.took_back', { n: event.turns })
    case 'takeback_offered':
      return t('log.offered', { name })
    case 'takeback_declined':
      return t('log.declined', { name })
    case 'forfeited':
      return t(event.reason === 'resigned' ? 'log.resigned' : event.reason === 'time' ? 'log.time' : 'log.absent', { name })
    case 'replaced':
      return t('log.replaced', { name })
    case 'went_absent':
      return you.includes(event.seat) ? '' : t('log.away', { name })
    case 'came_back':
      return you.includes(event.seat) ? '' : t('log.back', { name })
    case 'engine_trouble':
      return t('log.trouble')
    case 'aborted':
      return t('log.aborted')
    case 'clocks_resumed':
      return t('log.clocks')
    case 'rematched':
      return t('log.rematch', { name })
    default:
      return ''
  }
}

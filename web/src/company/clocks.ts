/** Clocks by name, as they are offered, and what others are called. */

import type { Clock } from '../api/messages'
import { clockText } from '../board/seats'
import { t } from '../i18n/index.svelte'

export const CLOCKS: Record<'none' | 'blitz' | 'live' | 'slow' | 'day' | 'days', Clock> = {
  none: { kind: 'none' },
  blitz: { kind: 'live', seconds: 300, increment: 5 },
  live: { kind: 'live', seconds: 900, increment: 10 },
  slow: { kind: 'live', seconds: 1800, increment: 20 },
  day: { kind: 'days', days: 1 },
  days: { kind: 'days', days: 3 },
}

/** In words, for a list; empty for none. */
export function clockName(clock: Clock): string {
  if (clock.kind === 'none') return ''
  const known = (Object.keys(CLOCKS) as (keyof typeof CLOCKS)[]).find((name) => JSON.stringify(CLOCKS[name]) === JSON.stringify(clock))
  if (known) return t(`new.clock.${known}`)
  return clock.kind === 'days' ? clockText(clock.days * 86400) : `${clockText(clock.seconds)} + ${clock.increment ?? 0} s`
}

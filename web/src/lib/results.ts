/** The result of a game in words, with what decided it. */

import type { Result, Seat } from '../api/messages'
import { list, t } from '../i18n/index.svelte'

export function resultText(result: Result, names: string[], forfeits: Seat['forfeit'][] = []): string {
  const winners = result.winners.map((seat) => names[seat] ?? '')
  const first = result.winners[0] ?? 0
  const out = list(forfeits.flatMap((forfeit, seat) => (forfeit ? [names[seat] ?? ''] : [])))
  const said: string[] = []
  if (result.reason === 'stalemate') said.push(t('end.stalemate'))
  if (result.reason === 'cap') said.push(t('end.cap'))
  if (result.reason === 'resignation') said.push(t('end.resignation', { name: out }))
  if (result.reason === 'time') said.push(t('end.time', { name: out }))
  if (result.reason === 'abandoned') said.push(t('end.abandoned', { name: out }))
  if (result.decided_by === 'points') said.push(t('end.by_points', { name: winners[0] ?? '', n: result.points[first] ?? 0 }))
  if (result.decided_by === 'cards') said.push(t('end.by_cards', { name: winners[0] ?? '', n: result.cards[first] ?? 0 }))
  if (result.decided_by === 'shared') said.push(t('end.by_shared', { names: list(winners) }))
  return said.join(' ')
}

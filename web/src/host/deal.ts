/** The viewer's part of a fair deal: promise a number, and show it when all have promised. */

import type { Table } from '../api/messages'
import { commitTo, keep, newNonce, nonceFor } from '../lib/nonce'
import { keepPromises } from '../lib/promises'
import type { Command } from './host'

/** What a table waits for from this viewer before the cards are dealt; null if nothing. */
export function duty(table: Table): Command | null {
  const seat = table.you[0]
  if (seat === undefined || !table.fairness || (table.status !== 'open' && table.status !== 'dealing')) return null
  const commit = table.fairness.commits[seat]
  if (!commit) return table.seats.some((other) => other.has_revealed) ? null : { type: 'commit', commit: keep(newNonce()) }
  if (table.status !== 'dealing' || table.seats[seat]?.has_revealed) return null
  if (table.seats.some((other) => other.owes_promise)) return null
  const nonce = nonceFor(commit)
  if (!nonce || commitTo(nonce) !== commit) return null
  keepPromises(table, nonce)
  return { type: 'reveal', nonce }
}

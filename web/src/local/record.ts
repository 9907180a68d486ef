/** A finished game of this browser as a game file, with what its deal follows from. */

import type { Person } from '../api/messages'
import { commitTo } from '../lib/nonce'
import { PROCEDURE } from '../lib/proof'
import type { LocalTable } from './table'

export function recordOf(table: LocalTable): string {
  const { game, made, result, seats } = table
  const { tags } = game
  for (const [seat, { label, player }] of seats.entries()) {
    const name = label ?? nameOf(player)
    if (name) tags[`Seat${seat}`] = name
  }
  tags.Date = new Date(table.created * 1000).toISOString().slice(0, 10)
  tags.Table = table.id
  if (result && !game.isOver) Object.assign(tags, { Termination: result.reason, Winners: result.winners.join(',') })
  if (made.position === null) {
    Object.assign(tags, { Deal: PROCEDURE, Commit: commitTo(made.secret), Secret: made.secret, Seating: made.order, Order: table.order.join(',') })
  }
  return game.record()
}

const nameOf = ({ name, level, guest }: Person): string | null => name ?? level ?? (guest ? `guest ${guest}` : null)

/** What the page says about a table, read from its host: whose turn it is, who is there, how much time is left. */

import type { Seat, Table } from '../../api/messages'
import { clockText, type SeatInfo } from '../../board/seats'
import type { Host } from '../../host/host'
import { t } from '../../i18n/index.svelte'
import { avatarOf } from '../../lib/avatars'
import { pointsText } from '../../lib/names'

/** Several players at this device. */
export const isShared = (table: Table | null): boolean => (table?.you.length ?? 0) > 1

export const isToMove = (table: Table | null): boolean =>
  table !== null && table.status === 'live' && table.board !== null && table.you.includes(table.board.seat)

/** Do people play against each other, each at a screen of their own? */
export const isAmongPeople = (table: Table): boolean => table.seats.filter((seat) => seat.kind === 'person').length > 1

export function statusText(table: Table | null, names: string[]): string {
  if (!table?.board) return ''
  if (table.status === 'over') return t('end.title')
  if (isToMove(table) && !isShared(table)) return t('table.your_turn')
  const seat = table.seats[table.board.seat]
  return t(seat?.kind === 'computer' ? 'table.thinking' : 'table.turn_of', { name: names[table.board.seat] ?? '' })
}

/** Is somebody else there who hears what the viewer says? */
export const hasCompany = (table: Table): boolean =>
  table.you.length > 0 && table.seats.some((seat) => seat.kind === 'person' && !table.you.includes(seat.seat))

/** The status, and the points of everybody. */
export const standingText = (table: Table, names: string[]): string =>
  [statusText(table, names), ...names.map((name, n) => `${name}: ${pointsText(table.board?.hands[n]?.points ?? 0)}`)].join('. ')

export function seatInfos({ table, online, skew }: Host, names: string[], now: number): SeatInfo[] {
  if (!table) return []
  const isLive = table.status === 'live'
  return table.seats.map((seat, n) => {
    const used = isLive && table.board?.seat === n ? Math.max(0, now + skew - table.now) : 0
    const left = seat.clock === null ? null : seat.clock - used
    return {
      name: names[n] ?? '',
      avatar: avatarOf(seat.person, seat.label),
      online: seat.kind === 'computer' || isShared(table) || !isLive ? null : online.includes(n),
      clock: left === null || !isLive ? null : clockText(left),
      low: left !== null && left < 30,
    }
  })
}

/** Another player who is away from a game that goes on. */
export const absentSeat = (table: Table | null): Seat | undefined =>
  table?.status === 'live' ? table.seats.find((seat) => seat.absence && !table.you.includes(seat.seat)) : undefined

/** Would somebody like to write with the viewer? */
export const isAskedToTalk = ({ chat }: Host): boolean => chat?.people.some(({ state }) => state === 'asks') ?? false

/** Does a notice stand where one chooses a move? */
export function hasNotice(host: Host): boolean {
  const { state, isOutdated, remarks, table } = host
  if (state === 'lost' || isOutdated || remarks.length || isAskedToTalk(host)) return true
  return table?.status === 'live' && table.you.length > 0 && (table.offer !== null || absentSeat(table) !== undefined)
}

/** What an update brings, said and sounded: what was played, whose turn it is, that the end is near. */

import type { AnyEvent, Played, Table } from '../../api/messages'
import type { Update } from '../../host/host'
import { t } from '../../i18n/index.svelte'
import { announce, notify } from '../../lib/announce.svelte'
import { eventText } from '../../lib/happenings'
import { namesAt } from '../../lib/names'
import { knock, sound } from '../../lib/sound'
import { isShared, isToMove } from './shown'

const TURN_AFTER = 0.7 // seconds: the sounds of the move come first
const END_AFTER = 0.9

export const playedIn = (events: AnyEvent[]): Played[] =>
  events.filter((event) => event.type === 'played')

/** What has been played since the viewer's last move; for those who only watch, the last round. */
export function playedSince(events: AnyEvent[], viewer: number | null, players: number): Played[] {
  const moves = playedIn(events).filter((event) => event.move.kind !== 'finish')
  const own = viewer === null ? -1 : moves.findLastIndex((event) => event.seat === viewer)
  return moves.slice(own + 1).slice(viewer === null ? -players : 1 - players)
}

const isLastRound = (table: Table | null): boolean => table?.board?.is_last_round ?? false

/** `isShown`: what moved is seen flying, and heard then. */
export function tell({ fresh, before, table }: Update, isShown: boolean): void {
  const names = namesAt(table)
  const said = fresh.map((event) => eventText(event, names, table.you)).filter(Boolean)
  const hasTurned = isToMove(table) && before?.board?.turn !== table.board?.turn
  if (hasTurned && !isShared(table)) said.push(t('table.your_turn') + '.')
  if (table.status === 'live' && isLastRound(table) && !isLastRound(before)) {
    said.push(t('table.last_round_why'))
    notify(t('table.last_round_why'))
  }
  if (said.length) announce(said.join(' '))

  const played = playedIn(fresh)
  const moved = new Set(played.flatMap((event) => event.movements.map(({ what }) => what)))
  if (!isShown) {
    if (moved.has('noble')) sound('noble')
    else if (moved.has('card')) sound('place')
    else if (played.length) sound('token')
  }
  if (table.status === 'over' && before?.status !== 'over') {
    if (!table.result?.points.some(Boolean)) return // given up before anything was won
    const hasLost = table.you.length > 0 && !table.result?.winners.some((seat) => table.you.includes(seat))
    sound(hasLost ? 'loss' : 'win', END_AFTER)
  } else if (hasTurned) {
    sound('turn', TURN_AFTER)
    knock(30)
  }
}

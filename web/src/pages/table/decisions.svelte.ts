/** What the viewer asks of the table, with refusals said in words. */

import type { MoveForm } from '../../api/messages'
import type { Command, Host } from '../../host/host'
import { t } from '../../i18n/index.svelte'
import { announce, forget, notify } from '../../lib/announce.svelte'
import { hintText } from '../../lib/names'
import { carryOn, type Scores } from '../../lib/record'
import { notifyRefusal, refusalText } from '../../lib/refusals'
import { go } from '../../lib/router.svelte'
import { playedIn } from './news'
import { isAmongPeople, isToMove } from './shown'

export class Decisions {
  sending = $state(false)
  hint = $state.raw<MoveForm | null>(null)

  constructor(
    private readonly host: Host,
    /** Shows a move on the board as if it had been chosen. */
    private readonly point: (move: MoveForm) => void,
  ) {}

  /** True if it is done. */
  async command(wish: Command): Promise<boolean> {
    try {
      await this.host.command(wish)
      forget('problem') // it works again
      return true
    } catch (error) {
      notifyRefusal(error)
      announce(refusalText(error))
      return false
    }
  }

  async play(move: string): Promise<boolean> {
    if (this.sending) return false
    this.sending = true
    const done = await this.command({ type: 'play', move, turn: this.host.table?.board?.turn ?? null })
    this.sending = false
    return done
  }

  async askHint(): Promise<void> {
    const { table } = this.host
    if (!table || !isToMove(table)) return
    if (isAmongPeople(table)) return notify(t('error.still_played'))
    try {
      const { move } = await this.host.hint()
      this.hint = move
      this.point(move)
      announce(t('table.hint_is', { move: hintText(move) }))
    } catch (error) {
      notifyRefusal(error)
    }
  }

  async undo(): Promise<void> {
    const { table, events } = this.host
    if (!table) return
    if (table.can_undo) await this.command({ type: 'ask_takeback' })
    else if (table.status !== 'live') notify(t('undo.over'))
    else notify(t(playedIn(events).some(({ seat }) => table.you.includes(seat)) ? 'error.nothing_to_take_back' : 'undo.not_yet'))
  }

  async leave(): Promise<void> {
    if (await this.command({ type: 'leave' })) go('/')
  }

  /** `scores`: the games that each player has won in the series so far. */
  async rematch(scores: Scores): Promise<void> {
    try {
      const next = await this.host.rematch()
      carryOn(next, scores)
      go(`/t/${next}`)
    } catch (error) {
      notifyRefusal(error)
    }
  }
}

/** Choosing a move at a board: what is selected, what a tap or a key does to it, and what is said of it. */

import type { BoardView, Color, MoveForm } from '../api/messages'
import { t } from '../i18n/index.svelte'
import { announce } from '../lib/announce.svelte'
import { count, type SomeTokens } from '../lib/colors'
import { cardLabel, tokensText } from '../lib/names'
import { settings } from '../lib/settings.svelte'
import { canGrow, complete, NOTHING, owed, purchases, reservation, type Selection, tapReturn, tapToken } from './selection'

/** What there is to choose from. */
export interface Offer {
  board: BoardView
  moves: MoveForm[]
  isActing: boolean // a turn's action is the viewer's to choose now
  play: (move: MoveForm) => void
}

export class Choosing {
  selection = $state.raw<Selection>(NOTHING)

  /** The offer is asked for each time: it changes with the table. */
  constructor(private readonly now: () => Offer) {}

  clear(): void {
    this.selection = NOTHING
  }

  choose(next: Selection): void {
    this.selection = next
    if (this.plays(next)) return
    if (next.kind !== 'take') return
    const isWhole = complete(this.now().moves, next) !== null
    announce(t(isWhole ? 'act.take' : 'act.take_more', { tokens: tokensText(next.tokens) }))
  }

  /** Without confirmation a choice that can become nothing else is played. */
  private plays(next: Selection): boolean {
    const { moves, play } = this.now()
    const whole = settings.confirm || next.kind !== 'take' || canGrow(moves, next) ? null : complete(moves, next)
    if (whole) play(whole)
    return whole !== null
  }

  token(color: Color): void {
    const { moves, isActing } = this.now()
    if (!isActing) return
    const before = this.selection
    this.choose(tapToken(moves, before, color))
    if (before === this.selection) announce(t(color === 'gold' ? 'illegal.gold_cannot_be_taken' : 'illegal.wrong_take'))
  }

  /** The tokens chosen to go back at the end of the turn. */
  get returned(): SomeTokens {
    return this.selection.kind === 'return' ? this.selection.tokens : {}
  }

  giveBack(color: Color): void {
    const { moves } = this.now()
    this.selection = tapReturn(moves, this.selection, color)
    const left = owed(moves) - count(this.returned)
    announce(left ? t('return.left', { n: left }) : t('return.confirm', { tokens: tokensText(this.returned) }))
  }

  card(id: number): void {
    if (!settings.confirm && this.hasCard(id) && purchases(this.now().moves, id).length) return this.buy()
    this.choose(this.hasCard(id) ? NOTHING : { kind: 'card', card: id })
  }

  deck(level: number): void {
    if (!this.now().isActing) return
    this.choose(this.hasDeck(level) ? NOTHING : { kind: 'deck', level })
  }

  hasCard(id: number | null | undefined): boolean {
    return this.selection.kind === 'card' && this.selection.card === id
  }

  hasDeck(level: number): boolean {
    return this.selection.kind === 'deck' && this.selection.level === level
  }

  /** Shows a move as if it had been chosen. */
  show(move: MoveForm): void {
    if (move.kind === 'take' && move.taken) this.selection = { kind: 'take', tokens: move.taken }
    else if (move.card) this.selection = { kind: 'card', card: move.card }
    else if (move.level) this.selection = { kind: 'deck', level: move.level }
  }

  /** Selects a card and says what it is: for those who did not tap on it. */
  selectAndSay(id: number): void {
    const { board } = this.now()
    const own = board.viewer === null ? [] : board.hands[board.viewer]!.reserved
    this.selection = { kind: 'card', card: id }
    const shown = [...board.market.flat(), ...own].find((card) => card?.id === id)
    if (shown) announce(cardLabel(shown))
  }

  /** Plays whatever stands in the bar first. */
  confirm(): void {
    const { moves, play } = this.now()
    const whole = complete(moves, this.selection)
    if (whole) play(whole)
    else if (this.selection.kind === 'card') this.buy()
    else if (this.selection.kind === 'none' && moves.length === 1 && moves[0]!.kind === 'pass') play(moves[0]!)
  }

  buy(): void {
    if (this.selection.kind !== 'card') return
    const { moves, play } = this.now()
    const usual = purchases(moves, this.selection.card)[0]
    if (usual) play(usual)
    else announce(t('illegal.too_expensive'))
  }

  reserve(): void {
    if (this.selection.kind === 'deck') return this.confirm()
    if (this.selection.kind !== 'card') return
    const { moves, play } = this.now()
    const move = reservation(moves, this.selection.card)
    if (move) play(move)
    else announce(t('act.cannot_reserve'))
  }
}

/** The keys of a board: letters take tokens, two digits choose a card (row and place), others buy, reserve, confirm. */

import type { BoardView } from '../api/messages'
import { t } from '../i18n/index.svelte'
import { announce } from '../lib/announce.svelte'
import { COLORS, LETTERS } from '../lib/colors'
import type { Choosing } from './choosing.svelte'

const OWN_ROW = 4 // the reserved cards, below the three rows of the market

export class BoardKeys {
  private row: number | null = null // typed first, when a card is chosen by two digits

  constructor(
    private readonly choosing: Choosing,
    private readonly board: () => BoardView,
  ) {}

  clear(): void {
    this.row = null
  }

  /** True if the key meant something. */
  press(key: string): boolean {
    const color = COLORS.find((one) => LETTERS[one] === key && one !== 'gold')
    if (this.board().phase === 'return' && (color ?? key === LETTERS.gold)) this.choosing.giveBack(color ?? 'gold')
    else if (color) this.choosing.token(color)
    else if (/^[0-4]$/.test(key)) this.digit(Number(key))
    else if (key === 'b') this.choosing.buy()
    else if (key === 's') this.choosing.reserve()
    else if (key === 'Enter') this.choosing.confirm()
    else if (key === 'Escape' && this.choosing.selection.kind !== 'none') this.choosing.clear()
    else return false
    return true
  }

  private digit(digit: number): void {
    const row = this.row
    if (row === null) this.begin(digit)
    else {
      this.row = null
      this.pick(row, digit)
    }
  }

  private begin(row: number): void {
    if (row < 1 || row > OWN_ROW) return
    this.row = row
    if (row < OWN_ROW) announce(t('keys.row', { n: row }))
  }

  private pick(row: number, digit: number): void {
    const board = this.board()
    if (row < OWN_ROW && digit === 0) {
      this.choosing.deck(row)
      announce(t('say.deck', { level: row, n: board.decks[row - 1] ?? 0 }))
      return
    }
    const own = board.viewer === null ? [] : board.hands[board.viewer]!.reserved
    const cards = row === OWN_ROW ? own : (board.market[row - 1] ?? [])
    const id = cards[digit - 1]?.id
    if (id) this.choosing.selectAndSay(id)
  }
}

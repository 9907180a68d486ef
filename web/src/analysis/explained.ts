/** Why a position cannot be: what the server's checks say about it, in the language of the page. */

import { Refused } from '../api/http'
import type { Color } from '../api/messages'
import { COLORS } from '../lib/colors'
import { colorName, playerName } from '../lib/names'
import { refusalText } from '../lib/refusals'
import { WORDS, type Word } from './texts'
import { say } from './words'

export function explained(error: unknown, names: string[] = []): string {
  const params = error instanceof Refused ? (error.problem.params ?? {}) : {}
  const word = `check.${String(params.check)}`
  if (word in WORDS.en) return say(word as Word, said(params, names))
  return [refusalText(error), ...(typeof params.sentence === 'string' ? [`(${params.sentence})`] : [])].join(' ')
}

function said(params: Record<string, unknown>, names: string[]): Record<string, string> {
  const texts = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]))
  const seat = Number(params.seat)
  if ('seat' in params) texts.name = names[seat] ?? playerName(null, seat)
  if (COLORS.includes(params.color as Color)) texts.color = colorName(params.color as Color)
  return texts
}

/** What a review says, in the language of the page. */

import { Refused } from '../api/http'
import type { Note, Reason, SeatReview } from '../api/messages'
import type { Params } from '../i18n/format'
import { has, language, list, speaker, t } from '../i18n/index.svelte'
import { box } from '../lib/box.svelte'
import { cardText, levelName } from '../lib/names'
import { refusalText } from '../lib/refusals'
import { WORDS, type Word } from './texts'

export const say = speaker(WORDS)

const number = (digits: number, sign: 'auto' | 'exceptZero'): Intl.NumberFormat =>
  new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: digits, signDisplay: sign })

export const percent = (share: number): string => number(0, 'auto').format(share)
export const fine = (share: number): string => number(1, 'auto').format(share)
/** A change, with its sign. */
export const change = (share: number): string => number(1, 'exceptZero').format(Math.abs(share) < 0.0005 ? 0 : share)

export function cardName(id: number): string {
  const face = box.card(id)
  return face ? cardText(face) : String(id)
}

export function reasonText(reason: Reason, names: string[]): string {
  const params: Params = { name: '', card: '', points: 0, less: 0, turns: 0, lacking: 0, count: 0, gain: '' }
  for (const [key, value] of Object.entries(reason.params)) {
    if (key === 'card') params.card = cardName(Number(value))
    else if (key === 'seat') params.name = names[Number(value)] ?? ''
    else if (key === 'gain') params.gain = fine(Number(value))
    else params[key] = value as string | number
  }
  const word = `reason.${reason.code}`
  return word in WORDS.en ? say(word as Word, params) : reason.text
}

export function performanceText(performance: SeatReview['performance']): string {
  if (!performance) return '–'
  const { below, above } = performance
  if (below && above) return say('between', { below: levelName(below), above: levelName(above) })
  if (above) return say('below_all', { above: levelName(above) })
  return below ? say('above_all', { below: levelName(below) }) : '–'
}

export function noteText(note: Note, names: string[]): string {
  const shares = (note.params?.shares ?? []) as number[]
  const word = `note.${note.code}`
  return word in WORDS.en ? say(word as Word, { shares: list(shares.map((share, seat) => `${names[seat] ?? ''} ${percent(share)}`)) }) : note.text
}

/** Why there can be no review of a record. */
export function refusedText(error: unknown): string {
  const params = error instanceof Refused && error.problem.code === 'not_reviewable' ? (error.problem.params ?? {}) : {}
  const word = `why.${String(params.why)}`
  if (!(word in WORDS.en)) return refusalText(error)
  const illegal = `illegal.${String(params.illegal)}`
  const texts = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]))
  return say(word as Word, { ...texts, what: t(has(illegal) ? illegal : 'illegal.other') })
}

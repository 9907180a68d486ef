/** What things are called in words: people, tokens, cards, moves, refusals. */

import type { CardFace, Color, Gems, MoveForm, Person, Played, Problem, Seat, ShownCard, ShownNoble, Table } from '../api/messages'
import type { Key } from '../i18n/en'
import { has, list, t } from '../i18n/index.svelte'
import type { KeptGame } from '../local/shelf'
import { COLORS, count, type SomeTokens } from './colors'
import { box } from './box.svelte'

export function levelName(level: string): string {
  const key = `level.${level}`
  return has(key) ? t(key) : level
}

/** What to expect of a level, in one line; empty for one that only this server knows. */
export function levelHint(level: string): string {
  const key = `level.${level}.hint`
  return has(key) ? t(key) : ''
}

export function personName(person: Person | null): string {
  if (!person) return t('person.open')
  if (person.level) return levelName(person.level)
  return person.name ?? t('person.guest', { n: person.guest ?? '' })
}

/** Somebody in a game file, where guests and computers have names of their own. */
export function playerName(given: string | null, seat: number): string {
  if (!given) return t('person.seat', { n: seat + 1 })
  const guest = /^guest (\d+)$/.exec(given)
  return guest ? t('person.guest', { n: guest[1]! }) : levelName(given)
}

export const seatName = (seat: Seat | undefined): string =>
  seat ? (seat.label ?? personName(seat.person)) : ''

/** What the seats of a table are called: oneself "You", and two of the same name told apart by a number. */
export function namesAt(table: Table): string[] {
  const shares = table.you.length > 1
  const plain = table.seats.map((seat) => {
    if (!table.you.includes(seat.seat) || seat.label || seat.person?.name) return seatName(seat)
    return shares ? t('person.seat', { n: 1 }) : t('person.you') // whoever opened a shared table is its first player
  })
  return plain.map((name, n) => {
    const before = plain.slice(0, n).filter((other) => other === name).length
    return before ? `${name} ${before + 1}` : name
  })
}

/** The same in a game that this browser keeps. */
export const keptNames = ({ seats }: KeptGame): string[] =>
  seats.map(({ person, label }) => label ?? (person.level || person.name ? personName(person) : t('person.you')))

/** "1 diamond and 2 rubies" */
export function tokensText(tokens: SomeTokens | Gems | null | undefined): string {
  const some = (tokens ?? {}) as SomeTokens
  const parts = COLORS.filter((color) => (some[color] ?? 0) > 0).map((color) => gemText(color, some[color]!))
  return parts.length ? list(parts) : t('list.none')
}

export const gemText = (color: Color, n: number): string => t(`gem.${color}` as Key, { n })
export const colorName = (color: Color): string => t(`color.${color}` as Key)
export const pointsText = (n: number): string => t('unit.points', { n })

export const cardText = (card: CardFace | ShownCard): string =>
  card.bonus
    ? t('log.card', {
        level: card.level,
        what: [t(`name.${card.bonus}` as Key), ...(card.points ? [pointsText(card.points)] : [])].join(', '),
      })
    : t('say.card_back', { level: card.level })

/** A card read aloud, with what it means for the viewer. */
export function cardLabel(card: ShownCard): string {
  if (card.id === null || !card.bonus) return t('say.card_back', { level: card.level })
  const parts = [
    t('say.card', {
      level: card.level,
      bonus: colorName(card.bonus),
      points: pointsText(card.points ?? 0),
      cost: tokensText(card.cost),
    }),
  ]
  if (card.affordable) parts.push(card.gold ? t('say.affordable_gold', { n: card.gold }) : t('say.affordable'))
  else if (card.missing && count(card.missing)) parts.push(t('say.missing', { tokens: tokensText(card.missing) }))
  return parts.join('; ')
}

export function nobleLabel(noble: ShownNoble, owner: string | null): string {
  const parts = [t('say.noble', { points: pointsText(noble.points), cost: tokensText(noble.cost) })]
  if (owner !== null) parts.push(t('say.noble_with', { name: owner }))
  else if (noble.missing && count(noble.missing)) parts.push(t('say.noble_missing', { gems: tokensText(noble.missing) }))
  return parts.join('; ')
}

/** A move as a sentence. */
export function moveText(move: MoveForm, name: string, played?: Pick<Played, 'movements'>): string {
  const said: string[] = []
  const card = move.card ? box.card(move.card) : null
  const what = card ? cardText(card) : ''
  switch (move.kind) {
    case 'take':
      said.push(t('log.take', { name, tokens: tokensText(move.taken) }))
      break
    case 'reserve':
      said.push(t('log.reserve', { name, card: what }))
      break
    case 'draw':
      said.push(t('log.draw', { name, level: move.level ?? 0 }))
      break
    case 'buy':
      said.push(
        count(move.payment)
          ? t('log.buy', { name, card: what, tokens: tokensText(move.payment) })
          : t('log.buy_free', { name, card: what }),
      )
      break
    case 'pass':
      said.push(t('log.pass', { name }))
      break
  }
  const movements = played?.movements ?? []
  const gold = movements.some((m) => m.what === 'tokens' && m.origin.area === 'bank' && m.tokens.gold)
  if (gold && move.kind !== 'take') said.push(t('log.gold'))
  if (count(move.returned)) said.push(t('log.returned', { tokens: tokensText(move.returned) }))
  if (movements.some((m) => m.what === 'noble')) said.push(t('log.noble', { points: pointsText(box.noblePoints) }))
  return said.join(' ')
}

/** A move as advice. */
export function hintText(move: MoveForm): string {
  const card = move.card ? box.card(move.card) : null
  const what = { tokens: tokensText(move.kind === 'take' ? move.taken : move.returned), card: card ? cardText(card) : '', level: move.level ?? 0 }
  if (move.kind !== 'finish') return t(`hint.${move.kind}`, what)
  return count(move.returned) ? t('hint.return', what) : t('hint.noble')
}

const parameters = (problem: Problem): Record<string, string> =>
  Object.fromEntries(Object.entries(problem.params ?? {}).map(([name, value]) => [name, String(value)]))

/** A refusal in human words. */
export function problemText(problem: Problem): string {
  const reason = `illegal.${String(problem.params?.reason ?? '')}`
  if (problem.code === 'illegal_move') return t(has(reason) ? reason : 'illegal.other')
  const key = `error.${problem.code}`
  if (problem.code === 'offline') return t('net.offline')
  return has(key) ? t(key, parameters(problem)) : t('error.unknown', { code: problem.code })
}

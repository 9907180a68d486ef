/**
 * A position that is laid out by hand: read from its line, changed thing by thing, and written as a line again. Bank and
 * decks hold what lies nowhere else, so that nothing is lost or there twice. What else can be, the server says.
 */

import { CARDS_IN_LEVEL, LIMITS, TABLE } from '../../engine/layout'
import { box } from '../lib/box.svelte'
import { COLORS } from '../lib/colors'

export interface DraftHand {
  tokens: number[] // [color]
  bought: number[]
  reserved: string[] // as in the line: "17", "17d" if it was drawn unseen, "d2" if nobody knows which
}

export interface Draft {
  first: number
  round: number
  seat: number
  total: number[] // tokens of the game  [color]
  market: number[] // 0: an empty slot  [slot]
  nobles: { id: number; seat: number | null }[]
  hands: DraftHand[]
}

/** What can be moved: "card:17", "token:3:bank", "token:3:0" of seat 0, "noble:4". */
export type Thing = string
/** Where it can lie: "market:5", "bought:0", "reserved:1", "deck:2", "tokens:1", "bank", "tile:0", "court:1" with seat 1. */
export type Spot = string

export const { SLOTS } = TABLE

/** The market of a table to begin with, for its cards to be exchanged. */
const MARKET = '1,9,17,25/41,47,53,59/71,75,79,83'

function emptyTable(players: number): string {
  const bank = `${LIMITS.GEM_TOKENS[players]}`.repeat(TABLE.GOLD) + LIMITS.GOLD_TOKENS
  const decks = CARDS_IN_LEVEL.map((cards) => `?${cards - SLOTS}`).join('/')
  const nobles = Array.from({ length: players + 1 }, (_, place) => place + 1).join(',')
  return `${players} 0 1 0 act 0 ${bank} ${MARKET} ${decks} ${nobles}` + ' 000000:-:-'.repeat(players)
}

/** Where a game begins, by the number of players. */
export const EMPTY: Record<number, string> = { 2: emptyTable(2), 3: emptyTable(3), 4: emptyTable(4) }

const digits = (text: string): number[] => [...text].map(Number)
const some = (text: string): string[] => (text === '-' ? [] : text.split(','))

export function read(line: string): Draft {
  const [, first, round, seat, , , bank, market, , nobles, ...hands] = line.split(' ')
  const read = hands.map((text): DraftHand => {
    const [tokens, bought, reserved] = text.split(':')
    return { tokens: digits(tokens!), bought: some(bought!).map(Number), reserved: some(reserved!) }
  })
  return {
    first: Number(first),
    round: parseInt(round!),
    seat: Number(seat),
    total: digits(bank!).map((n, color) => read.reduce((sum, hand) => sum + hand.tokens[color]!, n)),
    market: market!.split(/[/,]/).map((card) => (card === '-' ? 0 : Number(card))),
    nobles: nobles!.split(',').map((one) => ({ id: parseInt(one), seat: one.includes('@') ? Number(one.split('@')[1]) : null })),
    hands: read,
  }
}

/** May this hand hold another reserved card? */
export const hasRoom = (hand: DraftHand): boolean => hand.reserved.length < TABLE.RESERVE_LIMIT

export const bankOf = (draft: Draft): number[] =>
  draft.total.map((n, color) => draft.hands.reduce((left, hand) => left - hand.tokens[color]!, n))

/** The number of a reserved card; null if nobody knows it. */
export const reservedCard = (text: string): number | null => (text.startsWith('d') ? null : parseInt(text))

const levelOf = (card: number): number => box.card(card)?.level ?? 0

/** The cards that lie in no other place, of a level or of all. */
export function left(draft: Draft, level: number | null = null): number[] {
  const lying = new Set([...draft.market, ...draft.hands.flatMap((hand) => [...hand.bought, ...hand.reserved.map(reservedCard)])])
  return [...box.cards.values()].filter((card) => !lying.has(card.id) && (level === null || card.level === level)).map((card) => card.id)
}

export const deckSize = (draft: Draft, level: number): number =>
  left(draft, level).length - draft.hands.flatMap((hand) => hand.reserved).filter((text) => text === `d${level}`).length

export function pointsOf(draft: Draft, seat: number): number {
  const cards = draft.hands[seat]!.bought.reduce((sum, card) => sum + (box.card(card)?.points ?? 0), 0)
  return cards + draft.nobles.filter((noble) => noble.seat === seat).reduce((sum, noble) => sum + (box.nobles.get(noble.id)?.points ?? 0), 0)
}

export function format(draft: Draft): string {
  const row = (level: number): string => draft.market.slice(SLOTS * level, SLOTS * (level + 1)).map((card) => card || '-').join(',')
  const deck = (level: number): string => (deckSize(draft, level + 1) ? `?${deckSize(draft, level + 1)}` : '-')
  const hand = ({ tokens, bought, reserved }: DraftHand): string =>
    [tokens.join(''), [...bought].sort((a, b) => a - b).join(',') || '-', reserved.join(',') || '-'].join(':')
  return [
    draft.hands.length, draft.first, draft.round, draft.seat, 'act', 0, bankOf(draft).join(''),
    [0, 1, 2].map(row).join('/'), [0, 1, 2].map(deck).join('/'),
    draft.nobles.map(({ id, seat }) => (seat === null ? id : `${id}@${seat}`)).join(','),
    ...draft.hands.map(hand),
  ].join(' ')
}

/** The level of the cards that lie at a slot of the market or in a deck; null for other places. */
export function levelAt(spot: Spot): number | null {
  const [area, n] = spot.split(':')
  if (area === 'market') return 1 + Math.floor(Number(n) / SLOTS)
  return area === 'deck' ? Number(n) : null
}

/** Can a thing lie there? */
export function fits(draft: Draft, thing: Thing, spot: Spot): boolean {
  const [kind, id, from] = thing.split(':')
  const [area, n] = spot.split(':')
  if (kind === 'card') {
    if (area === 'market' || area === 'deck') return levelOf(Number(id)) === levelAt(spot)
    if (area === 'reserved') return hasRoom(draft.hands[Number(n)]!)
    return area === 'bought'
  }
  if (kind === 'noble') return area === 'tile' || area === 'court'
  if (area === 'bank') return from !== 'bank'
  return area === 'tokens' && n !== from && (from !== 'bank' || bankOf(draft)[Number(id)]! > 0)
}

/** Puts a thing somewhere else; two cards of the market, and two nobles, change places. */
export function put(draft: Draft, thing: Thing, spot: Spot): void {
  const [kind, id, from] = thing.split(':')
  const [area, n] = spot.split(':')
  const number = Number(id)
  if (kind === 'card') putCard(draft, number, area!, Number(n))
  else if (kind === 'noble') putNoble(draft, number, area!, Number(n))
  else {
    if (from !== 'bank') draft.hands[Number(from)]!.tokens[number]! -= 1
    if (area === 'tokens') draft.hands[Number(n)]!.tokens[number]! += 1
  }
}

function putCard(draft: Draft, card: number, area: string, n: number): void {
  const slot = draft.market.indexOf(card)
  if (slot >= 0) draft.market[slot] = area === 'market' ? draft.market[n]! : 0
  for (const hand of draft.hands) {
    hand.bought = hand.bought.filter((one) => one !== card)
    hand.reserved = hand.reserved.filter((one) => reservedCard(one) !== card)
  }
  if (area === 'market') draft.market[n] = card
  else if (area === 'bought') draft.hands[n]!.bought.push(card)
  else if (area === 'reserved') draft.hands[n]!.reserved.push(String(card))
}

function putNoble(draft: Draft, id: number, area: string, n: number): void {
  const at = draft.nobles.findIndex((noble) => noble.id === id)
  if (area === 'court') {
    if (at >= 0) draft.nobles[at]!.seat = n
  } else if (at === n) draft.nobles[n]!.seat = null
  else if (at >= 0) [draft.nobles[at], draft.nobles[n]] = [draft.nobles[n]!, { id, seat: null }]
  else draft.nobles[n] = { id, seat: null }
}

/** The same with another number of players: what they have stays with those who are still there. */
export function withPlayers(draft: Draft, players: number): Draft {
  const other = read(EMPTY[players]!)
  const nobles = draft.nobles.slice(0, other.nobles.length).map(({ id, seat }) => ({ id, seat: seat !== null && seat < players ? seat : null }))
  for (const id of box.nobles.keys()) if (nobles.length < other.nobles.length && !nobles.some((noble) => noble.id === id)) nobles.push({ id, seat: null })
  const hands = other.hands.map((empty, seat) => draft.hands[seat] ?? empty)
  const held = COLORS.map((_, color) => hands.reduce((sum, hand) => sum + hand.tokens[color]!, 0))
  return {
    ...draft, hands, nobles, total: other.total.map((n, color) => Math.max(n, held[color]!)),
    seat: draft.seat < players ? draft.seat : 0, first: draft.first < players ? draft.first : 0,
  }
}

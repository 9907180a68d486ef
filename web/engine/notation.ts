/** Text for moves and positions, as specified in `docs/notation.md`: the twin of the Python package's `notation`. */

import { CARD_LEVEL, CARD_POINTS, CARDS_IN_LEVEL, PHASES, TABLE } from './layout.ts'
import { addBought, boughtCards, deckOf, isUnseen, ofSeat, putDeck, type State, stateOf } from './state.ts'

/** A text that cannot be read. The message names the place: line and column count from 1. */
export class NotationError extends Error {
  readonly problem: string
  readonly column: number
  readonly line: number | null // a text of one line needs none

  constructor(problem: string, column = 1, line: number | null = null) {
    super(`${line === null ? '' : `line ${line}, `}column ${column}: ${problem}`)
    this.name = 'NotationError'
    this.problem = problem
    this.column = column
    this.line = line
  }

  /** The same error, where the text stands inside a larger one from there on. */
  within(line: number, column: number): NotationError {
    return new NotationError(this.problem, column + this.column - 1, line)
  }
}

// ---------------------------------------------------------------------------------------------- moves

/** A number for each color: white, blue, green, red, black, gold. */
export type Tokens = readonly number[]
export type MoveKind = 'take' | 'reserve' | 'draw' | 'buy' | 'pass' | 'finish'

/** One turn. Cards and nobles have their printed ids. A move of the kind "finish" is the rest of one begun before. */
export interface Move {
  kind: MoveKind
  taken?: Tokens
  card?: number
  level?: number // draw: reserve the top card of this deck
  payment?: Tokens // without it a buy pays with as little gold as possible
  returned?: Tokens
  noble?: number // where the player had a choice
}

const LETTERS = 'wugrko'
const NO_TOKENS: Tokens = [0, 0, 0, 0, 0, 0]
const PARTS =
  /^(?<action>\+(?<taken>\w*)|rd(?<level>\w*)|r(?<reserved>\d*)|b(?<bought>\d*)(=(?<payment>\w*))?|pass)?(-(?<returned>\w*))?(@(?<noble>\w*))?/d

/** Texts in messages stand in quotes as Python writes them. */
export function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const plain = text.replace(/\\/g, '\\\\').replaceAll(quote, `\\${quote}`)
  return quote + plain.replace(UNPRINTABLE, (letter) => NAMED[letter] ?? `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`) + quote
}

const UNPRINTABLE = /[\x00-\x1f\x7f-\xa0\xad]/g
const NAMED: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }

export const formatTokens = (tokens: Tokens): string => tokens.map((count, color) => LETTERS[color]!.repeat(count)).join('')

export function parseTokens(text: string, column = 1): Tokens {
  if (!text) throw new NotationError(`expected tokens, letters of ${LETTERS}`, column)
  const tokens = [...NO_TOKENS]
  for (const [offset, letter] of [...text].entries()) {
    const color = LETTERS.indexOf(letter)
    if (color < 0) throw new NotationError(`${quoted(letter)} is no token; the letters are ${LETTERS}`, column + offset)
    tokens[color]! += 1
  }
  const expected = formatTokens(tokens)
  if (text !== expected) throw new NotationError(`tokens are written in the order ${LETTERS}: ${expected}`, column)
  return tokens
}

export function formatMove(move: Move): string {
  const { kind, taken, card, level, payment, returned, noble } = move
  let text = kind === 'pass' ? 'pass' : ''
  if (kind === 'take') text = `+${formatTokens(taken!)}`
  if (kind === 'reserve') text = `r${card}`
  if (kind === 'draw') text = `rd${level}`
  if (kind === 'buy') text = `b${card}` + (payment ? `=${formatTokens(payment)}` : '')
  if (returned?.some((count) => count)) text += `-${formatTokens(returned)}`
  return noble === undefined ? text : `${text}@${noble}`
}

export function parseMove(text: string): Move {
  const found = PARTS.exec(text)!
  if (found[0].length !== text.length || !text) {
    throw new NotationError(`${quoted(text)} is no move; moves look like +wug, +rr, r62, rd2, b62, b62=wwo, pass`, found[0].length + 1)
  }
  const { groups, indices } = found as RegExpExecArray & { groups: Record<string, string | undefined> }
  const column = (name: string): number => indices!.groups![name]![0] + 1
  const rest: Partial<Move> = {}
  if (groups.returned !== undefined) rest.returned = parseTokens(groups.returned, column('returned'))
  if (groups.noble !== undefined) rest.noble = parseNumber(groups.noble, TABLE.NOBLES, 'noble', column('noble'))
  if (groups.action === undefined) return { kind: 'finish', ...rest }
  if (groups.taken !== undefined) return { kind: 'take', taken: parseTokens(groups.taken, column('taken')), ...rest }
  if (groups.level !== undefined) return { kind: 'draw', level: parseNumber(groups.level, TABLE.LEVELS, 'deck', column('level')), ...rest }
  if (groups.reserved !== undefined) return { kind: 'reserve', card: parseNumber(groups.reserved, TABLE.CARDS, 'card', column('reserved')), ...rest }
  if (groups.bought === undefined) return { kind: 'pass', ...rest }
  const move: Move = { kind: 'buy', card: parseNumber(groups.bought, TABLE.CARDS, 'card', column('bought')), ...rest }
  // a card that bonuses pay for in full can be bought with nothing: `b62=`
  if (groups.payment !== undefined) move.payment = groups.payment ? parseTokens(groups.payment, column('payment')) : NO_TOKENS
  return move
}

export function parseNumber(text: string, largest: number, what: string, column: number): number {
  if (!/^[1-9][0-9]{0,2}$/.test(text) || Number(text) > largest) {
    throw new NotationError(`${quoted(text)} is no ${what}; ${what}s are numbered 1 to ${largest}`, column)
  }
  return Number(text)
}

// ------------------------------------------------------------------------------------------ positions

const COMMON_FIELDS = 10 // before the seats
const MOST_ROUNDS = 1_000_000
const { SLOTS, LEVELS, UNSEEN, NO_CARD, NO_NOBLE, NOBODY, RESERVE_LIMIT, GOLD } = TABLE

/** The line for a state; a state in which cards are hidden gives the form for that viewer. */
export function formatPosition(state: State): string {
  const players = state.players[0]!
  const [round, cap] = [state.round_number[0]!, state.round_cap[0]!]
  const market = Array.from(state.market, cardName)
  const rows = Array.from({ length: LEVELS }, (_, level) => market.slice(SLOTS * level, SLOTS * (level + 1)).join(','))
  const nobles = Array.from(state.nobles.subarray(0, players + 1), (noble, place) => {
    const seat = state.noble_seat[place]!
    return `${noble + 1}` + (seat === NOBODY ? '' : `@${seat}`)
  })
  return [
    players,
    state.first[0],
    cap ? `${round}/${cap}` : round,
    state.seat[0],
    PHASES[state.phase[0]!],
    state.passes[0],
    state.bank.join(''),
    rows.join('/'),
    Array.from({ length: LEVELS }, (_, level) => deckText(state, level)).join('/'),
    nobles.join(','),
    ...Array.from({ length: players }, (_, seat) => seatText(state, seat)),
  ].join(' ')
}

const cardName = (card: number): string => (card === NO_CARD ? '-' : String(card + 1))

function deckText(state: State, level: number): string {
  const cards = deckOf(state, level)
  if (!cards.length) return '-'
  return cards[0]! >= UNSEEN ? `?${cards.length}` : cards.map(cardName).join(',')
}

function seatText(state: State, seat: number): string {
  const fromDeck = ofSeat(state.from_deck, seat, RESERVE_LIMIT)
  const reserved = ofSeat(state.reserved, seat, RESERVE_LIMIT).flatMap((card, place) => {
    if (card === NO_CARD) return []
    return card >= UNSEEN ? `d${card - UNSEEN + 1}` : `${card + 1}` + 'd'.repeat(fromDeck[place]!)
  })
  const bought = boughtCards(state, seat).map(cardName)
  return `${ofSeat(state.tokens, seat, GOLD + 1).join('')}:${bought.join(',') || '-'}:${reserved.join(',') || '-'}`
}

/** Says what is impossible about a position: the number of the field that shows it, and a sentence. */
export type Check = (state: State) => [number, string] | null

/** Reads a position; what a viewer's form does not show becomes unseen cards. */
export function parsePosition(text: string, check: Check): State {
  const [fields, columns] = split(text, ' ', 1)
  if (fields.length < COMMON_FIELDS) throw new NotationError(`a position has ${COMMON_FIELDS} fields and one for each seat; here are ${fields.length}`)
  const state = stateOf()
  const players = integer(fields[0]!, 2, TABLE.MAX_PLAYERS, 'number of players', columns[0]!)
  state.players[0] = players
  const expected = COMMON_FIELDS + players
  if (fields.length !== expected) {
    const column = columns[Math.min(expected, fields.length - 1)]!
    throw new NotationError(`a position for ${players} players has ${expected} fields; here are ${fields.length}`, column)
  }
  state.reserved.fill(NO_CARD)
  state.first[0] = integer(fields[1]!, 0, players - 1, 'first seat', columns[1]!)
  const [rounds, roundColumns] = split(fields[2]!, '/', columns[2]!)
  state.round_number[0] = integer(rounds[0]!, 1, MOST_ROUNDS, 'round', roundColumns[0]!)
  if (rounds.length > 1) state.round_cap[0] = integer(rounds.slice(1).join('/'), 1, MOST_ROUNDS, 'cap on rounds', roundColumns[1]!)
  state.seat[0] = integer(fields[3]!, 0, players - 1, 'seat', columns[3]!)
  const phase = (PHASES as readonly string[]).indexOf(fields[4]!)
  if (phase < 0) throw new NotationError(`${quoted(fields[4]!)} is no phase; the phases are ${PHASES.join(', ')}`, columns[4]!)
  state.phase[0] = phase
  state.passes[0] = integer(fields[5]!, 0, players, 'number of passes', columns[5]!)
  state.bank.set(digits(fields[6]!, columns[6]!))
  parseMarket(state, fields[7]!, columns[7]!)
  parseDecks(state, fields[8]!, columns[8]!)
  parseNobles(state, fields[9]!, columns[9]!)
  for (let seat = 0; seat < players; seat++) parseSeat(state, seat, fields[COMMON_FIELDS + seat]!, columns[COMMON_FIELDS + seat]!)
  const problem = check(state)
  if (problem) throw new NotationError(problem[1], columns[problem[0]]!)
  return state
}

/** The parts of a text, and the column at which each begins. */
function split(text: string, separator: string, column: number): [string[], number[]] {
  const parts = text.split(separator)
  const columns = parts.map((part) => {
    const start = column
    column += part.length + 1
    return start
  })
  return [parts, columns]
}

function integer(text: string, low: number, high: number, what: string, column: number): number {
  if (!/^(0|[1-9][0-9]{0,6})$/.test(text) || Number(text) < low || Number(text) > high) {
    throw new NotationError(`${quoted(text)} is no ${what}; it must be a number from ${low} to ${high}`, column)
  }
  return Number(text)
}

function digits(text: string, column: number): number[] {
  if (!/^[0-9]{6}$/.test(text)) throw new NotationError(`${quoted(text)} must be six digits: white, blue, green, red, black, gold`, column)
  return [...text].map(Number)
}

function parseMarket(state: State, text: string, column: number): void {
  const [rows, columns] = split(text, '/', column)
  if (rows.length !== LEVELS) throw new NotationError(`the market has ${LEVELS} rows, separated by '/'; here are ${rows.length}`, column)
  rows.forEach((row, level) => {
    const [cards, places] = split(row, ',', columns[level]!)
    if (cards.length !== SLOTS) throw new NotationError(`a row of the market has ${SLOTS} places; here are ${cards.length}`, columns[level]!)
    cards.forEach((card, slot) => (state.market[SLOTS * level + slot] = card === '-' ? NO_CARD : parseCard(card, level, places[slot]!)))
  })
}

function parseCard(text: string, level: number | null, column: number): number {
  const card = parseNumber(text, TABLE.CARDS, 'card', column) - 1
  if (level !== null && CARD_LEVEL[card] !== level) {
    throw new NotationError(`card ${card + 1} is of level ${CARD_LEVEL[card]! + 1}, not ${level + 1}`, column)
  }
  return card
}

function parseDecks(state: State, text: string, column: number): void {
  const [decks, columns] = split(text, '/', column)
  if (decks.length !== LEVELS) throw new NotationError(`there are ${LEVELS} decks, separated by '/'; here are ${decks.length}`, column)
  decks.forEach((deck, level) => putDeck(state, level, parseDeck(deck, level, columns[level]!)))
}

function parseDeck(deck: string, level: number, column: number): number[] {
  const most = CARDS_IN_LEVEL[level]!
  if (deck === '-') return []
  if (deck.startsWith('?')) return Array<number>(integer(deck.slice(1), 1, most, 'number of cards', column + 1)).fill(UNSEEN + level)
  const [names, places] = split(deck, ',', column)
  if (names.length > most) throw new NotationError(`the level ${level + 1} deck has at most ${most} cards`, column)
  return names.map((name, n) => parseCard(name, level, places[n]!))
}

function parseNobles(state: State, text: string, column: number): void {
  const players = state.players[0]!
  state.nobles.fill(NO_NOBLE)
  state.noble_seat.fill(NOBODY)
  const [names, columns] = split(text, ',', column)
  if (names.length !== players + 1) throw new NotationError(`a game for ${players} players has ${players + 1} nobles; here are ${names.length}`, column)
  names.forEach((name, place) => {
    const at = name.indexOf('@')
    const noble = at < 0 ? name : name.slice(0, at)
    state.nobles[place] = parseNumber(noble, TABLE.NOBLES, 'noble', columns[place]!) - 1
    if (at < 0) return
    const seat = integer(name.slice(at + 1), 0, players - 1, 'seat', columns[place]! + noble.length + 1)
    state.noble_seat[place] = seat
    state.points[seat]! += TABLE.NOBLE_POINTS
  })
}

function parseSeat(state: State, seat: number, text: string, column: number): void {
  const [parts, columns] = split(text, ':', column)
  if (parts.length !== 3) throw new NotationError('a seat is written tokens:bought:reserved', column)
  const [tokens, bought, reserved] = parts as [string, string, string]
  state.tokens.set(digits(tokens, columns[0]!), (GOLD + 1) * seat)
  if (bought !== '-') {
    const [names, places] = split(bought, ',', columns[1]!)
    const cards = names.map((name, n) => parseCard(name, null, places[n]!))
    cards.forEach((card, n) => {
      if (n && card <= cards[n - 1]!) throw new NotationError('bought cards are written in rising order, each once', places[n]!)
    })
    for (const card of cards) {
      addBought(state, seat, card)
      state.points[seat]! += CARD_POINTS[card]!
    }
  }
  if (reserved === '-') return
  const [names, places] = split(reserved, ',', columns[2]!)
  if (names.length > RESERVE_LIMIT) throw new NotationError(`a seat reserves at most ${RESERVE_LIMIT} cards; here are ${names.length}`, columns[2]!)
  names.forEach((name, n) => {
    const place = RESERVE_LIMIT * seat + n
    if (name.startsWith('d')) {
      state.reserved[place] = UNSEEN + parseNumber(name.slice(1), LEVELS, 'deck', places[n]! + 1) - 1
      state.from_deck[place] = 1
    } else {
      state.reserved[place] = parseCard(name.replace(/d$/, ''), null, places[n]!)
      state.from_deck[place] = name.endsWith('d') ? 1 : 0
    }
  })
}

/** Is this a viewer's form rather than the whole position? */
export function hasUnseenCards(state: State): boolean {
  const decks = Array.from({ length: LEVELS }, (_, level) => deckOf(state, level)).flat()
  return [...decks, ...state.reserved, ...state.market].some(isUnseen)
}

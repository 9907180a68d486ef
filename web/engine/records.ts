/**
 * A game as text: tags, the position it starts from, and every turn with what chance revealed. Specified in
 * `docs/notation.md`; the twin of the Python package's `notation/records`. Whether it is legal says who plays it.
 */

import { TABLE } from './layout.ts'
import { formatMove, type Move, NotationError, parseMove, parseNumber, quoted } from './notation.ts'

/** A move, the card it brought from a deck, and what was noted about it. */
export interface PlayedTurn {
  move: Move
  drawn: number | null // the printed id
  comment: string
  evaluation: readonly number[] | null // each seat's share of the win, after the move
  clock: number | null // seconds left to the player, after the move
}

/** A turn as it was read, and where it stands. */
export interface ReadTurn extends PlayedTurn {
  round: number | null // as written before the move
  line: number
  column: number
}

export type Tags = Record<string, string>

export interface GameRecord<Position = string, Turn extends PlayedTurn = PlayedTurn> {
  position: Position
  tags: Tags // without Game and Position
  turns: Turn[]
}

const FORMAT = 'splendor 1'
const TEXT_WIDTH = 110
const MOST_DIGITS = 7 // more than any round has

// What Python takes for space and for a control character.
const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const TRAILING = new RegExp(`[${SPACE}]+$`)
const NO_SPACE = new RegExp(`[^${SPACE}]`, 'g')
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/
const TAG = /^\[([A-Z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\n}[])*)"\]$/
const TOKEN = new RegExp(`(?<number>[0-9]+)\\.|(?<drawn>>[^${SPACE}{}]*)|\\{(?<comment>(?:[^}\\\\]|\\\\["\\\\n}[])*)\\}|(?<move>[^${SPACE}{}]+)`, 'y')
const NOTE = /(?:^| )\[%(?<name>[a-z]+) (?<value>[^[\]]*)\]/dg
const NUMBER = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/
const NO_NUMBER = /^[+-]?(?:nan|inf|infinity)$/i
const ESCAPES: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '}': '\\}', '[': '\\[' }

const escaped = (text: string): string => text.replace(/[\\"\n}[]/g, (letter) => ESCAPES[letter]!)
const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
const length = (text: string): number => [...text].length

// ---------------------------------------------------------------------------------------------- write

/** The text of a game file. */
export function formatRecord({ position, tags, turns }: GameRecord): string {
  const lines = Object.entries({ Game: FORMAT, ...tags, Position: position }).map(([name, value]) => `[${name} "${escaped(value)}"]`)
  const [players, first, round, start] = position.split(' ').map((field) => parseInt(field)) as [number, number, number, number]
  let seat = start
  const rounds: string[][] = []
  for (const turn of turns) {
    if (!rounds.length || seat === first) rounds.push([`${round + rounds.length}.`])
    rounds.at(-1)!.push(...words(turn))
    seat = (seat + 1) % players
  }
  return [...lines, '', ...rounds.flatMap(wrapped)].join('\n') + '\n'
}

function words({ move, drawn, comment, evaluation, clock }: PlayedTurn): string[] {
  const said = [formatMove(move)]
  if (drawn !== null) said.push(`>${drawn}`)
  const notes = comment ? [escaped(comment)] : []
  if (evaluation) notes.push(`[%eval ${evaluation.map(formatNumber).join(',')}]`)
  if (clock !== null) notes.push(`[%clk ${formatNumber(clock)}]`)
  return notes.length ? [...said, `{${notes.join(' ')}}`] : said
}

function wrapped([first, ...rest]: string[]): string[] {
  const lines = [first!]
  for (const word of rest) {
    const line = lines.at(-1)!
    if (length(line) + 1 + length(word) > TEXT_WIDTH && !/^[>{]/.test(word)) lines.push(`  ${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

/** The shortest text that reads back as the same number, as Python writes it. */
function formatNumber(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e15) return String(number)
  const [digits, power] = number.toExponential().split('e') as [string, string]
  if (Number(power) >= -4 && Number(power) < 16) return Number.isInteger(number) ? `${number}.0` : String(number)
  return `${digits}e${power[0]}${power.slice(1).padStart(2, '0')}`
}

// ----------------------------------------------------------------------------------------------- read

/** Reads a game file as far as its form goes; throws NotationError with line and column of the first fault. */
export function parseRecord<Position>(text: string, parsePosition: (text: string) => Position): GameRecord<Position, ReadTurn> {
  const lines = text.replace(/^\ufeff/, '').split('\n').map((line) => line.replace(/\r$/, ''))
  for (const [index, line] of lines.entries()) {
    const found = CONTROL.exec(line)
    if (found) throw new NotationError('a control character does not belong into a game file', length(line.slice(0, found.index)) + 1, index + 1)
  }
  const { tags, places, after } = parseTags(lines)
  const { Game, Position, ...others } = tags
  if (Game !== FORMAT) throw new NotationError(`this is no game file: it must begin with [Game "${FORMAT}"]`, 1, 1)
  if (Position === undefined) throw new NotationError('the tag Position is missing; a game says where it starts', 1, after + 1)
  const position = inside(...places.Position!, () => parsePosition(Position))
  return { position, tags: others as Tags, turns: parseTurns(lines, after) }
}

/** Reads a part of the text; what is wrong in it is wrong there. */
function inside<Read>(line: number, column: number, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    throw error instanceof NotationError ? error.within(line, column) : error
  }
}

function parseTags(lines: string[]): { tags: Partial<Tags>; places: Record<string, [number, number]>; after: number } {
  const tags: Partial<Tags> = {}
  const places: Record<string, [number, number]> = {}
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('[')) {
      if (line.replace(TRAILING, '')) throw new NotationError('expected a tag such as [Seat0 "Ann"], or an empty line', 1, index + 1)
      return { tags, places, after: index + 1 }
    }
    const [, name, value] = TAG.exec(line.replace(TRAILING, '')) ?? []
    if (name === undefined || value === undefined) throw new NotationError('a tag is written [Name "value"]', 1, index + 1)
    if (Object.hasOwn(tags, name)) throw new NotationError(`the tag ${name} is there twice`, 2, index + 1)
    tags[name] = unescaped(value)
    places[name] = [index + 1, name.length + 4]
  }
  return { tags, places, after: lines.length }
}

function parseTurns(lines: string[], start: number): ReadTurn[] {
  const turns: ReadTurn[] = []
  let round: number | null = null
  let [canAddCard, canAddComment] = [false, false]
  for (const { line, column, number, drawn, comment, move } of tokens(lines, start)) {
    if (number !== undefined) {
      if (number.length > MOST_DIGITS) throw new NotationError('this number of a round is too large', column, line)
      round = Number(number)
      canAddCard = canAddComment = false
    } else if (drawn !== undefined) {
      if (!canAddCard) throw new NotationError('a drawn card stands directly behind the move that drew it', column, line)
      turns.at(-1)!.drawn = inside(line, column, () => parseNumber(drawn.slice(1), TABLE.CARDS, 'card', 2))
      canAddCard = false
    } else if (comment !== undefined) {
      if (!canAddComment) throw new NotationError('a comment stands behind a move, and each move has at most one', column, line)
      Object.assign(turns.at(-1)!, notesOf(comment, line, column))
      canAddCard = canAddComment = false
    } else {
      turns.push({ move: inside(line, column, () => parseMove(move!)), drawn: null, comment: '', evaluation: null, clock: null, round, line, column })
      round = null
      canAddCard = canAddComment = true
    }
  }
  return turns
}

interface Token {
  line: number
  column: number
  number?: string
  drawn?: string
  comment?: string
  move?: string
}

function* tokens(lines: string[], start: number): Generator<Token> {
  for (const [index, line] of lines.entries()) {
    if (index < start) continue
    let place = 0
    for (;;) {
      NO_SPACE.lastIndex = place
      const next = NO_SPACE.exec(line)
      if (!next) break
      const column = length(line.slice(0, next.index)) + 1
      TOKEN.lastIndex = next.index
      const found = TOKEN.exec(line)
      if (!found) throw new NotationError('this comment does not end, or no comment began here', column, index + 1)
      yield { line: index + 1, column, ...found.groups }
      place = TOKEN.lastIndex
    }
  }
}

/** A comment without the notes in it, and what these say. */
function notesOf(text: string, line: number, column: number): Partial<PlayedTurn> {
  const notes: Partial<PlayedTurn> = {}
  for (const found of text.matchAll(NOTE)) {
    const { name, value = '' } = found.groups!
    const place = column + 1 + length(text.slice(0, found.indices!.groups!.value![0]))
    const read = (number: string): number => {
      const plain = number.replace(new RegExp(`^[${SPACE}]+`), '').replace(TRAILING, '')
      if (NO_NUMBER.test(plain)) return NaN
      if (!NUMBER.test(plain)) throw new NotationError(`${quoted(value)} is not a list of numbers`, place, line)
      return Number(plain.replaceAll('_', ''))
    }
    if (name === 'eval') notes.evaluation = value.split(',').map(read)
    else if (name === 'clk') notes.clock = read(value)
    else throw new NotationError(`unknown note %${name}; there are %eval and %clk`, place, line)
  }
  const { evaluation, clock = 0 } = notes
  if (evaluation?.some((share) => !(share >= 0 && share <= 1)) || !(clock! >= 0 && clock! < Infinity)) {
    throw new NotationError('an evaluation is a share from 0 to 1 for each seat, a clock seconds from 0 on', column, line)
  }
  return { ...notes, comment: unescaped(text.replace(NOTE, '')) }
}

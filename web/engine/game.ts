/** `Game`, the object that people use, and `View`, what a seat may know: in the words of the Python package. */

import type { BoardView, MoveForm, Movement, Result } from '../src/api/messages.ts'
import { PHASE, PHASES, TABLE } from './layout.ts'
import { type Address } from './module.ts'
import { begin, type Begun, IllegalMove, joined, legalMoves, playTurn } from './moves.ts'
import { formatMove, formatPosition, hasUnseenCards, type Move, NotationError, parseMove, quoted } from './notation.ts'
import { formatRecord, type GameRecord, parseRecord, type PlayedTurn, type ReadTurn, type Tags } from './records.ts'
import { reasonAgainst } from './refusals.ts'
import type { Rules, Turn } from './rules.ts'
import { boardView, continuations, moveForm, movements, offeredMoves, resultOf, standing, type Viewer } from './showing.ts'
import { boughtCards, deckOf, isUnseen, ofSeat, putDeck, type State, stateOf, unseenCards } from './state.ts'

/** What can be asked about a position. Cards and nobles have their printed ids; colors come in their order. */
export abstract class Board {
  protected abstract readonly state: State
  protected readonly rules: Rules

  constructor(rules: Rules) {
    this.rules = rules
  }

  get players(): number {
    return this.state.players[0]!
  }
  get seat(): number {
    return this.state.seat[0]!
  }
  get round(): number {
    return this.state.round_number[0]!
  }
  /** act, return, noble; or how the game ended: points, stalemate, cap. */
  get phase(): (typeof PHASES)[number] {
    return PHASES[this.state.phase[0]!]!
  }
  get isOver(): boolean {
    return this.look((at) => this.rules.isOver(at))
  }
  get bank(): number[] {
    return Array.from(this.state.bank)
  }
  /** The face-up cards, level by level; null where none lies. */
  get market(): (number | null)[] {
    return Array.from(this.state.market, (card) => (card === TABLE.NO_CARD ? null : card + 1))
  }
  get deckSizes(): number[] {
    return Array.from(this.state.deck_size)
  }
  get nobles(): number[] {
    return Array.from(this.state.nobles.subarray(0, this.players + 1), (noble) => noble + 1)
  }
  get points(): number[] {
    return Array.from(this.state.points.subarray(0, this.players))
  }
  tokens(seat: number): number[] {
    return ofSeat(this.state.tokens, seat, TABLE.GOLD + 1)
  }
  bonuses(seat: number): number[] {
    return ofSeat(this.state.bonuses, seat, TABLE.GOLD)
  }
  bought(seat: number): number[] {
    return boughtCards(this.state, seat).map((card) => card + 1)
  }
  /** Of a card that is hidden, its level as `{ level }`. */
  reserved(seat: number): (number | { level: number })[] {
    const cards = ofSeat(this.state.reserved, seat, TABLE.RESERVE_LIMIT).filter((card) => card !== TABLE.NO_CARD)
    return cards.map((card) => (card >= TABLE.UNSEEN ? { level: card - TABLE.UNSEEN + 1 } : card + 1))
  }
  /** The share of the win of each seat, when the game is over. */
  get shares(): number[] | null {
    return this.isOver ? this.look((at) => this.rules.result(at).shares) : null
  }
  get winners(): number[] {
    return (this.shares ?? []).flatMap((share, seat) => (share > 0 ? [seat] : []))
  }
  /** The position as a line of text. */
  get position(): string {
    return formatPosition(this.state)
  }
  get legalMoves(): Move[] {
    return Array.from(this.look((at) => legalMoves(this.rules, at)).values(), ({ move }) => move)
  }
  /** The numbers of the decisions that are legal now. */
  get legalActions(): number[] {
    return this.look((at) => this.rules.legalActions(at))
  }

  protected look<Answer>(ask: (state: Address) => Answer): Answer {
    return this.rules.withState(this.state.bytes, ask)
  }
}

/** What one seat may know; the viewer is null for a spectator. */
export class View extends Board {
  protected readonly state: State
  readonly viewer: number | null

  constructor(rules: Rules, bytes: Uint8Array, viewer: number | null) {
    super(rules)
    this.viewer = viewer
    this.state = stateOf(rules.withState(bytes, (at) => {
      rules.hide(at, viewer ?? -1)
      return rules.read(at)
    }))
  }

  get bytes(): Uint8Array {
    return this.state.bytes
  }

  override get legalMoves(): Move[] {
    return this.viewer === this.seat ? super.legalMoves : []
  }
}

/** A part of a turn that was played: for showing it to anyone, later too. */
export interface Step {
  seat: number
  turn: number // how many turns were complete before
  move: Move
  before: State
  after: State
  endsTurn: boolean
  reveals: boolean // did anyone learn a card by it?
}

/** A game with its history. */
export class Game extends Board {
  protected state: State
  private readonly start: State
  private readonly before: State[] = [] // the state before each turn, an unfinished one included
  private unfinished: Pick<PlayedTurn, 'move' | 'drawn'> | null = null // what has been decided of the present turn
  readonly turns: PlayedTurn[] = []
  readonly tags: Tags = {}

  constructor(rules: Rules, start: State) {
    super(rules)
    this.start = start
    this.state = start
  }

  static deal(rules: Rules, players: number, seed: bigint, first: number, roundCap: number): Game {
    const bytes = rules.withState(new Uint8Array(0), (at) => {
      rules.setup(at, players, first, roundCap, rules.newRng(seed))
      return rules.read(at)
    })
    const game = new Game(rules, stateOf(bytes))
    game.tags.Seed = String(seed)
    return game
  }

  // ------------------------------------------------------------------------------------------- play

  /** Play a whole turn, or the rest of one, given as a move or as its notation; returns the turn as it is recorded. */
  play(move: Move | string): Move {
    this.take(this.whole(this.read(move)))
    return this.turns.at(-1)!.move
  }

  /** The same, but a turn that asks for more may stop after its action. */
  playPart(move: Move | string): Step {
    const played = this.part(this.read(move))
    const [before, turn, seat] = [this.state, this.turns.length, this.seat]
    const reveals = played.action >= 0 && this.look((at) => this.rules.reveals(at, played.action))
    this.take(played)
    return { seat, turn, move: played.move, before, after: played.after, endsTurn: this.turns.length > turn, reveals }
  }

  /** Throws IllegalMove if this cannot be played now, as a whole turn or a part of one. */
  check(move: Move | string): void {
    this.part(this.read(move))
  }

  private part(wanted: Move): Begun {
    const isWhole = this.state.phase[0] !== PHASE.ACT || wanted.returned?.some((count) => count) || wanted.noble !== undefined
    return isWhole ? this.whole(wanted) : begin(this.rules, this.state, wanted)
  }

  private read(move: Move | string): Move {
    try {
      return typeof move === 'string' ? parseMove(move) : move
    } catch (error) {
      throw error instanceof NotationError ? new IllegalMove(error.message) : error
    }
  }

  /** What a whole turn, or the rest of one, leads to. */
  private whole(wanted: Move): Begun {
    const legal = this.look((at) => legalMoves(this.rules, at))
    for (const candidate of this.readings(wanted)) {
      const found = legal.get(formatMove(candidate))
      if (!found || (candidate !== wanted && !this.comesByItself(wanted, found.turn))) continue
      return { action: found.turn.action, move: found.move, after: this.after(found.turn) }
    }
    throw new IllegalMove(reasonAgainst(this.rules, this.state, wanted, true))
  }

  private take({ action, move, after }: Begun): void {
    const begun = this.unfinished
    if (!begun) this.before.push(this.state)
    const turn = begun ? { ...begun, move: joined(begun.move, move) } : { move, drawn: this.drawnBy(action) }
    this.unfinished = this.rules.withState(after.bytes, (at) => this.rules.goesOn(at)) ? turn : null
    if (!this.unfinished) this.turns.push({ ...turn, comment: '', evaluation: null, clock: null })
    this.state = after
  }

  /** A move as it stands, and without what would follow by itself: the default payment, the one noble that comes. */
  private *readings(move: Move): Generator<Move> {
    yield move
    const { payment, ...unpaid } = move
    const isDefault = payment && move.card && this.look((at) => this.rules.leastGoldPayment(at, move.card! - 1)).every((count, color) => count === payment[color])
    const paid = isDefault ? unpaid : move
    if (isDefault) yield paid
    if (move.noble !== undefined) {
      const { noble: _, ...rest } = paid
      yield rest
    }
  }

  private comesByItself(wanted: Move, turn: Turn): boolean {
    if (wanted.noble === undefined || turn.noble !== TABLE.NO_NOBLE) return true
    const place = this.state.nobles.indexOf(wanted.noble - 1)
    return place >= 0 && this.after(turn).noble_seat[place] !== this.state.noble_seat[place]
  }

  private after(turn: Turn): State {
    return stateOf(this.look((at) => {
      playTurn(this.rules, at, turn)
      return this.rules.read(at)
    }))
  }

  private drawnBy(action: number): number | null {
    if (action < 0) return null
    const card = this.look((at) => this.rules.module.call.card_turned_up!(at, action, this.seat))
    return card === TABLE.NO_CARD ? null : card + 1
  }

  /** Take back the last turn, or what has been decided of the present one. */
  undo(): Move {
    const turn = this.unfinished ?? this.turns.pop()
    if (!turn) throw new Error('nothing has been played yet')
    this.unfinished = null
    this.state = this.before.pop()!
    return turn.move
  }

  /** Note something about the last turn: it is kept in the record. */
  annotate(notes: Partial<Pick<PlayedTurn, 'comment' | 'evaluation' | 'clock'>>): void {
    Object.assign(this.turns.at(-1)!, notes)
  }

  // ----------------------------------------------------------------------------------------- viewing

  /** What a seat may know now; null for a spectator. */
  view(seat: number | null): View {
    return new View(this.rules, this.state.bytes, seat)
  }

  /** The board as the server would show it to this viewer; with open hands it may be turned to a seat. */
  board(viewer: Viewer, turnedTo: number | null = null): BoardView {
    return boardView(this.rules, this.state, viewer, this.turns.length, turnedTo)
  }

  /** What this viewer may play now, as the server would offer it. */
  offers(viewer: number | null): MoveForm[] {
    return offeredMoves(this.rules, this.state, viewer)
  }

  /** Every whole move that begins with this action. */
  continuations(viewer: number, move: Move | string): MoveForm[] {
    return continuations(this.rules, this.state, viewer, this.read(move))
  }

  /** A move taken apart, before it is played. */
  form(move: Move | string): MoveForm {
    return moveForm(this.rules, this.state, this.read(move))
  }

  /** A part of a turn that was played, as a viewer is shown it. */
  shown(step: Step, viewer: Viewer): { move: MoveForm; movements: Movement[] } {
    return { move: moveForm(this.rules, step.before, step.move), movements: movements(this.rules, step.before, step.after, step.move, viewer) }
  }

  /** How it ended by the rules, or stands if it is over for another reason; null while it goes on. */
  result(reason?: Result['reason']): Result | null {
    return reason ? standing(this.rules, this.state, reason) : resultOf(this.rules, this.state)
  }

  // -------------------------------------------------------------------------------- text and back again

  get startPosition(): string {
    return formatPosition(this.start)
  }

  /** The same game before its first turn. */
  fromStart(): Game {
    return new Game(this.rules, this.start)
  }

  /** The game so far as text: everything needed to replay it. */
  record(): string {
    return formatRecord({ position: this.startPosition, tags: { ...this.tags, ...this.resultTags() }, turns: this.turns })
  }

  private resultTags(): Tags {
    return this.isOver ? { Result: this.winners.join(','), Points: this.points.join(','), End: this.phase } : { Result: '*' }
  }

  /** Replay a game file. Throws NotationError if it is badly written, and IllegalRecord if it breaks a rule. */
  static fromRecord(rules: Rules, text: string, parse: (position: string) => State): Game {
    const record = parseRecord(text, parse)
    const game = new Game(rules, withDrawnCards(record))
    for (const turn of record.turns) game.replay(turn)
    for (const [name, value] of Object.entries(record.tags)) {
      if (!RESULT_TAGS.includes(name)) game.tags[name] = value
      else if (game.resultTags()[name] !== value) throw new IllegalRecord(`the tag ${name} says ${quoted(value)}, but the moves say otherwise`)
    }
    return game
  }

  private replay({ move, drawn, round, line, column, comment, evaluation, clock }: ReadTurn): void {
    const where = `line ${line}, column ${column}: `
    if (round !== null && round !== this.round && !this.isOver) throw new IllegalRecord(`${where}this is round ${this.round}, not ${round}`)
    try {
      this.play(move)
    } catch (error) {
      throw new IllegalRecord(`${where}${formatMove(move)} is illegal in round ${this.round}: ${(error as Error).message}`)
    }
    const turn = this.turns.at(-1)!
    if (drawn !== turn.drawn) {
      const expected = turn.drawn === null ? 'no card is drawn' : `the card drawn is ${turn.drawn}`
      throw new IllegalRecord(`${where}behind ${formatMove(move)} ${expected}, but the record says ${drawn ?? 'none'}`)
    }
    if (evaluation && evaluation.length !== this.players) throw new IllegalRecord(`${where}an evaluation is a share from 0 to 1 for each of the ${this.players} seats`)
    Object.assign(turn, { comment, evaluation, clock })
  }
}

const RESULT_TAGS = ['Result', 'Points', 'End'] // written from the game, checked when read

/** A game file that is well written but not a legal game; the message names the place. */
export class IllegalRecord extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'IllegalRecord'
  }
}

/**
 * The start of a record with its decks filled in. A record may leave the decks unseen, since it says which cards were
 * drawn: these come in their order, and below them those that nobody saw, in rising order of their ids.
 */
function withDrawnCards({ position, turns }: GameRecord<State, ReadTurn>): State {
  if (!hasUnseenCards(position)) return position
  const state = stateOf(position.bytes)
  if (state.reserved.some(isUnseen)) throw new IllegalRecord('the position hides reserved cards, so the game cannot be replayed')
  for (let level = 0; level < TABLE.LEVELS; level++) {
    if (!deckOf(state, level).some(isUnseen)) continue
    const free = unseenCards(state, level)
    const drawn = new Set(turns.flatMap((turn) => (turn.drawn !== null && free.includes(turn.drawn - 1) ? [turn.drawn - 1] : [])))
    putDeck(state, level, [...drawn, ...free.filter((card) => !drawn.has(card))].slice(0, state.deck_size[level]))
  }
  return state
}

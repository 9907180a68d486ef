/** `LocalTable`: a table as the fold of its log, in a browser. The twin of the server's, with nobody far away at it. */

import type { Offer, Person, Result, Table } from '../api/messages'
import type { Game, Splendor, Step } from '../../engine/index.ts'
import { type ClocksResumed, computer, type Created, type Entry, type Started, type Stored } from './log'

const DAY = 86_400

export interface SeatState {
  kind: 'person' | 'device' | 'computer'
  person: Person
  label: string | null
  player: Person // who sat here when the game began, whoever plays on
  seconds: number // left when the present turn began
  forfeit: 'resigned' | 'time' | null
}

export class LocalTable {
  version = 0
  status: Table['status'] = 'dealing'
  seats: SeatState[] = []
  readonly log: Stored[] = []
  game!: Game
  readonly steps = new Map<number, Step>() // all that were ever played, by version
  kept: Step[] = [] // those that were not taken back
  turnBegan = 0
  result: Result | null = null
  readonly offer: Offer | null = null // nobody has to agree to a take-back here
  rematch: string | null = null
  order: number[] = []
  updated = 0

  constructor(
    readonly id: string,
    private readonly splendor: Splendor,
  ) {}

  // ------------------------------------------------------------------------------------------ questions

  get made(): Created {
    return this.log[0]!.entry as Created
  }

  get created(): number {
    return this.log[0]!.at
  }

  get isFinished(): boolean {
    return this.status === 'over' || this.status === 'aborted'
  }

  get turn(): number {
    return this.game.turns.length
  }

  get toMove(): number | null {
    return this.status === 'live' ? this.game.seat : null
  }

  /** What the one person here had at the end, for the profile; null if the game does not count. */
  get ownAtEnd(): { cards: number[]; nobles: number[] } | null {
    const [seat, ...more] = this.seats.flatMap(({ player }, n) => (player.level ? [] : [n]))
    if (!this.result || this.made.position !== null || seat === undefined || more.length || this.turn < this.seats.length) return null
    const { bought, nobles } = this.game.board(null).hands[seat]!
    return { cards: bought.map(({ id }) => id), nobles: [...nobles] }
  }

  /** The seats of the people here. */
  get own(): number[] {
    return this.seats.flatMap(({ kind }, seat) => (kind === 'computer' ? [] : [seat]))
  }

  get inPlay(): number[] {
    return this.seats.flatMap(({ forfeit }, seat) => (forfeit ? [] : [seat]))
  }

  /** The level of the computer whose turn it is. */
  get thinking(): string | null {
    return this.toMove === null ? null : (this.seats[this.toMove]!.person.level ?? null)
  }

  secondsLeft(seat: number, now: number): number | null {
    if (this.made.clock.kind === 'none') return null
    const used = seat === this.toMove ? Math.max(now - this.turnBegan, 0) : 0
    return Math.max(this.seats[seat]!.seconds - used, 0)
  }

  /** When the running clock will be out of time. */
  get flagFalls(): number | null {
    return this.toMove === null || this.made.clock.kind === 'none' ? null : this.turnBegan + this.seats[this.toMove]!.seconds
  }

  /** How many turns must be undone so that this seat can make its last turn again; null if a card was revealed since. */
  undoableTurns(seat: number): number | null {
    if (this.status !== 'live') return null
    for (let at = this.kept.length - 1; at >= 0; at--) {
      const step = this.kept[at]!
      if (step.reveals) return null
      const beginsTurn = at === 0 || this.kept[at - 1]!.turn !== step.turn
      if (beginsTurn && step.seat === seat) return this.kept.at(-1)!.turn - step.turn + 1
    }
    return null
  }

  /** The seat of a person here that played last. */
  get takebackSeat(): number | null {
    return this.kept.findLast((step) => this.own.includes(step.seat))?.seat ?? null
  }

  // ------------------------------------------------------------------------------------- the one change

  apply(stored: Stored): void {
    this.log.push(stored)
    this.version = stored.version
    this.updated = stored.at
    this.take(stored.entry, stored.at)
  }

  private take(entry: Entry, at: number): void {
    switch (entry.type) {
      case 'created':
        this.seats = entry.seats.map((plan) => ({ ...plan, player: plan.person, seconds: 0, forfeit: null }))
        return
      case 'started':
        return this.start(entry, at)
      case 'played':
        return this.play(entry.move, at)
      case 'took_back':
        return this.takeBack(entry.turns, at)
      case 'clocks_resumed':
        return this.resume(entry, at)
      case 'forfeited':
        return this.forfeit(entry.seat, entry.reason === 'time' ? 'time' : 'resigned')
      case 'replaced':
        Object.assign(this.seats[entry.seat]!, { kind: 'computer', person: computer(entry.level) })
        return
      case 'aborted':
        this.status = 'aborted'
        return
      case 'rematched':
        this.rematch = entry.table
        return
      case 'engine_trouble':
        return
    }
  }

  private start({ position, order }: Started, at: number): void {
    const { clock } = this.made
    const seconds = clock.kind === 'live' ? clock.seconds : clock.kind === 'days' ? DAY * clock.days : 0
    this.order = order
    this.seats = order.map((old) => ({ ...this.seats[old]!, seconds }))
    this.game = this.splendor.position(position)
    this.status = 'live'
    this.turnBegan = at
  }

  private play(move: string, at: number): void {
    const step = this.game.playPart(move)
    this.steps.set(this.version, step)
    this.kept.push(step)
    this.pressClock(step.seat, at, step.endsTurn)
    if (!this.game.isOver) return
    this.status = 'over'
    this.result = this.withForfeits(this.game.result())
  }

  private pressClock(seat: number, at: number, isComplete: boolean): void {
    const { clock } = this.made
    if (clock.kind !== 'none') {
      let seconds = this.seats[seat]!.seconds - Math.max(at - this.turnBegan, 0)
      if (isComplete) seconds = clock.kind === 'live' ? seconds + (clock.increment ?? 0) : DAY * clock.days
      this.seats[seat]!.seconds = seconds
      if (isComplete && clock.kind === 'live') this.game.annotate({ clock: Math.round(Math.max(seconds, 0) * 10) / 10 })
    }
    this.turnBegan = at
  }

  private takeBack(turns: number, at: number): void {
    if (this.toMove !== null) this.pressClock(this.toMove, at, false)
    for (let n = 0; n < turns; n++) this.game.undo()
    this.kept = this.kept.filter((step) => step.turn < this.turn)
  }

  private resume({ used }: ClocksResumed, at: number): void {
    if (this.toMove !== null) this.seats[this.toMove]!.seconds -= used
    this.turnBegan = at
  }

  /** With one seat left in play, or no person, the game is over; otherwise a computer will play on here. */
  private forfeit(seat: number, reason: 'resigned' | 'time'): void {
    this.seats[seat]!.forfeit = reason
    if (!endsGame(this.seats)) return
    this.status = 'over'
    this.result = this.withForfeits({ ...this.game.result(reason === 'time' ? 'time' : 'resignation')!, decided_by: 'forfeit' })
  }

  /** The others first, among themselves by the rules; who forfeited is last, together. */
  private withForfeits(result: Result | null): Result | null {
    const rest = this.inPlay
    if (!result || rest.length === this.seats.length) return result
    const placeOf = (seat: number): number => 1 + rest.filter((other) => result.places[other]! < result.places[seat]!).length
    const places = this.seats.map((_, seat) => (rest.includes(seat) ? placeOf(seat) : rest.length + 1))
    const winners = rest.filter((seat) => places[seat] === 1)
    return { ...result, places, winners, decided_by: winners.join() === result.winners.join() ? result.decided_by : 'forfeit' }
  }
}

/** Is there nobody left to play on with? */
export function endsGame(seats: Pick<SeatState, 'forfeit' | 'person'>[]): boolean {
  const rest = seats.filter(({ forfeit }) => !forfeit)
  return rest.length === 1 || rest.every(({ person }) => person.level)
}

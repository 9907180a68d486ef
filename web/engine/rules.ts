/** The rules at work: states in memory, and what can be asked about them. No rule is written here. */

import { ACTION, OBSERVATION_SIZE, PHASE, RECORDS, TABLE, TURNS } from './layout.ts'
import { bytesOf, type Address, Module } from './module.ts'

const STATE = RECORDS.state
export type Field = keyof typeof STATE.fields

/** A whole turn in numbers, as `write_turns` lists it. */
export interface Turn {
  action: number // or TURNS.no_action, when the turn began earlier
  payment: number[] | null // when it has more gold than needed
  returned: number[]
  noble: number // or TABLE.NO_NOBLE
}

/** A viewer without a seat. */
export const SPECTATOR = -1

/** A generator of random numbers: SplitMix64, one word in memory. */
export type Rng = Address

export class Rules {
  readonly module: Module<string>
  private readonly turns: Address
  private readonly desk: Address
  private readonly numbers: Address // room for small answers
  private readonly spare: Address // a state
  private readonly scratch: Address // another, for a rule that needs one

  constructor(instance: WebAssembly.Instance) {
    this.module = new Module(instance)
    this.turns = this.module.room(RECORDS.turn.size * TURNS.most)
    this.desk = this.module.room(RECORDS.desk.size)
    this.numbers = this.module.room(4 * (ACTION.ACTIONS + 2))
    this.spare = this.module.room(STATE.size)
    this.scratch = this.module.room(STATE.size)
  }

  // ------------------------------------------------------------------------------------------ memory

  newState(): Address {
    return this.module.room(STATE.size)
  }

  newRng(seed: bigint | number): Rng {
    const rng = this.module.room(8)
    this.seed(rng, seed)
    return rng
  }

  seed(rng: Rng, seed: bigint | number): void {
    this.module.view('u64', rng, 1)[0] = BigInt(seed)
  }

  read(state: Address): Uint8Array {
    return this.module.bytes(state, STATE.size).slice()
  }

  write(state: Address, bytes: Uint8Array): void {
    this.module.bytes(state, STATE.size).set(bytes)
  }

  copy(from: Address, to: Address): void {
    this.module.bytes(to, STATE.size).set(this.module.bytes(from, STATE.size))
  }

  /** The numbers of a field. */
  field(state: Address, name: Field): number[] {
    const { at, kind, count } = STATE.fields[name]
    return Array.from(this.module.view(kind, state + at, count))
  }

  get(state: Address, name: Field, place = 0): number {
    const { at, kind } = STATE.fields[name]
    return this.module.view(kind, state + at + place * bytesOf(kind), 1)[0]!
  }

  // ------------------------------------------------------------------------------------------ questions

  isOver(state: Address): boolean {
    return this.get(state, 'phase') > PHASE.NOBLE
  }

  /** Does the turn go on with another decision of the same seat? */
  goesOn(state: Address): boolean {
    const phase = this.get(state, 'phase')
    return phase === PHASE.RETURN || phase === PHASE.NOBLE
  }

  isLegal(state: Address, action: number): boolean {
    return this.module.call.is_legal!(state, action) !== 0
  }

  legalActions(state: Address): number[] {
    this.module.call.legal_mask!(state, this.numbers)
    const mask = this.module.bytes(this.numbers, ACTION.ACTIONS)
    return Array.from(mask.keys()).filter((action) => mask[action])
  }

  /** All whole turns, or all ends of one that has begun. */
  legalTurns(state: Address): Turn[] {
    const count = this.module.call.write_turns!(state, this.turns, TURNS.most, this.desk)
    const { size, fields } = RECORDS.turn
    const numbers = this.module.view('i8', this.turns, size * count)
    return Array.from({ length: count }, (_, n) => {
      const row = numbers.subarray(size * n, size * (n + 1))
      const colors = ({ at, count }: { at: number; count: number }) => Array.from(row.subarray(at, at + count))
      return {
        action: row[fields.action.at]!,
        payment: row[fields.pays_more_gold.at] ? colors(fields.payment) : null,
        returned: colors(fields.returned),
        noble: row[fields.noble.at]!,
      }
    })
  }

  /** The legal decisions, rising, each with the phase that it leads to. */
  decisions(state: Address): { action: number; phase: number }[] {
    const phases = this.numbers + ACTION.ACTIONS + 1
    const count = this.module.call.write_decisions!(state, this.numbers, phases, this.scratch)
    const [actions, led] = [this.module.view('i8', this.numbers, count), this.module.view('i8', phases, count)]
    return Array.from(actions, (action, n) => ({ action, phase: led[n]! }))
  }

  /** What a seat lacks for each of these known cards, by color and before gold; and can it buy the card? */
  missing(state: Address, seat: number, cards: readonly number[]): { tokens: number[]; canBuy: boolean }[] {
    const { GOLD } = TABLE
    const tokens = this.numbers + cards.length
    const affordable = tokens + GOLD * cards.length
    this.module.bytes(this.numbers, cards.length).set(cards)
    this.module.call.write_missing!(state, seat, this.numbers, cards.length, tokens, affordable)
    return cards.map((_, n) => ({
      tokens: Array.from(this.module.view('i8', tokens + GOLD * n, GOLD)),
      canBuy: this.module.view('i8', affordable + n, 1)[0] !== 0,
    }))
  }

  /** Every exact payment for a buy, that with least gold first. */
  payments(state: Address, action: number): number[][] {
    const each = TABLE.GOLD + 1
    const count = this.module.call.write_payments!(state, action, this.turns, TURNS.most_payments, this.desk)
    return Array.from({ length: count }, (_, n) => Array.from(this.module.view('i8', this.turns + each * n, each)))
  }

  /** Does anyone learn a card by this decision: one that comes from a deck, or one that was reserved unseen? */
  reveals(state: Address, action: number): boolean {
    const seen = (viewer: number): boolean => this.module.call.card_turned_up!(state, action, viewer) !== TABLE.NO_CARD
    return seen(this.get(state, 'seat')) || seen(SPECTATOR)
  }

  leastGoldPayment(state: Address, card: number): number[] {
    this.module.call.least_gold_payment!(state, this.get(state, 'seat'), card, this.numbers)
    return Array.from(this.module.view('i8', this.numbers, TABLE.GOLD + 1))
  }

  isExactPayment(state: Address, card: number, payment: readonly number[]): boolean {
    this.module.view('i8', this.numbers, TABLE.GOLD + 1).set(payment)
    return this.module.call.is_exact_payment!(state, this.get(state, 'seat'), card, this.numbers) !== 0
  }

  cardForSale(state: Address, action: number): number {
    return this.module.call.card_for_sale!(state, action)
  }

  /** The share of the win and the place of each seat of a game that is over. */
  result(state: Address): { shares: number[]; places: number[] } {
    const places = this.numbers + 4 * TABLE.MAX_PLAYERS
    this.module.call.write_result!(state, this.numbers, places)
    const players = this.get(state, 'players')
    return {
      shares: Array.from(this.module.view('f32', this.numbers, players)),
      places: Array.from(this.module.view('i8', places, players)),
    }
  }

  // ------------------------------------------------------------------------------------------ deeds

  setup(state: Address, players: number, first: number, roundCap: number, rng: Rng): void {
    this.module.bytes(state, STATE.size).fill(0)
    this.module.call.setup!(state, players, first, roundCap, rng)
  }

  apply(state: Address, action: number): void {
    this.module.call.apply!(state, action)
  }

  applyPaying(state: Address, action: number, payment: readonly number[]): void {
    this.module.view('i8', this.numbers, TABLE.GOLD + 1).set(payment)
    this.module.call.apply_paying!(state, action, this.numbers)
  }

  hide(state: Address, viewer: number): void {
    this.module.call.hide!(state, viewer)
  }

  observe(state: Address, viewer: number, seen: Address): Uint8Array {
    this.module.call.observe!(state, viewer, seen)
    return this.module.bytes(seen, OBSERVATION_SIZE)
  }

  /** Look at a state that comes from outside; good until the next time. */
  withState<Result>(bytes: Uint8Array, look: (state: Address) => Result): Result {
    this.write(this.spare, bytes)
    return look(this.spare)
  }

  /** Do something on a copy of a state, which is good until the next time. */
  onCopy<Result>(state: Address, act: (copy: Address) => Result): Result {
    this.copy(state, this.spare)
    return act(this.spare)
  }
}

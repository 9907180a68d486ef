/**
 * The log of a game that this browser hosts: what is kept of it, and what its table is folded from. It holds the whole
 * deal, so it stays in the worker that owns the game. Entries have the names and fields of the server's.
 */

import type { Aborted, Clock, EngineTrouble, Event, Forfeited, Person, Rematched, Replaced, TookBack } from '../api/messages'

/** Of logs as they are written today. A browser may hold older ones. */
export const FORMAT = 1

type Unplaced<Told> = Omit<Told, keyof Event>

export interface SeatPlan {
  kind: 'person' | 'device' | 'computer'
  person: Person
  label: string | null
}

export interface Created {
  type: 'created'
  seats: SeatPlan[]
  clock: Clock
  order: 'random' | 'chosen'
  secret: string // what the deal is made from
  position: string | null // where the game starts, if it was not dealt
  seed: number // what chance decides for the computers
}

export interface Started {
  type: 'started'
  position: string
  order: number[]
}

export interface Played {
  type: 'played'
  seat: number
  move: string
}

export interface ClocksResumed {
  type: 'clocks_resumed'
  used: number // seconds of the turn, when the game was left
}

export type Entry =
  | Created | Started | Played | ClocksResumed
  | Unplaced<TookBack> | Unplaced<Forfeited> | Unplaced<Replaced> | Unplaced<EngineTrouble> | Unplaced<Aborted> | Unplaced<Rematched>

export interface Stored {
  version: number
  at: number // seconds since 1970
  entry: Entry
}

/** The person at this device, who may have an account; two at one device are the same person. */
export const HERE = 'here'
export const computer = (level: string): Person => ({ id: `computer:${level}`, name: null, guest: null, is_computer: true, level, avatar: null })

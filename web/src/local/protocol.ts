/** What a page and the worker that hosts its game say to each other: the messages of a server's table, and a few more. */

import type { Hint, NewTable, Person, Problem, Replay, ServerMessage } from '../api/messages'

export interface Open {
  type: 'open'
  id: string
  engine: string // the folder of the engine, as an address
  me: Person
  pause: number // seconds that a computer's move takes at least
  wish: NewTable | null // for a game that begins now
  how: 'play' | 'force' | 'read' // by force: also if another tab has it; to read: nothing of it changes
}

export type ToHost =
  | Open
  | { type: 'command'; text: string } // a `ClientMessage`
  | { type: 'hint'; key: string }
  | { type: 'replay'; key: string; viewer: number | null } // of a game that is over
  | { type: 'ping' }
  | { type: 'close' } // when what happened last is kept

/** What stands beside the game, as a code for `remark.*`. */
export type Remark = 'not_kept' | 'simpler'

export type FromHost =
  | ServerMessage
  | { type: 'next'; id: string; wish: NewTable } // the rematch, which the page begins
  | { type: 'hinted'; key: string; hint: Hint }
  | { type: 'replayed'; key: string; replay: Replay }
  | { type: 'remark'; remark: Remark; holds: boolean }
  | { type: 'failed'; problem: Problem } // there is no game to show
  | { type: 'pace'; milliseconds: number } // a position takes a computer so long
  | { type: 'pong' }

/** To a worker in which computers think. */
export type ToThinker =
  | { type: 'begin'; engine: string }
  | { type: 'think'; number: number; player: string; seed: number; position: string; viewer: number }
  | { type: 'stop' }
  | { type: 'ping' }

export type FromThinker =
  | { type: 'ready'; milliseconds: number | null; reason: string | null } // for a position; null: the network does not run
  | { type: 'thought'; number: number; move: string }
  | { type: 'failed'; number: number; reason: string }
  | { type: 'pong' }

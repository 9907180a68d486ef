/**
 * What stands behind a table: it shows the table as this viewer sees it, tells what happens there, and takes what
 * the viewer decides. Pages know this interface and not who is behind it: a server (`socket.svelte.ts`), or a worker of
 * this browser (`local.svelte.ts`).
 */

import type { AnyEvent, Chat, ClientMessage, Continuations, Done, Hint, RematchReady, Said, Table } from '../api/messages'

type Unkeyed<Message> = Message extends { key: string } ? Omit<Message, 'key'> : never

/** What a viewer can ask of a table: to play a move, to resign, to vote … The host gives each its key. */
export type Command = Unkeyed<ClientMessage>
export type AnswerTo<Sent> = Sent extends { type: 'rematch' } ? RematchReady : Sent extends { type: 'consider' } ? Continuations : Done

export type HostState =
  | 'connecting' // nothing has come yet
  | 'open'
  | 'lost' // it tries again by itself
  | 'refused' // it will not come back: `problem` says why
  | 'closed'

/** What a player has just said; `n` counts. */
export type Heard = Said & { n: number }

export interface Update {
  fresh: AnyEvent[] // what has not been told before
  before: Table | null
  table: Table
  isFirst: boolean // all that is fresh is history
  show: () => void // from here on `table` and `events` are the new ones
}

/** Told of every update before it is shown, so that it can look at the page as it was; it must call `show`. */
export type Watch = (update: Update) => void

/** All properties are reactive: a page that reads them follows them. */
export interface Host {
  /** The table as this viewer sees it, with the moves that are legal now; null until it has come. */
  readonly table: Table | null
  /** What has happened at the table, oldest first. */
  readonly events: AnyEvent[]
  /** The seats whose players are there. */
  readonly online: number[]
  readonly spectators: number
  /** The last thing that a player said; it is kept nowhere. */
  readonly heard?: Heard | null
  /** With whom the viewer can write, and what was written; null if that is for others. */
  readonly chat?: Chat | null

  readonly state: HostState
  /** A code for `problemText`. */
  readonly problem: string | null
  /** There is a newer version of these pages. */
  readonly isOutdated: boolean
  /** The host's clock less ours, in seconds. */
  readonly skew: number
  /** What one should know about this host: codes for `remark.*`. */
  readonly remarks: string[]
  /** This has been read. */
  dismiss(remark: string): void

  /** Done once, however often the connection breaks meanwhile. Rejects with `Refused` if the table refuses it. */
  command<Sent extends Command>(command: Sent): Promise<AnswerTo<Sent>>
  /** What a computer would do now in the viewer's place. */
  hint(): Promise<Hint>
  /** Takes a free seat. */
  join(): Promise<void>
  /** Another game of the same players, with a seat in it for the viewer; its id. */
  rematch(): Promise<string>
  /** Goes on here with a game that another tab has; there is nothing to take over from a server. */
  takeOver?(): void
  close(): void
}

/** Games that this browser hosts, kept in it: what a list shows of them, and apart from that their logs. */

import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Person, Result } from '../api/messages'
import type { Stored } from './log'

export interface KeptGame {
  id: string
  updated: number // seconds since 1970
  status: 'live' | 'over' | 'aborted'
  isYourTurn: boolean
  seats: { person: Person; label: string | null }[]
  turns: number
  result: Result | null
  own?: { cards: number[]; nobles: number[] } | null // what the person had at the end; null if it does not count
}

export interface KeptLog {
  id: string
  format: number
  version: number
  used: number // seconds of the present turn
  log: Stored[]
}

interface Schema extends DBSchema {
  games: { key: string; value: KeptGame; indexes: { updated: number } }
  logs: { key: string; value: KeptLog }
}

const NAME = 'splendor'
const MOST = 300 // games; the oldest finished ones go

/** Another tab has played on. */
export class Moved extends Error {}

let opened: Promise<IDBPDatabase<Schema>> | null = null

/** Rejects where the browser keeps nothing. */
function shelf(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>(NAME, 1, {
    upgrade(database) {
      database.createObjectStore('games', { keyPath: 'id' }).createIndex('updated', 'updated')
      database.createObjectStore('logs', { keyPath: 'id' })
    },
    blocking: (_, __, event) => (event.target as IDBDatabase).close(), // a newer version of these pages needs it
  })
  opened.catch(() => (opened = null))
  return opened
}

/** The newest first. */
export const keptGames = async (): Promise<KeptGame[]> => (await (await shelf()).getAllFromIndex('games', 'updated')).reverse()

export const keptLog = async (id: string): Promise<KeptLog | undefined> => (await shelf()).get('logs', id)

/** Keeps how a game stands; rejects with Moved if what is kept is not the version that it goes on from. */
export async function keep(game: KeptGame, log: KeptLog, from: number): Promise<void> {
  const task = (await shelf()).transaction(['games', 'logs'], 'readwrite')
  task.done.catch(() => null) // whoever waits for it below hears of it
  const [games, logs] = [task.objectStore('games'), task.objectStore('logs')]
  const known = await logs.get(game.id)
  if ((known?.version ?? 0) !== from) {
    task.abort()
    await task.done.catch(() => null)
    throw new Moved()
  }
  await Promise.all([games.put(game), logs.put(log)])
  if (!known) await makeRoom(games, logs)
  await task.done
}

interface Store<Value> {
  delete(key: string): Promise<void>
  getAll(): Promise<Value[]>
}

async function makeRoom(games: Store<KeptGame>, logs: Pick<Store<KeptLog>, 'delete'>): Promise<void> {
  const all = (await games.getAll()).sort((a, b) => a.updated - b.updated)
  const old = all.filter(({ status }) => status !== 'live').slice(0, Math.max(0, all.length - MOST))
  await Promise.all(old.flatMap(({ id }) => [games.delete(id), logs.delete(id)]))
}

export async function forgetGame(id: string): Promise<void> {
  const task = (await shelf()).transaction(['games', 'logs'], 'readwrite')
  await Promise.all([task.objectStore('games').delete(id), task.objectStore('logs').delete(id), task.done])
}

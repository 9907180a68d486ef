/** The ids of games that this browser hosts, which tell them from those on a server, and games that are about to begin. */

import type { NewTable } from '../api/messages'
import { go } from '../lib/router.svelte'
import { keep, recall } from '../lib/storage'

const PREFIX = 'local-'
const LETTERS = 16

export const isLocal = (id: string): boolean => id.startsWith(PREFIX)

export function newLocalId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array((LETTERS * 3) / 4))
  return PREFIX + btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_')
}

/** How the games that begin on the next page are wished for. */
export const wishes = new Map<string, NewTable>()

const PLAYED = 'splendor.local' // this browser has hosted a game

/** May this browser keep games? What keeps them need not be loaded otherwise. */
export const hasPlayedHere = (): boolean => recall(PLAYED) !== null

/** Begins a game in this browser. */
export function playHere(wish: NewTable, query = ''): void {
  const id = newLocalId()
  wishes.set(id, wish)
  keep(PLAYED, '1')
  go(`/t/${id}${query}`)
}

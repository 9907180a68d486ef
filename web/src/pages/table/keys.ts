/** The keys of a table; those of the board are handed on to it. */

import type { Decisions } from './decisions.svelte'
import type { Opened } from './opened'

export interface TableDeeds {
  decisions: Decisions
  open: (what: Opened) => void
  toggleText: () => void
  sayStatus: () => void
  /** A key of the board. True if it meant something. */
  board: (key: string) => boolean
}

/** True if the key meant something. */
export function pressAtTable(key: string, { decisions, open, toggleText, sayStatus, board }: TableDeeds): boolean {
  const deeds: Record<string, () => void> = {
    '/': () => open('typed'),
    '?': () => open('keys'),
    t: toggleText,
    i: sayStatus,
    z: () => void decisions.undo(),
    h: () => void decisions.askHint(),
  }
  const deed = deeds[key]
  if (!deed) return board(key)
  deed()
  return true
}

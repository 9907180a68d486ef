/**
 * What this browser keeps of a deal, so that it can check it later without believing the server: its own number, and
 * all promises as they stood when it gave the number; then the cards that lay open when the game began.
 */

import type { Table } from '../api/messages'

export interface Kept {
  commit: string // the server's promise
  commits: (string | null)[] // the players', as they sat down
  nonce: string
  reveals: number // how often this browser gave a number at this table: before, the deal was begun and given up
  opening?: string // market and nobles
}

const KEY = 'splendor.promises'
const MOST = 200 // tables

function all(): Record<string, Kept> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Kept>
  } catch {
    return {}
  }
}

function store(table: string, kept: Kept): void {
  const { [table]: _, ...others } = all()
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...Object.entries(others).slice(1 - MOST), [table, kept]])))
  } catch {
    // without storage nothing can be checked later, and the game goes on
  }
}

export const keptOf = (table: string): Kept | null => all()[table] ?? null

/** To be called before a nonce is given away: what is promised now must be what is dealt by, also if it is sent twice. */
export function keepPromises(table: Table, nonce: string): void {
  if (!table.fairness) return
  const { commit, commits } = table.fairness
  const kept = keptOf(table.id)
  if (kept?.nonce !== nonce) store(table.id, { commit, commits, nonce, reveals: (kept?.reveals ?? 0) + 1 })
}

/** The open cards and nobles of a position. */
export const openingOf = (position: string): string => {
  const fields = position.split(' ')
  return `${fields[7]} ${fields[9]}`
}

/** To be called with every table: of a game that has just begun it keeps the open cards. */
export function keepOpening(table: Table): void {
  if (table.status !== 'live' || table.board?.turn !== 0 || table.board.phase !== 'act') return
  const kept = keptOf(table.id)
  if (kept && !kept.opening) store(table.id, { ...kept, opening: openingOf(table.board.position) })
}

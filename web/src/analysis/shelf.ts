/** Studies that are kept in this browser, the latest first; and one that another page hands over. */

import type { Kept } from './study.svelte'

const KEY = 'splendor.analysis'
const MOST = 20

export function all(): Kept[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown
    return Array.isArray(kept) ? (kept as Kept[]) : []
  } catch {
    return []
  }
}

export const find = (id: string): Kept | undefined => all().find((one) => one.id === id)

/** Keeps a study; where there is no room, the oldest give way. False: there is no room at all. */
export function keep(study: Kept): boolean {
  const kept = [study, ...all().filter((one) => one.id !== study.id)].slice(0, MOST)
  for (; kept.length; kept.pop()) if (write(kept)) return true
  return false
}

export const forget = (id: string): boolean => write(all().filter((one) => one.id !== id))

function write(kept: Kept[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
    return true
  } catch {
    return false
  }
}

// ------------------------------------------------------------------------------------------- handed over

export interface Handed {
  record: string
  step: number
}

let handed: Handed | null = null

export const hand = (one: Handed): void => void (handed = one)

export function taken(): Handed | null {
  const one = handed
  handed = null
  return one
}

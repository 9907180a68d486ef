/** Whom this browser does not listen to. Nothing of it goes to the server. */

import type { Person } from '../api/messages'

const KEY = 'splendor.muted'
const MOST = 200

function read(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as string[]
  } catch {
    return []
  }
}

const muted = $state(read())

export const isMuted = (person: Person | null): boolean => person !== null && muted.includes(person.id)

export function mute(person: Person, yes: boolean): void {
  const at = muted.indexOf(person.id)
  if (yes && at < 0) muted.push(person.id)
  else if (!yes && at >= 0) muted.splice(at, 1)
  try {
    localStorage.setItem(KEY, JSON.stringify(muted.slice(-MOST)))
  } catch {
    // then it holds for this page
  }
}

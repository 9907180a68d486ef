/** Where a new game is hosted: games against computers in this browser if it is able to, the others on the server. */

import type { NewTable } from '../api/messages'
import { hasSimd } from '../../engine/files'
import { levels } from '../local/levels'
import { hasServer } from '../lib/place'
import { settings } from '../lib/settings.svelte'
import { keep, recall } from '../lib/storage'

const PACE = 'splendor.pace' // milliseconds that a position took a computer here
const SLOW = 12 // from here on a computer that looks ahead sees too little in its time

export const notePace = (milliseconds: number): void => keep(PACE, milliseconds.toFixed(2))

const isAble = (): boolean => hasSimd() && 'Worker' in globalThis && Number(recall(PACE) ?? 0) < SLOW

/** Is such a game hosted in this browser? */
export function isHostedHere({ seats, public: isPublic }: NewTable): boolean {
  if (!hasServer) return true
  if (isPublic || seats.some(({ level }) => level && !levels.includes(level))) return false // a level that only the server knows
  if (settings.computers === 'server' || seats.some(({ kind }) => kind === 'open' || kind === 'invited')) return false
  if (settings.computers === 'here') return true
  return seats.every(({ kind }) => kind === 'me' || kind === 'computer') && isAble()
}

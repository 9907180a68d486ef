/** Which lines have been read, at each table; kept in this browser. */

import type { Chat, ChatLine, Person, Table } from '../api/messages'
import { isMuted } from '../company/talk.svelte'
import { settings } from '../lib/settings.svelte'

const KEY = 'splendor.chat-read'
const MOST = 50 // tables

function load(): [string, number][] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as [string, number][]
  } catch {
    return []
  }
}

let read = $state.raw(new Map(load())) // by table: when the last line that was read was written

/** Who wrote what is said to come from a seat: whoever plays there, or did. */
export const writerAt = (table: Table, seat: number): Person | null => {
  const { person, player } = table.seats[seat]!
  return person?.level ? player : person
}

/** The lines to show: all but those of players whom one does not want to hear. */
export const heard = (table: Table, chat: Chat | null | undefined): ChatLine[] =>
  (chat?.lines ?? []).filter(({ seat }) => table.you.includes(seat) || (settings.talk && !isMuted(writerAt(table, seat))))

/** Those of them by others that have not been read. */
export const unread = (table: Table, chat: Chat | null | undefined): ChatLine[] =>
  heard(table, chat).filter(({ seat, at }) => !table.you.includes(seat) && at > (read.get(table.id) ?? 0))

/** All of them have been read. */
export function noteRead(table: Table, chat: Chat): void {
  const last = chat.lines.at(-1)?.at ?? 0
  if (last <= (read.get(table.id) ?? 0)) return
  const others = [...read].filter(([id]) => id !== table.id)
  read = new Map([...others.slice(1 - MOST), [table.id, last]])
  try {
    localStorage.setItem(KEY, JSON.stringify([...read]))
  } catch {
    // then it holds for this page
  }
}

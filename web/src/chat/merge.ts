/** What is known of the chat at a table, with what has just come: a line that is there already is not shown twice. */

import type { Chat, ChatLine } from '../api/messages'

const inOrder = (lines: ChatLine[]): ChatLine[] => [...new Map(lines.map((line) => [line.id, line])).values()].sort((a, b) => a.at - b.at)

/** The chat as it stands now; a line that came while this was on its way stays, unless one is not to hear its writer. */
export function withChat(known: Chat | null, now: Chat): Chat {
  const shut = new Set(now.people.filter(({ state }) => state === 'unable').map(({ seat }) => seat))
  const kept = (known?.lines ?? []).filter(({ seat }) => !shut.has(seat))
  return { ...now, lines: inOrder([...kept, ...now.lines]) }
}

export const withLine = (known: Chat | null, line: ChatLine): Chat | null => known && { ...known, lines: inOrder([...known.lines, line]) }

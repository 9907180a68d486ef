/** A study as a game file: its main line, with what else was tried as comments in the notation of moves. */

import { post } from '../api/http'
import type { Replay } from '../api/messages'
import type { Node, Study } from './study.svelte'

const words = (one: Node): string => [one.move?.text ?? '', ...(one.card === null ? [] : [`>${one.card}`])].join(' ')

/** All that follows from a turn, its other turns in brackets behind it. */
function told(one: Node): string {
  const own = one.comment ? `${words(one)} “${one.comment}”` : words(one)
  const [next, ...others] = one.children
  return [own, ...(next ? [told(next), ...others.map((other) => `(${told(other)})`)] : [])].join(' ')
}

/** The text of the game file; the server writes and checks it. Raises Refused. */
export async function recordOf(study: Study): Promise<string> {
  const turns = []
  let parent: Node = study.root
  while (parent.children.length) {
    const [next, ...others] = parent.children as [Node, ...Node[]]
    const comment = [next.comment, ...others.map((other) => `(${told(other)})`)].filter(Boolean).join(' ')
    turns.push({
      move: next.move!.text,
      ...(next.card === null ? {} : { drawn: next.card }),
      ...(comment ? { comment } : {}),
      ...(next.shares ? { evaluation: next.shares.map((share) => Math.round(share * 10000) / 10000) } : {}),
    })
    parent = next
  }
  const tags = Object.fromEntries(study.names.flatMap((name, seat) => (name ? [[`Seat${seat}`, name]] : [])))
  const record = JSON.stringify({ game: 'splendor 1', tags, position: study.root.position, turns })
  return (await post<Replay>('/records/replay', { record })).record
}

/** What a game was like, read from what happened: points after each round, tokens taken, cards kept. */

import type { AnyEvent, Played } from '../../api/messages'
import { box } from '../../lib/box.svelte'
import { count } from '../../lib/colors'

export interface Course {
  points: number[][] // after each round, of each seat
  taken: number[] // tokens from the bank
  reserved: number[]
  nobles: number[]
}

/** The turns that stand in the end: those taken back are left out. */
function turnsOf(events: AnyEvent[]): Played[][] {
  const turns: Played[][] = []
  let isOpen = false
  for (const event of events) {
    if (event.type === 'took_back') {
      turns.splice(-event.turns)
      isOpen = false
    } else if (event.type === 'played') {
      if (isOpen) turns.at(-1)!.push(event)
      else turns.push([event])
      isOpen = !event.ends_turn
    }
  }
  return turns
}

export function courseOf(events: AnyEvent[], players: number): Course {
  const nothing = (): number[] => Array<number>(players).fill(0)
  const course: Course = { points: [nothing()], taken: nothing(), reserved: nothing(), nobles: nothing() }
  const points = nothing()
  turnsOf(events).forEach((turn, n, all) => {
    for (const { seat, move, movements } of turn) {
      course.taken[seat]! += count(move.taken)
      if (move.kind === 'reserve' || move.kind === 'draw') course.reserved[seat]! += 1
      for (const moved of movements) {
        if (moved.what === 'card' && moved.target.area === 'bought' && moved.card) points[seat]! += box.card(moved.card)?.points ?? 0
        if (moved.what === 'noble') {
          points[seat]! += box.noblePoints
          course.nobles[seat]! += 1
        }
      }
    }
    if ((n + 1) % players === 0 || n === all.length - 1) course.points.push([...points])
  })
  return course
}

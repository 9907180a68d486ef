/** The steps of the lesson: a position, and which moves are the ones it asks for. */

import type { MoveForm } from '../api/messages'
import type { Key } from '../i18n/en'
import { box } from '../lib/box.svelte'
import { count } from '../lib/colors'
import { POSITIONS } from './positions'

export interface Step {
  title: Key
  text: Key
  why: Key | null
  position: string
  /** Is this what the step is about? `null`: nothing to play, just look. */
  goal: ((played: MoveForm[]) => boolean) | null
  mark?: Partial<MoveForm>
}

const level = (move: MoveForm): number => (move.card ? (box.card(move.card)?.level ?? 0) : 0)
const first = (played: MoveForm[]): MoveForm => played[0]!

export const STEPS: Step[] = [
  { title: 'learn.1.title', text: 'learn.1.text', why: null, position: POSITIONS.start, goal: null },
  {
    title: 'learn.2.title', text: 'learn.2.text', why: 'learn.2.why', position: POSITIONS.start,
    goal: (played) => first(played).text === '+ugr',
    mark: { taken: { blue: 1, green: 1, red: 1 } },
  },
  {
    title: 'learn.3.title', text: 'learn.3.text', why: 'learn.3.why', position: POSITIONS.pair,
    goal: (played) => first(played).text === '+ww',
    mark: { taken: { white: 2 } },
  },
  {
    title: 'learn.4.title', text: 'learn.4.text', why: 'learn.4.why', position: POSITIONS.buy,
    goal: (played) => first(played).kind === 'buy' && level(first(played)) === 1,
  },
  {
    title: 'learn.5.title', text: 'learn.5.text', why: 'learn.5.why', position: POSITIONS.bonus,
    goal: (played) => first(played).kind === 'buy' && level(first(played)) === 2,
  },
  {
    title: 'learn.6.title', text: 'learn.6.text', why: 'learn.6.why', position: POSITIONS.reserve,
    goal: (played) => first(played).kind === 'reserve' && level(first(played)) === 3,
  },
  {
    title: 'learn.7.title', text: 'learn.7.text', why: 'learn.7.why', position: POSITIONS.full,
    goal: (played) => first(played).kind === 'take' && played.some((move) => count(move.returned) > 0),
  },
  {
    title: 'learn.8.title', text: 'learn.8.text', why: 'learn.8.why', position: POSITIONS.noble,
    goal: (played) => first(played).text.startsWith('b23'),
    mark: { card: 23 },
  },
  { title: 'learn.9.title', text: 'learn.9.text', why: null, position: POSITIONS.noble, goal: null },
]

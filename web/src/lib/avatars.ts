/** The pictures that stand for players. Whoever has chosen none has one by chance, always the same. */

import type { Introduction, Person } from '../api/messages'

export type Avatar = NonNullable<Introduction['avatar']>

export const AVATARS: readonly Avatar[] = ['fox', 'owl', 'bear', 'cat', 'hare', 'stag', 'lion', 'raven', 'frog', 'badger', 'ram', 'turtle']

/** `label`: what somebody at a shared screen is called, who has no other name. */
export function avatarOf(person: Person | null, label: string | null = null): string {
  if (person?.level) return 'automaton'
  if (person?.avatar && label === null) return person.avatar
  let sum = 0
  for (const sign of label ?? person?.id ?? '') sum = (sum * 31 + sign.codePointAt(0)!) % 9973
  return AVATARS[sum % AVATARS.length]!
}

/** The colors, always in the order of the notation. */

import type { Color, Gems, MoveForm } from '../api/messages'

export type GemColor = Exclude<Color, 'gold'>
export type SomeTokens = NonNullable<MoveForm['taken']>

export const GEMS: GemColor[] = ['white', 'blue', 'green', 'red', 'black']
export const COLORS: Color[] = [...GEMS, 'gold']
export const LETTERS: Record<Color, string> = { white: 'w', blue: 'u', green: 'g', red: 'r', black: 'k', gold: 'o' }

export const count = (tokens: SomeTokens | Gems | null | undefined): number =>
  tokens ? COLORS.reduce((sum, color) => sum + ((tokens as SomeTokens)[color] ?? 0), 0) : 0

/** The tokens one by one, in order. */
export const spread = (tokens: SomeTokens): Color[] =>
  COLORS.flatMap((color) => Array<Color>(tokens[color] ?? 0).fill(color))

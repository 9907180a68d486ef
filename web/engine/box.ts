/** What is in the box: all cards and nobles as they are printed. */

import type { CardFace, Color, Gems, NobleTile } from '../src/api/messages.ts'
import { CARD_BONUS, CARD_COST, CARD_LEVEL, CARD_POINTS, COLORS, NOBLE_COST, TABLE } from './layout.ts'

export const named = (counts: readonly number[]): Record<Color, number> => Object.fromEntries(counts.map((count, color) => [COLORS[color]!, count])) as Record<Color, number>
export const gems = (counts: readonly number[]): Gems => named(counts.slice(0, TABLE.GOLD))

export const CARD_FACES: readonly CardFace[] = Array.from({ length: TABLE.CARDS }, (_, card) => ({
  id: card + 1,
  level: CARD_LEVEL[card]! + 1,
  points: CARD_POINTS[card]!,
  bonus: COLORS[CARD_BONUS[card]!]!,
  cost: gems(CARD_COST[card]!),
}))

export const NOBLE_TILES: readonly NobleTile[] = Array.from({ length: TABLE.NOBLES }, (_, noble) => ({
  id: noble + 1,
  points: TABLE.NOBLE_POINTS,
  cost: gems(NOBLE_COST[noble]!),
}))

/** How a game ended: by the rules, or before that, as the tags of its record say. See `analysis/outcome.py`. */

import type { Game } from '../game.ts'

/** The share of the win that each seat got; null if the game goes on. */
export function outcomeOf(game: Game): number[] | null {
  const winners = new Set(game.isOver ? game.winners : (game.tags.Winners ?? '').split(',').filter((seat) => /^[0-3]$/.test(seat)).map(Number))
  if (!winners.size || Math.max(...winners) >= game.players || (!game.isOver && !('Termination' in game.tags))) return null
  return Array.from({ length: game.players }, (_, seat) => (winners.has(seat) ? 1 / winners.size : 0))
}

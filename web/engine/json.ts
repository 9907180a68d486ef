/** The JSON twin of a game file, as text: who plays it finds what is wrong in it. See `docs/notation.md`. */

import { NotationError, parseMove } from './notation.ts'
import { formatRecord, type PlayedTurn, type Tags } from './records.ts'

interface JsonTurn extends Partial<Omit<PlayedTurn, 'move'>> {
  move: string
}

export const isJson = (text: string): boolean => /^\ufeff?\s*\{/.test(text)

export function textOfJson(json: string): string {
  try {
    const { tags = {}, position, turns } = JSON.parse(json.replace(/^\ufeff/, '')) as { tags?: Tags; position: string; turns: JsonTurn[] }
    const played = turns.map(({ move, drawn = null, comment = '', evaluation = null, clock = null }) => ({ move: parseMove(move), drawn, comment, evaluation, clock }))
    return formatRecord({ position, tags, turns: played })
  } catch (error) {
    throw error instanceof NotationError ? error : new NotationError('this is not a game in JSON')
  }
}

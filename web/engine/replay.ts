/** A game step by step, as a viewer saw it or with all hands open: the twin of what the server replays. */

import type { Frame, Replay } from '../src/api/messages.ts'
import { Game } from './game.ts'
import type { Viewer } from './showing.ts'

export function replayOf(game: Game, viewer: Viewer): Replay {
  const again = game.fromStart()
  const frames: Frame[] = [{ turn: 0, seat: null, move: null, movements: [], comment: '', clock: null, evaluation: null, board: again.board(viewer) }]
  for (const [n, { move, comment, clock, evaluation }] of game.turns.entries()) {
    const step = again.playPart(move)
    frames.push({ turn: n + 1, seat: step.seat, ...again.shown(step, viewer), comment, clock, evaluation: evaluation && [...evaluation], board: again.board(viewer) })
  }
  return {
    tags: game.tags,
    names: Array.from({ length: game.players }, (_, seat) => game.tags[`Seat${seat}`] ?? null),
    viewer: viewer === 'all' ? null : viewer,
    reveals: viewer === 'all',
    frames,
    result: game.result(),
    record: game.record(),
  }
}

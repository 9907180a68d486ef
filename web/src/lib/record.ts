/** What this browser remembers of finished games: the score of a series of rematches, and how many games were won in a row. */

/** Games won in a series, by the name of the player: seats change from game to game. */
export type Scores = Partial<Record<string, number>>

interface Remembered {
  table: string
  won: boolean
  counts: boolean // a game that counts for a streak: not given up before it began
  level: string | null // of the computers, if all had the same
  scores: Scores // of the series so far
}

const KEY = 'splendor.record'
const MOST = 400

function read(): Remembered[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Remembered[]
  } catch {
    return []
  }
}

function write(games: Remembered[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(-MOST)))
  } catch {
    // a browser that keeps nothing still plays
  }
}

const SERIES = 'splendor.series' // the table of a rematch, and the scores it begins with

/** The next game of a series begins with these scores. */
export function carryOn(next: string, scores: Scores): void {
  try {
    localStorage.setItem(SERIES, JSON.stringify({ next, scores }))
  } catch {
    // as above
  }
}

function begunWith(table: string): Scores {
  try {
    const { next, scores } = JSON.parse(localStorage.getItem(SERIES) ?? '{}') as { next?: string; scores?: Scores }
    if (next === table && scores) return scores
  } catch {
    // as above
  }
  return {}
}

/** Notes how a game ended, once; the scores of its series, and how many games in a row have been won with it. */
export function remember(table: string, winners: string[], won: boolean, counts: boolean, level: string | null): { scores: Scores; streak: number } {
  const games = read()
  if (!games.some((game) => game.table === table)) {
    const scores = { ...begunWith(table) }
    for (const name of winners) scores[name] = (scores[name] ?? 0) + 1
    games.push({ table, won, counts, level, scores })
    write(games)
  }
  const at = games.findIndex((game) => game.table === table)
  const counted = games.slice(0, at + 1).filter((game) => game.counts)
  const lost = counted.findLastIndex((game) => !game.won)
  return { scores: games[at]!.scores, streak: counted.length - 1 - lost }
}

/** How the games against a level have ended. */
export function against(level: string): { won: number; lost: number } {
  const games = read().filter((game) => game.counts && game.level === level)
  const won = games.filter((game) => game.won).length
  return { won, lost: games.length - won }
}

/** The profile of this browser: what counts, and what the games come to. */

import { expect, test } from 'vitest'
import type { Person } from '../src/api/messages'
import type { KeptGame } from '../src/local/shelf'
import { statisticsOf } from '../src/people/here'

const person: Person = { id: 'here', name: null, guest: null, is_computer: false, level: null, avatar: null }
const level = (name: string): Person => ({ ...person, id: `computer:${name}`, is_computer: true, level: name })

function game(winners: number[], others: Person[], more: Partial<KeptGame> = {}): KeptGame {
  const seats = [person, ...others].map((one) => ({ person: one, label: null }))
  const result = { winners, places: seats.map((_, n) => (winners.includes(n) ? 1 : 2)), points: seats.map(() => 15), reason: 'points' as const }
  return { id: 'local-x', updated: 0, status: 'over', isYourTurn: false, seats, turns: 10 * seats.length, result: result as KeptGame['result'], own: { cards: [], nobles: [] }, ...more }
}

test('shares, streaks, sizes, opponents and favourites; the newest game comes first', () => {
  const [master, novice] = [level('master'), level('apprentice')]
  const found = statisticsOf([
    game([0], [master], { own: { cards: [7, 9], nobles: [2] } }),
    game([1], [master], { own: { cards: [7], nobles: [] } }),
    game([0], [novice], { own: undefined }), // kept by an earlier version, which noted no cards
    game([0, 2], [master, novice], { turns: 45 }),
    game([0], [novice, novice]),
  ])
  expect(found).toEqual({
    games: 5,
    won: 3.5,
    sizes: [{ players: 2, games: 3, won: 2 }, { players: 3, games: 2, won: 1.5 }],
    levels: [{ against: 'apprentice', games: 2, won: 2 }, { against: 'computers', games: 1, won: 0.5 }, { against: 'master', games: 2, won: 1 }],
    streak: 1,
    longest_streak: 1,
    rounds: (10 + 10 + 10 + 15 + 10) / 5,
    cards: [{ id: 7, games: 2 }, { id: 9, games: 1 }],
    nobles: [{ id: 2, games: 1 }],
    ratings: [],
  })
})

test('what goes on, was aborted, begins somewhere else, was hardly played or is shared by people does not count', () => {
  const master = level('master')
  const found = statisticsOf([
    game([0], [master], { status: 'live', result: null }),
    game([0], [master], { status: 'aborted', result: null }),
    game([0], [master], { own: null }),
    game([0], [master], { turns: 1 }),
    game([0], [person]),
  ])
  expect([found.games, found.won, found.rounds]).toEqual([0, 0, null])
})

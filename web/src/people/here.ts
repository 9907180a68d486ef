/** What the games come to that this browser hosts and keeps: the numbers of a profile, and none of them leaves it. */

import type { Statistics } from '../api/messages'
import type { KeptGame } from '../local/shelf'

const FAVOURITE_CARDS = 6
const FAVOURITE_NOBLES = 3

interface Counted extends KeptGame {
  seat: number // of the person
  won: number // the part of the win
}

/** A game in which one person played against computers to the end. */
function counted(game: KeptGame): Counted[] {
  const people = game.seats.flatMap(({ person }, seat) => (person.level ? [] : [seat]))
  const [seat] = people
  if (game.status !== 'over' || !game.result || game.own === null || people.length !== 1 || game.turns < game.seats.length) return []
  const { winners } = game.result
  return [{ ...game, seat: seat!, won: winners.includes(seat!) ? 1 / winners.length : 0 }]
}

/** The level, if all others were of that one. */
function against({ seats, seat }: Counted): string {
  const levels = new Set(seats.flatMap(({ person }, n) => (n === seat ? [] : [person.level ?? ''])))
  return levels.size === 1 ? [...levels][0]! : 'computers'
}

function tally<Key extends string | number>(games: Counted[], key: (game: Counted) => Key): [Key, number, number][] {
  const sums = new Map<Key, [number, number]>()
  for (const game of games) {
    const [played, won] = sums.get(key(game)) ?? [0, 0]
    sums.set(key(game), [played + 1, won + game.won])
  }
  return [...sums].map(([name, [played, won]]): [Key, number, number] => [name, played, won]).sort(([a], [b]) => (a < b ? -1 : 1))
}

function favourites(ids: number[], most: number): { id: number; games: number }[] {
  const times = new Map<number, number>()
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1)
  return [...times].map(([id, games]) => ({ id, games })).sort((a, b) => b.games - a.games || a.id - b.id).slice(0, most)
}

/** All of it; the newest game comes first. */
export function statisticsOf(kept: KeptGame[]): Statistics {
  const games = kept.flatMap(counted)
  let [streak, longest] = [0, 0]
  for (const { won } of games.toReversed()) {
    streak = won === 1 ? streak + 1 : 0
    longest = Math.max(longest, streak)
  }
  return {
    games: games.length,
    won: games.reduce((sum, { won }) => sum + won, 0),
    sizes: tally(games, ({ seats }) => seats.length).map(([players, played, won]) => ({ players, games: played, won })),
    levels: tally(games, against).map(([name, played, won]) => ({ against: name, games: played, won })),
    streak,
    longest_streak: longest,
    rounds: games.length ? games.reduce((sum, { turns, seats }) => sum + turns / seats.length, 0) / games.length : null,
    cards: favourites(games.flatMap(({ own }) => own?.cards ?? []), FAVOURITE_CARDS),
    nobles: favourites(games.flatMap(({ own }) => own?.nobles ?? []), FAVOURITE_NOBLES),
    ratings: [],
  }
}

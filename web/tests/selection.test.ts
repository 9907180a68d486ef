import { describe, expect, test } from 'vitest'
import type { MoveForm } from '../src/api/messages'
import {
  candidates, canGrow, canTake, complete, NOTHING, owed, purchases, reservation, tapReturn, tapToken, type Selection,
} from '../src/board/selection'

const blank = { taken: null, card: null, level: null, payment: null, returned: null, noble: null, then: null }
const move = (text: string, kind: MoveForm['kind'], more: Partial<MoveForm> = {}): MoveForm => ({ ...blank, text, kind, ...more })

const moves = [
  move('+wug', 'take', { taken: { white: 1, blue: 1, green: 1 } }),
  move('+wur', 'take', { taken: { white: 1, blue: 1, red: 1 } }),
  move('+ww', 'take', { taken: { white: 2 } }),
  move('r17', 'reserve', { card: 17 }),
  move('rd2', 'draw', { level: 2 }),
  move('b62', 'buy', { card: 62, payment: { blue: 2 } }),
  move('b62=uo', 'buy', { card: 62, payment: { blue: 1, gold: 1 } }),
]
const tap = (...colors: ('white' | 'blue' | 'green' | 'red' | 'black' | 'gold')[]): Selection =>
  colors.reduce<Selection>((selection, color) => tapToken(moves, selection, color), NOTHING)

describe('taking tokens', () => {
  test('tokens are chosen one by one until they are a move', () => {
    expect(complete(moves, tap('white'))).toBeNull()
    expect(complete(moves, tap('white', 'blue'))).toBeNull()
    expect(complete(moves, tap('white', 'blue', 'green'))?.text).toBe('+wug')
  })

  test('two of a kind are a move, and can grow no more', () => {
    const two = tap('white', 'white')
    expect(complete(moves, two)?.text).toBe('+ww')
    expect(canGrow(moves, two)).toBe(false)
    expect(canTake(moves, two, 'blue')).toBe(false)
  })

  test('only what some legal move contains can be chosen next', () => {
    expect(canTake(moves, tap('white', 'blue'), 'red')).toBe(true)
    expect(canTake(moves, tap('white', 'blue'), 'white')).toBe(false)
    expect(canTake(moves, NOTHING, 'gold')).toBe(false)
    expect(canTake(moves, NOTHING, 'black')).toBe(false)
  })

  test('tapping a color that can have no more gives it back', () => {
    expect(tap('white', 'blue', 'blue')).toEqual({ kind: 'take', tokens: { white: 1 } })
    expect(tap('white', 'white', 'white')).toEqual(NOTHING)
  })

  test('a token that does not go with the chosen ones begins anew', () => {
    expect(tap('white', 'white', 'blue')).toEqual({ kind: 'take', tokens: { blue: 1 } })
  })

  test('what cannot be taken at all changes nothing', () => {
    expect(tap('white', 'gold')).toEqual({ kind: 'take', tokens: { white: 1 } })
    expect(tap('black')).toEqual(NOTHING)
  })

  test('beginning to take replaces a chosen card', () => {
    expect(tapToken(moves, { kind: 'card', card: 62 }, 'red')).toEqual({ kind: 'take', tokens: { red: 1 } })
  })
})

describe('cards', () => {
  test('all ways to pay, the usual one first', () => {
    expect(purchases(moves, 62).map((one) => one.text)).toEqual(['b62', 'b62=uo'])
    expect(purchases(moves, 17)).toEqual([])
  })

  test('reserving and drawing', () => {
    expect(reservation(moves, 17)?.text).toBe('r17')
    expect(reservation(moves, 62)).toBeNull()
    expect(complete(moves, { kind: 'deck', level: 2 })?.text).toBe('rd2')
    expect(complete(moves, { kind: 'deck', level: 3 })).toBeNull()
    expect(candidates(moves, { kind: 'card', card: 62 })).toHaveLength(2)
  })
})

describe('returning tokens', () => {
  const endings = [
    move('-ww', 'finish', { returned: { white: 2 } }),
    move('-wo', 'finish', { returned: { white: 1, gold: 1 } }),
  ]

  test('exactly as many as the endings say', () => {
    expect(owed(endings)).toBe(2)
    const one = tapReturn(endings, NOTHING, 'gold')
    expect(one).toEqual({ kind: 'return', tokens: { gold: 1 } })
    expect(complete(endings, one)).toBeNull()
    expect(tapReturn(endings, one, 'gold'), 'a second tap takes it back').toEqual(NOTHING)
    const both = tapReturn(endings, one, 'white')
    expect(complete(endings, both)?.text).toBe('-wo')
  })
})

/** The page's own host tells its people what a server would: `tests/test_local_tables.py` wrote what that is. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { load } from '../engine/index'
import type { Refused } from '../src/api/http'
import type { Problem } from '../src/api/messages'
import { deal, PROCEDURE } from '../src/lib/proof'
import { carryOut } from '../src/local/commands'
import { computer, type Created, HERE, type Started, type Stored } from '../src/local/log'
import { again, made, started } from '../src/local/opening'
import { recordOf } from '../src/local/record'
import { LocalTable } from '../src/local/table'
import { eventsSince, tableMessage } from '../src/local/viewers'

interface Scenario {
  log: Stored[]
  told: [table: string, events: string][]
}

const splendor = await load({ base: new URL('../../src/splendor/wasm/built/', import.meta.url) })
const scenarios = JSON.parse(readFileSync(new URL('../../tests/golden/local_tables.json', import.meta.url), 'utf8')) as Scenario[]
const me = { id: HERE, name: null, guest: null, is_computer: false, level: null, avatar: null }
const vsComputer = { seats: [{ kind: 'me' as const }, { kind: 'computer' as const, level: 'master' }] }

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]))
}
const digest = (content: unknown): string => createHash('sha256').update(JSON.stringify(sorted(content))).digest('hex').slice(0, 12)

function folded({ log }: Pick<Scenario, 'log'>, after: (table: LocalTable, stored: Stored) => void = () => {}): LocalTable {
  const table = new LocalTable('local-0123456789abcdef', splendor)
  for (const stored of log) {
    table.apply(stored)
    after(table, stored)
  }
  return table
}

function begun(position: string | null = null): LocalTable {
  const table = new LocalTable('local-0123456789abcdef', splendor)
  const first = made({ ...vsComputer, position }, me)
  for (const entry of [first, started(splendor, first)]) table.apply({ version: table.version + 1, at: 1_800_000_000, entry })
  return table
}

test.each(scenarios.map((scenario, n) => [n, scenario] as const))('log %i tells what a server tells of it', (_, scenario) => {
  const told: [string, string][] = []
  folded(scenario, (table, { version, at }) => {
    if (version > 1) told.push([digest(tableMessage(table, at + 0.25)), digest(eventsSince(table, version - 1))])
  })
  expect(told).toEqual(scenario.told)
})

test('a game is dealt by the procedure of the server, and its record proves it', () => {
  const table = begun()
  const [{ secret }, { position }] = table.log.map(({ entry }) => entry) as [Created, Started]
  expect(position.split(' ').slice(7, 10).join(' ')).toBe(Object.values(deal(secret, [null, null], true, PROCEDURE)).slice(0, 3).join(' '))
  table.apply({ version: 3, at: 1_800_000_001, entry: { type: 'forfeited', seat: table.own[0]!, reason: 'resigned' } })
  const record = recordOf(table)
  expect(record).toContain(`[Secret "${secret}"]`)
  expect(splendor.record(record).record()).toBe(record)
})

test('the page is told no card that its people do not see', () => {
  const table = begun()
  const { position } = table.log[1]!.entry as Started
  const decks = position.split(' ')[8]!.split('/').flatMap((deck) => deck.split(','))
  const told = JSON.stringify([tableMessage(table, 0), eventsSince(table, 0)])
  expect(told).not.toContain(position.split(' ')[8])
  for (const card of decks) expect(told).not.toContain(`"id":${card},"level"`)
  expect(told).not.toContain((table.log[0]!.entry as Created).secret)
})

test('what is not allowed is refused with the codes of a server, and changes nothing', () => {
  const tables = Array.from({ length: 40 }, () => begun()) // who begins is drawn
  const table = tables.find((one) => one.own[0] === one.toMove)!
  const other = tables.find((one) => one.own[0] !== one.toMove)!
  const problem = (command: Parameters<typeof carryOut>[1], at = table): Problem | null => {
    try {
      carryOut(at, command, 1_800_000_000)
      return null
    } catch (error) {
      return (error as Refused).problem
    }
  }
  const refusal = (...given: Parameters<typeof problem>): string | null => problem(...given)?.code ?? null
  expect(refusal({ type: 'play', key: 'a', move: '+wug' })).toBeNull()
  expect(refusal({ type: 'play', key: 'a', move: '+wug' }, other)).toBe('not_your_turn')
  expect(refusal({ type: 'ask_takeback', key: 'b' })).toBe('nothing_to_take_back')
  expect(refusal({ type: 'commit', key: 'c', commit: '0'.repeat(64) })).toBe('not_allowed')
  expect(refusal({ type: 'resign', key: 'd', seat: 1 - table.own[0]! })).toBe('not_your_seat')
  expect(problem({ type: 'play', key: 'e', move: '+www' })).toEqual({ code: 'illegal_move', params: { reason: 'wrong_take', colors: 3, pile: 4 } })
  expect(problem({ type: 'play', key: 'e', move: 'pass' })).toEqual({ code: 'illegal_move', params: { reason: 'pass_not_allowed' } })
  expect(refusal({ type: 'play', key: 'f', move: 'hello' })).toBe('bad_notation')
  expect(refusal({ type: 'play', key: 'g', move: '+wug', turn: 7 })).toBe('stale')
  expect(table.version).toBe(2)
})

test('a game from a position deals what nobody has seen, promises nothing, and comes again from there', () => {
  const view = splendor.deal({ players: 2, seed: 5 }).view(0).position
  const table = begun(view)
  expect(table.game.view(0).position).toBe(view)
  expect(tableMessage(table, 0).fairness).toBeNull()
  expect(again(table)).toMatchObject({ position: view, seats: [{ kind: 'me' }, { kind: 'computer', level: 'master' }] })
  expect(again(begun()).seats).toHaveLength(2)
  expect(computer('master').level).toBe('master')
})

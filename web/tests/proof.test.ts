import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commitTo } from '../src/lib/nonce'
import { type Kept, openingOf } from '../src/lib/promises'
import { deal, prove, tagsOf } from '../src/lib/proof'

interface Golden {
  procedure: string
  secret: string
  nonces: (string | null)[]
  is_drawn: boolean
  position: string
  order: number[]
}

const read = (path: string): string => readFileSync(new URL(`../../tests/${path}`, import.meta.url), 'utf8')
const golden = JSON.parse(read('golden/deals.json')) as Golden[]
const example = golden.find((one) => one.procedure === 'splendor-deal-2' && one.is_drawn && one.nonces.length === 3)!

test.each(golden)('$procedure for $nonces.length players deals as the server does', (one) => {
  const dealt = deal(one.secret, one.nonces, one.is_drawn, one.procedure)
  expect(`${dealt.market} ${dealt.decks} ${dealt.nobles}`).toBe(one.position.split(' ').slice(7, 10).join(' '))
  expect(dealt.order).toBe(one.order.join(','))
})

function recordOf(one: Golden, more: Record<string, string> = {}): string {
  const tags: Record<string, string> = { Game: 'splendor 1', Deal: one.procedure, Commit: commitTo(one.secret), Secret: one.secret }
  one.nonces.forEach((nonce, seat) => {
    if (nonce) Object.assign(tags, { [`Commit${seat}`]: commitTo(nonce), [`Nonce${seat}`]: nonce })
  })
  Object.assign(tags, { Seating: one.is_drawn ? 'random' : 'chosen', Order: one.order.join(), Position: one.position }, more)
  return Object.entries(tags).filter(([, value]) => value).map(([name, value]) => `[${name} "${value}"]`).join('\n') + '\n\n1. +wug\n'
}

const kept: Kept = {
  commit: commitTo(example.secret),
  commits: example.nonces.map((nonce) => nonce && commitTo(nonce)),
  nonce: example.nonces[0]!,
  reveals: 1,
  opening: openingOf(example.position),
}

test('an honest record is proved, and more so with what the browser kept', () => {
  expect(prove(recordOf(example), kept)).toEqual({
    trouble: null, procedure: 'splendor-deal-2', contributors: [0, 2], seating: 'random', isOwn: true, reveals: 1,
  })
  expect(prove(recordOf(example), null)).toMatchObject({ trouble: null, isOwn: false })
})

test('a record of an earlier version is proved as what it is', () => {
  const text = read('server/earlier/2026-11-18.record.txt')
  expect(prove(text, null)).toMatchObject({ trouble: null, procedure: 'splendor-deal-1', seating: 'random', contributors: [0, 1] })
  expect(prove(text.replace(/\[Order .*\n/, ''), null)).toMatchObject({ trouble: null, seating: null })
})

test.each([
  ['no_secrets', { Secret: '' }],
  ['no_secrets', { Deal: 'another' }],
  ['no_order', { Order: '' }],
  ['no_order', { Seating: '' }],
  ['secret_differs', { Secret: 'ab'.repeat(32) }],
  ['nonce_differs', { Nonce0: 'ab'.repeat(32) }],
  ['nonce_differs', { Nonce0: '' }],
  ['order_differs', { Order: '2,1,0' === example.order.join() ? '0,1,2' : '2,1,0' }],
  ['deal_differs', { Seating: 'chosen', Order: '0,1,2' }],
  ['deal_differs', { Position: golden[0]!.position.replace(/^2/, '3') }],
])('%s is found out', (trouble, change) => {
  const found = prove(recordOf(example, change), null).trouble
  expect(found).toBe(trouble === 'deal_differs' && found === 'order_differs' ? found : trouble)
})

/** The operator and a player together: the record agrees with itself, and only what the browser kept shows it. */
function ground(seat: number): Golden {
  for (let n = 0; ; n++) {
    const nonces = example.nonces.map((nonce, other) => (other === seat ? n.toString(16).padStart(64, '0') : nonce))
    const dealt = deal(example.secret, nonces, true, example.procedure)
    if (!dealt.order.startsWith('1') || !/^[1-5],/.test(dealt.market)) continue
    const fields = example.position.split(' ')
    fields.splice(7, 3, dealt.market, dealt.decks, dealt.nobles)
    return { ...example, nonces, position: fields.join(' '), order: dealt.order.split(',').map(Number) }
  }
}

test.each([
  ['a promise that came after our number', ground(1)],
  ['a promise that was changed after our number', ground(2)],
  ['a deal without us', ground(0)],
])('%s is found out', (_, chosen) => {
  expect(prove(recordOf(chosen), null).trouble).toBeNull()
  expect(prove(recordOf(chosen), kept).trouble).toBe('other_promise')
})

test('another secret, and other cards than the browser saw, are found out', () => {
  expect(prove(recordOf(example), { ...kept, commit: commitTo('00'.repeat(32)) }).trouble).toBe('other_secret')
  expect(prove(recordOf(example), { ...kept, opening: openingOf(golden[0]!.position) }).trouble).toBe('other_opening')
  expect(prove(recordOf(example), { ...kept, nonce: '00'.repeat(32) }).trouble).toBe('own_nonce_missing')
})

test('tags are read with their escapes', () => {
  expect(tagsOf('[Seat0 "A \\"B\\" \\\\"]\n')).toEqual({ Seat0: 'A "B" \\' })
})

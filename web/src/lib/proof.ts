/**
 * Checks a deal in this browser: computes it from the secrets in a record, and compares these with what the browser
 * itself kept. The server is not asked. `docs/fairness.md` specifies the procedure, `tests/golden/deals.json` has examples.
 */

import { commitTo } from './nonce'
import { type Kept, openingOf } from './promises'
import { hmac, join, unhex } from './sha256'

export type Trouble =
  | 'no_secrets' | 'no_order' | 'secret_differs' | 'nonce_differs' | 'order_differs' | 'deal_differs' // in the record itself
  | 'other_secret' | 'other_promise' | 'own_nonce_missing' | 'other_opening' // against what this browser kept

export interface Proof {
  trouble: Trouble | null
  procedure: string | null
  contributors: number[] // seats, as people sat down
  seating: 'random' | 'chosen' | null // null: the record does not say
  isOwn: boolean // compared with what this browser kept?
  reveals: number
}

const FIRST_PROCEDURE = 'splendor-deal-1'
export const PROCEDURE = 'splendor-deal-2'
const LEVELS = [[1, 40], [41, 70], [71, 90]] as const
const OPEN = 4 // cards of each level
const NOBLES = 10
const HEX = /^[0-9a-f]{64}$/

export function tagsOf(record: string): Record<string, string> {
  const tags: Record<string, string> = {}
  for (const [, name, value] of record.matchAll(/^\[([A-Z][A-Za-z0-9]*) "((?:[^"\\]|\\.)*)"\]$/gm)) tags[name!] = value!.replace(/\\(.)/g, '$1')
  return tags
}

function* draws(key: Uint8Array): Generator<number> {
  for (let counter = 0; ; counter++) {
    const count = new DataView(new ArrayBuffer(8))
    count.setUint32(4, counter)
    const block = new DataView(hmac(key, new Uint8Array(count.buffer)).buffer)
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at)
  }
}

/** The position's decks, open cards and nobles, and the order of play. */
export function deal(secret: string, nonces: (string | null)[], isDrawn: boolean, procedure: string): { market: string; decks: string; nobles: string; order: string } {
  const players = nonces.length
  const parts = nonces.map((nonce) => (nonce === null ? [0] : join([1], unhex(nonce))))
  const terms = procedure === FIRST_PROCEDURE ? [players] : [players, isDrawn ? 1 : 0]
  const numbers = draws(hmac(unhex(secret), join(new TextEncoder().encode(procedure), terms, ...parts)))

  const below = (count: number): number => {
    for (;;) {
      const scaled = BigInt(numbers.next().value as number) * BigInt(count)
      if (scaled % 2n ** 32n >= 2n ** 32n % BigInt(count)) return Number(scaled >> 32n)
    }
  }
  const shuffle = (items: number[]): number[] => {
    for (let last = items.length - 1; last > 0; last--) {
      const other = below(last + 1)
      ;[items[last], items[other]] = [items[other]!, items[last]!]
    }
    return items
  }
  const piles = LEVELS.map(([first, last]) => shuffle(Array.from({ length: last - first + 1 }, (_, n) => first + n)).reverse())
  const nobles: number[] = []
  while (nobles.length <= players) {
    const noble = below(NOBLES) + 1
    if (!nobles.includes(noble)) nobles.push(noble)
  }
  const seats = nonces.map((_, seat) => seat)
  return {
    market: piles.map((pile) => pile.slice(0, OPEN).join(',')).join('/'),
    decks: piles.map((pile) => pile.slice(OPEN).join(',')).join('/'),
    nobles: nobles.join(','),
    order: (isDrawn ? shuffle(seats) : seats).join(','),
  }
}

/** What can be said about the deal of a record; `kept` is what this browser knows of the table. */
export function prove(record: string, kept: Kept | null): Proof {
  const tags = tagsOf(record)
  const procedure = tags['Deal'] ?? null
  const position = (tags['Position'] ?? '').split(' ')
  const players = Number(position[0])
  const isFirst = procedure === FIRST_PROCEDURE
  const seating = isFirst ? (tags['Order'] ? 'random' : null) : tags['Seating'] === 'random' || tags['Seating'] === 'chosen' ? tags['Seating'] : null
  const nonces = Array.from({ length: players || 0 }, (_, seat) => tags[`Nonce${seat}`] ?? null)
  const contributors = nonces.flatMap((nonce, seat) => (nonce === null ? [] : [seat]))
  const trouble = inRecord(tags, procedure, seating, nonces, position) ?? (kept && againstKept(tags, kept))
  return { trouble, procedure, contributors, seating, isOwn: kept !== null, reveals: kept?.reveals ?? 0 }
}

function inRecord(tags: Record<string, string>, procedure: string | null, seating: Proof['seating'], nonces: (string | null)[], position: string[]): Trouble | null {
  const { Secret: secret = '', Commit: commit, Order: order } = tags
  if ((procedure !== PROCEDURE && procedure !== FIRST_PROCEDURE) || !HEX.test(secret) || !commit) return 'no_secrets'
  if (procedure === PROCEDURE && (!order || !seating)) return 'no_order'
  if (commitTo(secret) !== commit) return 'secret_differs'
  for (const [seat, nonce] of nonces.entries()) {
    if (nonce !== null && !HEX.test(nonce)) return 'no_secrets'
    if ((nonce === null ? undefined : commitTo(nonce)) !== tags[`Commit${seat}`]) return 'nonce_differs'
  }
  const dealt = deal(secret, nonces, seating === 'random', procedure)
  if (order && order !== dealt.order) return 'order_differs'
  return [dealt.market, dealt.decks, dealt.nobles].join(' ') === position.slice(7, 10).join(' ') ? null : 'deal_differs'
}

function againstKept(tags: Record<string, string>, kept: Kept): Trouble | null {
  if (tags['Commit'] !== kept.commit) return 'other_secret'
  if ([0, 1, 2, 3].some((seat) => (tags[`Commit${seat}`] ?? null) !== (kept.commits[seat] ?? null))) return 'other_promise'
  if (!kept.commits.includes(commitTo(kept.nonce))) return 'own_nonce_missing'
  return kept.opening && kept.opening !== openingOf(tags['Position'] ?? '') ? 'other_opening' : null
}

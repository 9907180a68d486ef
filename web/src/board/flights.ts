/**
 * Motion that informs: what has moved flies from where it lay to where it lies now, at the size it has there.
 * `prepare` looks at the board before it changes, `fly` runs after. Nothing waits for a flight: the board is true at once,
 * only counters (`arrivals`) and the card in its slot show what has landed when it lands.
 */

import { mount, unmount } from 'svelte'
import type { CardFace, CardMoved, Color, Movement, NobleMoved, Place, TokensMoved } from '../api/messages'
import { box } from '../lib/box.svelte'
import { spread } from '../lib/colors'
import { pace } from '../lib/settings.svelte'
import { sound, type SoundName } from '../lib/sound'
import { land, lift } from './arrivals.svelte'
import Card from './Card.svelte'

const DURATION = 560 // milliseconds, at normal speed; so are the others
const STAGGER = 80 // between the tokens of a move
const DEAL_AFTER = 260 // a new card comes when the old one is on its way
const WAVE = 620 // between two moves

interface Flight {
  from: DOMRect
  target: string[] // the first that exists
  picture: Element | null // what flies, if it is no card
  card: { face: CardFace | null; level: number; turns: boolean } | null
  conceals: boolean // it was not there before: it shows when it lands
  rises: boolean // it steps forward before it goes
  counters: [place: string, n: number][]
  sounds: { leaving: SoundName | null; landing: SoundName | null }
  delay: number
}

/** The names under which the board marks its places, the most exact first. */
function addresses(place: Place, color?: Color, card?: number | null): string[] {
  const { seat } = place
  switch (place.area) {
    case 'bank':
      return [`bank:${color}`]
    case 'tokens':
      return [`tokens:${seat}:${color}`, `seat:${seat}`]
    case 'market':
      return [`market:${place.level}:${place.slot}`]
    case 'deck':
      return [`deck:${place.level}`]
    case 'reserved':
      return [`reserved:${seat}:${place.slot}`, `seat:${seat}`]
    case 'bought':
      return [`bought:${seat}:card:${card}`, `bought:${seat}:${color}`, `bought:${seat}`, `seat:${seat}`]
    case 'nobles':
      return seat != null ? [`nobles:${seat}`, `seat:${seat}`] : [`noble:${place.slot}`]
  }
}

function find(names: string[]): HTMLElement | null {
  for (const name of names) {
    for (const element of document.querySelectorAll<HTMLElement>(`[data-place="${name}"]`)) {
      if (element.getClientRects().length) return element
    }
  }
  return null
}

const copy = (element: Element | null, selector: string): Element | null =>
  (element?.querySelector(selector)?.cloneNode(true) as Element | undefined) ?? null

const EMPTY = { picture: null, card: null, conceals: false, rises: false, counters: [], sounds: { leaving: null, landing: null } }

function ofTokens({ tokens, origin, target }: TokensMoved): Flight[] {
  return spread(tokens).flatMap((color, n): Flight[] => {
    const start = find(addresses(origin, color))
    const pile = find(addresses(origin.area === 'bank' ? origin : target, color))
    if (!start) return []
    const counter = target.area === 'bank' ? `bank:${color}` : `tokens:${target.seat}:${color}`
    return [{
      ...EMPTY, from: start.getBoundingClientRect(), target: addresses(target, color), picture: copy(pile, 'svg.token'), delay: n * STAGGER,
      counters: [[counter, 1]], sounds: { leaving: null, landing: 'token' },
    }]
  })
}

function ofCard({ card, level, origin, target }: CardMoved): Flight[] {
  const start = find(addresses(origin))
  if (!start) return []
  const face = card === null ? null : box.card(card)
  const isDealt = origin.area === 'deck'
  const counters: Flight['counters'] = []
  if (target.area === 'bought' && face) counters.push([`bonus:${target.seat}:${face.bonus}`, 1], [`points:${target.seat}`, face.points])
  return [{
    ...EMPTY, from: start.getBoundingClientRect(), target: addresses(target, face?.bonus, card), counters,
    card: { face, level, turns: isDealt && face !== null }, conceals: target.area !== 'tokens', delay: isDealt && target.area === 'market' ? DEAL_AFTER : 0,
    sounds: { leaving: 'card', landing: 'place' },
  }]
}

function ofNoble({ origin, target }: NobleMoved): Flight[] {
  const start = find(addresses(origin))
  if (!start) return []
  return [{
    ...EMPTY, from: start.getBoundingClientRect(), target: addresses(target), picture: copy(start, '.tile'), rises: true, delay: DEAL_AFTER,
    counters: [[`points:${target.seat}`, box.noblePoints]], sounds: { leaving: 'noble', landing: null },
  }]
}

function plan(moves: Movement[][]): Flight[] {
  if (pace() === 0 || document.hidden) return []
  return moves.slice(-6).flatMap((movements, wave) =>
    movements
      .flatMap((moved) => (moved.what === 'tokens' ? ofTokens(moved) : moved.what === 'card' ? ofCard(moved) : ofNoble(moved)))
      .map((flight) => ({ ...flight, delay: (flight.delay + wave * WAVE) * pace() })),
  )
}

export function prepare(moves: Movement[][]): Flight[] {
  const flights = plan(moves)
  for (const { counters } of flights) for (const [place, n] of counters) lift(place, n)
  return flights
}

/** Shows a move of before once more. */
export function again(movements: Movement[]): void {
  fly(plan([movements]).map((flight) => ({ ...flight, counters: [], conceals: false })))
}

/** What flies, in a layer of its own; and how it is taken away. */
function draw(flight: Flight, width: number, height: number): { layer: HTMLElement; away: () => void } {
  const layer = document.createElement('div')
  layer.className = 'flight'
  layer.setAttribute('aria-hidden', 'true')
  Object.assign(layer.style, { width: `${width}px`, height: `${height}px` })
  const parts: Record<string, unknown>[] = []
  if (flight.card) {
    const { face, level, turns } = flight.card
    const back = { id: null, level, points: null, bonus: null, cost: null, missing: null, gold: null, affordable: false }
    const turning = layer.appendChild(document.createElement('div'))
    turning.className = 'turning'
    for (const card of turns ? [back, face!] : [face ?? back]) {
      const side = turning.appendChild(document.createElement('div'))
      side.className = turns && card === back ? 'side hind' : 'side'
      parts.push(mount(Card, { target: side, props: { card } }))
    }
    if (turns) turning.animate([{ transform: 'rotateY(180deg)' }, { transform: 'rotateY(180deg)', offset: 0.12 }, { transform: 'rotateY(0)', offset: 0.75 }, { transform: 'rotateY(0)' }], timing(flight))
  } else if (flight.picture) {
    Object.assign((flight.picture as HTMLElement).style, { width: '100%', height: '100%' })
    layer.append(flight.picture)
  }
  document.body.append(layer)
  const away = (): void => {
    layer.remove()
    for (const part of parts) void unmount(part)
  }
  return { layer, away }
}

const timing = (flight: Flight): KeyframeAnimationOptions => ({
  duration: DURATION * pace() * (flight.rises ? 1.6 : 1), delay: flight.delay, easing: 'cubic-bezier(.35,.05,.2,1)', fill: 'both',
})

/** The largest circle in a box: a token keeps its shape. */
function round(box: DOMRect): DOMRect {
  const size = Math.min(box.width, box.height)
  return new DOMRect(box.left + (box.width - size) / 2, box.top + (box.height - size) / 2, size, size)
}

function launch(flight: Flight): void {
  const there = find(flight.target)
  const settle = (): void => flight.counters.forEach(([place, n]) => land(place, n))
  if (!there || !flight.from.width || (!flight.card && !flight.picture)) return settle()
  const fit = flight.card ? (box: DOMRect): DOMRect => box : round
  const [from, to] = [fit(flight.from), fit(there.getBoundingClientRect())]
  const base = from.width * from.height > to.width * to.height ? from : to // drawn at its larger size
  const { layer, away } = draw(flight, base.width, base.height)
  const at = (box: DOMRect, more = 1): string =>
    `translate(${box.left + box.width / 2 - base.width / 2}px, ${box.top + box.height / 2 - base.height / 2}px) scale(${(box.width / base.width) * more}, ${(box.height / base.height) * more})`
  const course: Keyframe[] = flight.rises
    ? [{ transform: at(from) }, { transform: at(from, 1.35), offset: 0.4 }, { transform: at(to) }]
    : [{ transform: at(from) }, { transform: at(to) }]
  const flying = layer.animate(course, timing(flight))
  const duration = flight.delay + Number(timing(flight).duration)
  if (flight.conceals) there.animate([{ opacity: 0 }, { opacity: 0 }], { duration })
  if (flight.sounds.leaving) sound(flight.sounds.leaving, flight.delay / 1000)
  if (flight.sounds.landing) sound(flight.sounds.landing, (duration * 0.96) / 1000)
  const done = (): void => {
    away()
    settle()
    there.animate([{ boxShadow: '0 0 0 0 transparent' }, { boxShadow: '0 0 0 4px var(--glow)' }, { boxShadow: '0 0 0 4px transparent' }], 700 * pace())
  }
  flying.finished.then(done, done)
}

export const fly = (flights: Flight[]): void => flights.forEach(launch)

/**
 * Motion that informs: what the server says has moved flies from where it lay to where it lies now.
 * `prepare` looks at the board before it changes, `fly` runs after.
 */

import type { Color, Movement, Place } from '../api/messages'
import { spread } from '../lib/colors'
import { moves as motionIsOn } from '../lib/settings.svelte'

interface Flight {
  from: DOMRect
  ghost: Element | null
  target: string[] // the first that exists
  conceals: boolean // what lands was not there before: it shows when it lands
  wave: number // which move of several
}

const DURATION = 520
const STAGGER = 70

/** The names under which the board marks its places, the most exact first. */
function addresses(place: Place, color?: Color): string[] {
  switch (place.area) {
    case 'bank':
      return [`bank:${color}`]
    case 'tokens':
      return [`tokens:${place.seat}:${color}`, `seat:${place.seat}`]
    case 'market':
      return [`market:${place.level}:${place.slot}`]
    case 'deck':
      return [`deck:${place.level}`]
    case 'reserved':
      return [`reserved:${place.seat}:${place.slot}`, `seat:${place.seat}`]
    case 'bought':
      return [`bought:${place.seat}`, `seat:${place.seat}`]
    case 'nobles':
      return place.seat != null ? [`nobles:${place.seat}`, `seat:${place.seat}`] : [`noble:${place.slot}`]
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

const picture = (element: Element | null, selector: string): Element | null =>
  (element?.querySelector(selector)?.cloneNode(true) as Element | undefined) ?? null

export function prepare(moves: Movement[][]): Flight[] {
  if (!motionIsOn() || document.hidden) return []
  const flights: Flight[] = []
  moves.slice(-6).forEach((movements, wave) => {
    for (const movement of movements) {
      if (movement.what === 'tokens') {
        for (const color of spread(movement.tokens)) {
          const origin = find(addresses(movement.origin, color))
          const bank = movement.origin.area === 'bank' ? movement.origin : movement.target
          const ghost = picture(find(addresses(bank, color)), 'svg.token')
          const target = addresses(movement.target, color)
          if (origin) flights.push({ from: origin.getBoundingClientRect(), ghost, target, conceals: false, wave })
        }
      } else {
        const origin = find(addresses(movement.origin))
        if (!origin) continue
        const isNew = movement.origin.area === 'deck'
        const ghost = isNew ? null : picture(origin, movement.what === 'card' ? '.card' : '.tile')
        const target = addresses(movement.target)
        flights.push({ from: origin.getBoundingClientRect(), ghost, target, conceals: movement.target.area === 'market', wave })
      }
    }
  })
  return flights
}

export function fly(flights: Flight[]): void {
  const inWave = new Map<number, number>()
  for (const { from, ghost, target, conceals, wave } of flights) {
    const there = find(target)
    if (!there) continue
    const to = there.getBoundingClientRect()
    const shape = ghost ?? picture(there, '.card')
    if (!shape || !from.width || !to.width) continue
    const nth = inWave.get(wave) ?? 0
    inWave.set(wave, nth + 1)
    const delay = wave * 450 + nth * STAGGER
    const isToken = shape.matches('svg.token')
    const width = isToken ? Math.min(from.width, from.height, 48) : Math.min(Math.max(from.width, 56), 130)
    const layer = document.createElement('div')
    layer.className = 'flight'
    layer.setAttribute('aria-hidden', 'true')
    Object.assign(layer.style, { width: `${width}px`, height: isToken ? `${width}px` : 'auto' })
    if (shape instanceof SVGElement) Object.assign(shape.style, { width: '100%', height: '100%' })
    layer.append(shape)
    document.body.append(layer)
    const height = layer.offsetHeight
    const at = (rect: DOMRect, scale: number): string =>
      `translate(${rect.left + rect.width / 2 - width / 2}px, ${rect.top + rect.height / 2 - height / 2}px) scale(${scale})`
    const end = Math.min(1, Math.max(0.3, to.width / width))
    const flight = layer.animate(
      [
        { transform: at(from, 1), opacity: 1 },
        { transform: at(to, end), opacity: 1, offset: 0.92 },
        { transform: at(to, end), opacity: conceals ? 1 : 0 },
      ],
      { duration: DURATION, delay, easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'both' },
    )
    const away = (): void => layer.remove()
    flight.finished.then(away, away)
    if (conceals) there.animate([{ opacity: 0 }, { opacity: 0 }], { duration: DURATION + delay })
    there.animate(
      [{ boxShadow: '0 0 0 0 transparent' }, { boxShadow: '0 0 0 4px var(--glow)' }, { boxShadow: '0 0 0 4px transparent' }],
      { duration: 900, delay: delay + DURATION * 0.9 },
    )
  }
}

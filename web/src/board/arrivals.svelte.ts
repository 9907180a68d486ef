/** What is still in the air: a counter shows it when it has landed. Names of places are those of `flights.ts`. */

import { SvelteMap } from 'svelte/reactivity'

const inAir = new SvelteMap<string, number>()

/** What a counter shows that stands at `n`. */
export const landed = (place: string, n: number): number => Math.max(0, n - (inAir.get(place) ?? 0))

export function lift(place: string, n: number): void {
  inAir.set(place, (inAir.get(place) ?? 0) + n)
}

export function land(place: string, n: number): void {
  const left = (inAir.get(place) ?? 0) - n
  if (left > 0) inAir.set(place, left)
  else inAir.delete(place)
}

/**
 * Sounds of things on a table, computed: clay tokens, cards of stiff paper, a wooden board. A struck body rings in a few
 * modes that are no harmonics of each other and die away quickly, with a short noise of the touch itself; paper is noise
 * through a moving filter. Nothing here holds a steady tone, so nothing beeps.
 */

export const SOUNDS = ['token', 'card', 'place', 'noble', 'turn', 'win', 'loss'] as const
export type SoundName = (typeof SOUNDS)[number]

/** A mode of a struck body: pitch in Hz, strength, and the time in seconds in which it falls to a third. */
type Mode = [pitch: number, strength: number, decay: number]

const CLAY: Mode[] = [[1730, 0.7, 0.016], [2890, 1, 0.012], [4310, 0.75, 0.009], [6120, 0.4, 0.006]]
const WOOD: Mode[] = [[196, 1, 0.05], [415, 0.8, 0.034], [733, 0.45, 0.022], [1120, 0.25, 0.014]]
const BLOCK: Mode[] = [[523, 1, 0.07], [1424, 0.4, 0.03], [2790, 0.15, 0.014]]

/** Noise that is the same each time, so that a sound can be tested. */
function noise(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2147483648 - 1
  }
}

class Sheet {
  readonly samples: Float32Array<ArrayBuffer>

  constructor(
    private readonly rate: number,
    seconds: number,
  ) {
    this.samples = new Float32Array(Math.ceil(rate * seconds))
  }

  /** A body is struck: its modes, and the touch. `pitch` makes it smaller or larger. */
  strike(modes: Mode[], at: number, volume: number, touch: number, pitch = 1): this {
    const begin = Math.round(at * this.rate)
    const next = noise(begin + 7)
    for (let i = begin; i < this.samples.length; i++) {
      const time = (i - begin) / this.rate
      let sum = touch * next() * Math.exp(-time / 0.0025)
      for (const [hertz, strength, decay] of modes) sum += strength * Math.exp(-time / decay) * Math.sin(2 * Math.PI * hertz * pitch * time)
      this.samples[i]! += volume * sum * Math.min(1, time * 4000)
    }
    return this
  }

  /** Paper slides: noise through a band that moves from one pitch to another. */
  slide(at: number, length: number, low: number, high: number, volume: number): this {
    const next = noise(Math.round(low))
    const begin = Math.round(at * this.rate)
    const count = Math.round(length * this.rate)
    let [band, deep] = [0, 0]
    for (let i = 0; i < count && begin + i < this.samples.length; i++) {
      const part = i / count
      const tune = 2 * Math.sin((Math.PI * (low + (high - low) * part)) / this.rate)
      deep += tune * band
      band += tune * (next() - deep - 0.9 * band)
      this.samples[begin + i]! += volume * band * Math.sin(Math.PI * part) ** 2
    }
    return this
  }
}

/** A sound as samples between -1 and 1. */
export function render(name: SoundName, rate: number): Float32Array<ArrayBuffer> {
  switch (name) {
    case 'token': // a clay token falls upon others: two touches
      return new Sheet(rate, 0.14).strike(CLAY, 0, 0.22, 0.5).strike(CLAY, 0.028, 0.1, 0.4, 1.07).samples
    case 'card': // a card is drawn from a pile
      return new Sheet(rate, 0.22).slide(0, 0.2, 1500, 4200, 0.5).samples
    case 'place': // and laid on the wood
      return new Sheet(rate, 0.25).slide(0, 0.05, 2600, 1200, 0.3).strike(WOOD, 0.02, 0.16, 0.35).samples
    case 'noble': // a seal: wood, and three small clay bells after it
      return new Sheet(rate, 0.8).strike(WOOD, 0, 0.2, 0.3).strike(BLOCK, 0.1, 0.14, 0.08).strike(BLOCK, 0.22, 0.14, 0.08, 1.25).strike(BLOCK, 0.34, 0.14, 0.08, 1.5).samples
    case 'turn': // two knocks on the table
      return new Sheet(rate, 0.4).strike(BLOCK, 0, 0.13, 0.12, 0.75).strike(BLOCK, 0.13, 0.15, 0.12).samples
    case 'win':
      return [1, 1.25, 1.5, 2, 2.5, 3].reduce((sheet, pitch, n) => sheet.strike(BLOCK, n * 0.11, 0.14, 0.06, pitch), new Sheet(rate, 1.2)).samples
    case 'loss':
      return new Sheet(rate, 0.7).strike(BLOCK, 0, 0.12, 0.06, 0.75).strike(WOOD, 0.2, 0.14, 0.1, 0.8).samples
  }
}

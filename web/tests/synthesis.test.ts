import { describe, expect, test } from 'vitest'
import { render, SOUNDS, type SoundName } from '../src/lib/synthesis'

const RATE = 44_100
const SIZE = 4096

/** The strength of each band of a stretch of sound, by the discrete Fourier transform. */
function spectrum(samples: Float32Array, from = 0): number[] {
  const part = Array.from({ length: SIZE }, (_, i) => (samples[from + i] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE)))
  return Array.from({ length: 300 }, (_, band) => {
    const turn = (2 * Math.PI * band * 4) / SIZE // every fourth band, up to 12.9 kHz
    let [re, im] = [0, 0]
    part.forEach((value, i) => ((re += value * Math.cos(turn * i)), (im += value * Math.sin(turn * i))))
    return re * re + im * im
  })
}

const hertz = (band: number): number => (band * 4 * RATE) / SIZE
const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0)
const centre = (bands: number[]): number => sum(bands.map((power, band) => power * hertz(band))) / sum(bands)
/** 1 for white noise, near 0 for a pure tone. */
const flatness = (bands: number[]): number => Math.exp(sum(bands.map((power) => Math.log(power + 1e-12))) / bands.length) / (sum(bands) / bands.length)
const energy = (samples: Float32Array): number => samples.reduce((total, value) => total + value * value, 0)

const beep = Float32Array.from({ length: SIZE }, (_, i) => Math.sin((2 * Math.PI * 880 * i) / RATE))

describe('sounds', () => {
  test.each([...SOUNDS])('%s is heard, does not clip, and dies away', (name: SoundName) => {
    const samples = render(name, RATE)
    const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    expect(loudest).toBeGreaterThan(0.03)
    expect(loudest).toBeLessThan(1)
    expect(Math.abs(samples.at(-1)!)).toBeLessThan(0.01)
    expect(render(name, RATE)).toEqual(samples)
  })

  test('clay is bright and short, wood is deep, paper is noise', () => {
    const [clay, wood, paper] = (['token', 'place', 'card'] as const).map((name) => render(name, RATE))
    expect(centre(spectrum(clay!))).toBeGreaterThan(2000)
    expect(centre(spectrum(clay!))).toBeLessThan(5000)
    expect(energy(clay!.slice(0, RATE * 0.06)) / energy(clay!)).toBeGreaterThan(0.95)
    expect(centre(spectrum(wood!, RATE * 0.05))).toBeLessThan(900)
    expect(flatness(spectrum(paper!, RATE * 0.05))).toBeGreaterThan(5 * flatness(spectrum(wood!, RATE * 0.03)))
  })

  test('nothing beeps: no sound of a move has its strength in a single tone', () => {
    const peak = (bands: number[]): number => Math.max(...bands.map((_, at) => sum(bands.slice(Math.max(0, at - 2), at + 3)))) / sum(bands)
    expect(peak(spectrum(beep))).toBeGreaterThan(0.95)
    for (const name of ['token', 'card', 'place'] as const) expect(peak(spectrum(render(name, RATE))), name).toBeLessThan(0.8)
  })
})

/** Small sounds, made by the browser itself. Silent unless somebody wants them. */

import { settings } from './settings.svelte'

let context: AudioContext | null = null

function tone(at: number, pitch: number, length: number, volume: number, type: OscillatorType = 'sine'): void {
  if (!context) return
  const start = context.currentTime + at
  const oscillator = context.createOscillator()
  const gain = context.createGain()
  oscillator.type = type
  oscillator.frequency.value = pitch
  gain.gain.setValueAtTime(0, start)
  gain.gain.linearRampToValueAtTime(volume, start + 0.008)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(start)
  oscillator.stop(start + length)
}

function swish(at: number): void {
  if (!context) return
  const length = 0.16
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate)
  const data = buffer.getChannelData(0)
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * Math.sin((Math.PI * i) / data.length)
  const source = context.createBufferSource()
  const filter = context.createBiquadFilter()
  const gain = context.createGain()
  filter.type = 'bandpass'
  filter.frequency.value = 2400
  gain.gain.value = 0.12
  source.buffer = buffer
  source.connect(filter).connect(gain).connect(context.destination)
  source.start(context.currentTime + at)
}

const sounds = {
  token: () => (tone(0, 1180, 0.12, 0.08, 'triangle'), tone(0.015, 2360, 0.08, 0.04)),
  card: () => swish(0),
  noble: () => [523, 659, 784].forEach((pitch, i) => tone(i * 0.09, pitch, 0.5, 0.07, 'triangle')),
  turn: () => (tone(0, 660, 0.18, 0.06), tone(0.12, 880, 0.25, 0.06)),
  end: () => [392, 523, 659, 784, 1047].forEach((pitch, i) => tone(i * 0.12, pitch, 0.7, 0.07, 'triangle')),
}

export function sound(name: keyof typeof sounds): void {
  if (!settings.sound) return
  try {
    context ??= new AudioContext()
    void context.resume()
    sounds[name]()
  } catch {
    // no sound is better than no move
  }
}

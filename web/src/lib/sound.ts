/** Sounds, from the first tap on: browsers let no page be heard before. And the small knock of a phone. */

import { settings } from './settings.svelte'
import { render, type SoundName } from './synthesis'

export type { SoundName }

let context: AudioContext | null = null
const buffers = new Map<SoundName, AudioBuffer>()

function wake(): void {
  if (!settings.sound) return
  try {
    context ??= new AudioContext()
    void context.resume()
  } catch {
    // no sound is better than no move
  }
}

addEventListener('pointerdown', wake, { passive: true })
addEventListener('keydown', wake, { passive: true })

function bufferOf(name: SoundName, heard: AudioContext): AudioBuffer {
  let buffer = buffers.get(name)
  if (!buffer) {
    const samples = render(name, heard.sampleRate)
    buffer = heard.createBuffer(1, samples.length, heard.sampleRate)
    buffer.copyToChannel(samples, 0)
    buffers.set(name, buffer)
  }
  return buffer
}

/** Plays a sound, `after` so many seconds. No two are quite the same, as on a table. */
export function sound(name: SoundName, after = 0): void {
  if (!settings.sound || context?.state !== 'running') return
  const source = context.createBufferSource()
  const gain = context.createGain()
  source.buffer = bufferOf(name, context)
  source.playbackRate.value = 0.97 + Math.random() * 0.06
  gain.gain.value = settings.volume
  source.connect(gain).connect(context.destination)
  source.start(context.currentTime + after)
}

/** A knock that is felt, where there is something that can knock; browsers allow it after the first tap. */
export function knock(milliseconds: number): void {
  if (settings.haptics && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(milliseconds)
}

/** The engine for play without a connection, fetched beforehand. The pages themselves the service worker keeps anyway. */

import { addressOf, content, EngineProblem, type FileName, isBuilt, readerFrom } from '../../engine/files'
import { BASE, engineFolder } from '../lib/place'
import { engineCache } from './cache'

/** How many bytes the files have; put in by the build. */
declare const ENGINE_BYTES: Record<FileName, number> | null

const FILES: FileName[] = ['rules.wasm', 'network.wasm', 'network.bin']
const cache = (): Promise<Cache> => caches.open(engineCache(new URL(BASE, location.href).href))

/** Can this browser keep it, and is there something to keep? */
export const canBeReady = (): boolean => isBuilt() && 'caches' in globalThis && 'serviceWorker' in navigator

export async function isReady(): Promise<boolean> {
  const kept = await cache()
  const found = await Promise.all(FILES.map((name) => kept.match(addressOf(name, engineFolder()))))
  return found.every((one) => one !== undefined)
}

/** Fetches what is missing; says how far it is, from 0 to 1. Rejects with an EngineProblem, or when there is no room. */
export async function makeReady(progress: (share: number) => void): Promise<void> {
  const total = Object.values(ENGINE_BYTES!).reduce((sum, bytes) => sum + bytes)
  let come = 0
  const kept = await cache()
  await navigator.serviceWorker.ready // the pages are kept
  void navigator.storage?.persist?.() // and not given up when another site needs room
  for (const name of FILES) {
    const address = addressOf(name, engineFolder())
    if (await kept.match(address)) {
      progress((come += ENGINE_BYTES![name]) / total)
      continue
    }
    const fetched = come
    const bytes = await content(async (_, again) => {
      come = fetched
      return again ? readerFrom(engineFolder())(name, again) : read(address, (count) => progress((come += count) / total))
    }, name)
    await kept.put(address, new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream' } }))
  }
}

/** Reads a file and counts what comes. */
async function read(address: URL, count: (bytes: number) => void): Promise<Uint8Array> {
  const reply = await fetch(address).catch(() => null)
  if (!reply?.ok || !reply.body) throw new EngineProblem('unreachable', `${address.pathname} could not be loaded`)
  const counted = reply.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      count(chunk.length)
      out.enqueue(chunk)
    },
  }))
  return new Uint8Array(await new Response(counted as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())
}

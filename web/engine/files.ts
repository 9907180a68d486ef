/** The files of the engine: read, compared with what this module was built with, and started. */

import { hex, sha256 } from '../src/lib/sha256.ts'

/** SHA-256 of each file, put in by the build; the sources as they are, in tests, take every file. */
declare const ENGINE_DIGESTS: Record<string, string> | null | undefined

export type FileName = 'rules.wasm' | 'network.wasm' | 'network.bin'
/** Reads a file; `again` after what came was not whole, so past all caches. */
export type Read = (name: FileName, again?: boolean) => Promise<Uint8Array>

/** Why the engine cannot be loaded; the message is a sentence for people. */
export class EngineProblem extends Error {
  readonly reason: 'unreachable' | 'damaged' | 'no_webassembly' | 'no_simd'

  constructor(reason: EngineProblem['reason'], sentence: string) {
    super(sentence)
    this.reason = reason
  }
}

const digestOf = (name: FileName): string | undefined => (typeof ENGINE_DIGESTS === 'undefined' ? undefined : ENGINE_DIGESTS?.[name])

/** Did the build that made this know the engine? */
export const isBuilt = (): boolean => digestOf('rules.wasm') !== undefined

/** A module of one function that uses SIMD: what cannot compile it cannot run the network. */
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11)

const hasWebAssembly = (): boolean => typeof WebAssembly === 'object'

/** Can the network run here? Rules, `search` and `greedy` run without it. */
export const hasSimd = (): boolean => hasWebAssembly() && WebAssembly.validate(SIMD)

/** Where a file lies; an address of its own for each content, so that no cache gives an old one. */
export function addressOf(name: FileName, base: URL | string): URL {
  const address = new URL(name, base)
  const digest = digestOf(name)
  if (digest && address.protocol !== 'file:') address.search = digest.slice(0, 16)
  return address
}

/** Reads files that lie in one folder. */
export const readerFrom = (base: URL | string): Read => (name, again) => {
  const address = addressOf(name, base)
  return address.protocol === 'file:' ? readFrom(address) : fetched(address, again ? 'reload' : 'default')
}

async function readFrom(file: URL): Promise<Uint8Array> {
  const files = 'node:fs/promises' // a browser never comes here
  const { readFile } = (await import(/* @vite-ignore */ files)) as { readFile: (file: URL) => Promise<Uint8Array> }
  return readFile(file)
}

async function fetched(address: URL, cache: RequestCache): Promise<Uint8Array> {
  const name = address.pathname
  let answer: Response
  let bytes: ArrayBuffer
  try {
    answer = await fetch(address, { cache })
    bytes = await answer.arrayBuffer()
  } catch {
    throw new EngineProblem('unreachable', `${name} could not be loaded: the connection failed`)
  }
  if (!answer.ok) throw new EngineProblem('unreachable', `${name} could not be loaded: ${answer.status} ${answer.statusText}`)
  return new Uint8Array(bytes)
}

async function isWhole(name: FileName, bytes: Uint8Array): Promise<boolean> {
  const wanted = digestOf(name)
  if (!wanted) return true
  // `subtle` does not exist on a plain-http address in the local network
  const made = globalThis.crypto?.subtle ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)) : sha256(bytes)
  return hex(made) === wanted
}

/** The content of a file, as it was when this module was built. */
export async function content(read: Read, name: FileName): Promise<Uint8Array> {
  for (const again of [false, true]) {
    const bytes = await read(name, again)
    if (await isWhole(name, bytes)) return bytes
  }
  throw new EngineProblem('damaged', `${name} is damaged, was loaded by half, or is of another version: load it again`)
}

/** A module, ready to be called. */
export async function start(read: Read, name: FileName): Promise<WebAssembly.Instance> {
  if (!hasWebAssembly()) throw new EngineProblem('no_webassembly', 'this program cannot run WebAssembly, which the rules need')
  const bytes = await content(read, name)
  try {
    return (await WebAssembly.instantiate(bytes as Uint8Array<ArrayBuffer>)).instance
  } catch (error) {
    throw new EngineProblem('damaged', `${name} does not start: it is damaged, or this program cannot run it (${String(error)})`)
  }
}

/** This browser's part of a fair deal: a random number, promised by its SHA-256 and shown when all have promised. */

import { hex, sha256, unhex } from './sha256'

export const newNonce = (): string => hex(crypto.getRandomValues(new Uint8Array(32)))
export const commitTo = (nonce: string): string => hex(sha256(unhex(nonce)))

/** A key for a command: sent twice, it is done once. */
export const newKey = (): string => hex(crypto.getRandomValues(new Uint8Array(12)))

const KEY = 'splendor.nonces'

function kept(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** Keeps a nonce under its commitment, the newest fifty. */
export function keep(nonce: string): string {
  const commit = commitTo(nonce)
  const all = Object.entries(kept()).slice(-49)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...all, [commit, nonce]])))
  } catch {
    memory.set(commit, nonce)
  }
  return commit
}

const memory = new Map<string, string>()

export const nonceFor = (commit: string): string | null => kept()[commit] ?? memory.get(commit) ?? null

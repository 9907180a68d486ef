/** This browser's part of a fair deal: a random number, promised by its SHA-256 and shown when all have promised. */

const K = new Uint32Array(64)
const START = new Uint32Array(8)

// the constants of SHA-256: fractional parts of cube and square roots of primes
{
  const isPrime = (n: number): boolean => {
    for (let d = 2; d * d <= n; d++) if (n % d === 0) return false
    return true
  }
  let n = 2
  for (let i = 0; i < 64; n++) {
    if (!isPrime(n)) continue
    if (i < 8) START[i] = (Math.sqrt(n) % 1) * 2 ** 32
    K[i++] = (Math.cbrt(n) % 1) * 2 ** 32
  }
}

/** SHA-256 of bytes. Our own, since `crypto.subtle` does not exist on a plain-http address in the local network. */
export function sha256(bytes: Uint8Array): string {
  const length = bytes.length
  const padded = new Uint8Array(((length + 8) >> 6 << 6) + 64)
  padded.set(bytes)
  padded[length] = 0x80
  new DataView(padded.buffer).setUint32(padded.length - 4, length * 8)
  const view = new DataView(padded.buffer)
  const h = START.slice()
  const w = new Uint32Array(64)
  const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n))
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i)
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15]!
      const b = w[i - 2]!
      w[i] = w[i - 16]! + w[i - 7]! + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
    }
    const s = h.slice()
    for (let i = 0; i < 64; i++) {
      const [a, b, c, , e, f, g] = s as unknown as number[]
      const one = s[7]! + (turn(e!, 6) ^ turn(e!, 11) ^ turn(e!, 25)) + ((e! & f!) ^ (~e! & g!)) + K[i]! + w[i]!
      const two = (turn(a!, 2) ^ turn(a!, 13) ^ turn(a!, 22)) + ((a! & b!) ^ (a! & c!) ^ (b! & c!))
      s.copyWithin(1, 0, 7)
      s[4] = s[4]! + one
      s[0] = one + two
    }
    for (let i = 0; i < 8; i++) h[i] = h[i]! + s[i]!
  }
  return [...h].map((x) => x.toString(16).padStart(8, '0')).join('')
}

const hex = (bytes: Uint8Array): string => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('')
const unhex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))

export const newNonce = (): string => hex(crypto.getRandomValues(new Uint8Array(32)))
export const commitTo = (nonce: string): string => sha256(unhex(nonce))

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

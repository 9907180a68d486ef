/** SHA-256 and HMAC. Our own, since `crypto.subtle` does not exist on a plain-http address in the local network. */

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

export function sha256(bytes: Uint8Array): Uint8Array {
  const length = bytes.length
  const padded = new Uint8Array((((length + 8) >> 6) << 6) + 64)
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
  const digest = new DataView(new ArrayBuffer(32))
  h.forEach((word, i) => digest.setUint32(4 * i, word))
  return new Uint8Array(digest.buffer)
}

const BLOCK = 64 // bytes

/** HMAC-SHA-256, for keys of at most one block. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = (sign: number): Uint8Array => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ sign)
  return sha256(join(padded(0x5c), sha256(join(padded(0x36), message))))
}

export function join(...parts: (Uint8Array | number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

export const hex = (bytes: Uint8Array): string => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('')
export const unhex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))

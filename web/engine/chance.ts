/**
 * NumPy's generator of random numbers (PCG64, seeded by SeedSequence), as far as players use it: a level that chooses
 * among good decisions chooses the same from the same seed in Python and here.
 */

const MASK_32 = 0xffffffffn
const MASK_64 = (1n << 64n) - 1n
const MASK_128 = (1n << 128n) - 1n
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n
const POOL = 4

/** A hash whose constant changes with each number. */
function hasher(start: bigint, multiplier: bigint): (value: bigint) => bigint {
  let constant = start
  return (value) => {
    value ^= constant
    constant = (constant * multiplier) & MASK_32
    value = (value * constant) & MASK_32
    return value ^ (value >> 16n)
  }
}

function mix(x: bigint, y: bigint): bigint {
  const mixed = (0xca01f9ddn * x - 0x4973f715n * y) & MASK_32
  return mixed ^ (mixed >> 16n)
}

/** Four 64-bit numbers from a seed. */
function seedSequence(seed: bigint): bigint[] {
  const words: bigint[] = []
  for (let rest = seed; rest > 0n || !words.length; rest >>= 32n) words.push(rest & MASK_32)
  const hash = hasher(0x43b0d7e5n, 0x931e8875n)
  const pool = Array.from({ length: POOL }, (_, n) => hash(words[n] ?? 0n))
  for (let from = 0; from < POOL; from++) {
    for (let to = 0; to < POOL; to++) if (from !== to) pool[to] = mix(pool[to]!, hash(pool[from]!))
  }
  for (const word of words.slice(POOL)) for (let to = 0; to < POOL; to++) pool[to] = mix(pool[to]!, hash(word))
  const out = hasher(0x8b51f9ddn, 0x58f38dedn)
  const halves = Array.from({ length: 2 * POOL }, (_, n) => out(pool[n % POOL]!))
  return Array.from({ length: POOL }, (_, n) => halves[2 * n]! | (halves[2 * n + 1]! << 32n))
}

export class Generator {
  private state: bigint
  private readonly increment: bigint

  constructor(seed: bigint | number) {
    const [high, low, highStream, lowStream] = seedSequence(BigInt(seed)) as [bigint, bigint, bigint, bigint]
    this.increment = ((((highStream << 64n) | lowStream) << 1n) | 1n) & MASK_128
    this.state = 0n
    this.step()
    this.state = (this.state + ((high << 64n) | low)) & MASK_128
    this.step()
  }

  private step(): void {
    this.state = (this.state * MULTIPLIER + this.increment) & MASK_128
  }

  /** From 0 to 1, 1 not included. */
  random(): number {
    this.step()
    const turn = this.state >> 122n
    const folded = (this.state >> 64n) ^ (this.state & MASK_64)
    const bits = ((folded >> turn) | (folded << (64n - turn))) & MASK_64
    return Number(bits >> 11n) * 2 ** -53
  }

  /** Of a standard Gumbel distribution. */
  gumbel(): number {
    const chance = 1 - this.random()
    return chance < 1 ? -Math.log(-Math.log(chance)) : this.gumbel()
  }
}

/**
 * An address as a QR code (ISO/IEC 18004): bytes, level M, versions 1 to 6, which hold 106 bytes. Larger versions need
 * more of the standard than an address of ours.
 */

type Grid = boolean[][]

/** For each version: blocks of data, and the bytes of data and of correction in each of them. */
const VERSIONS = [[1, 16, 10], [1, 28, 16], [1, 44, 26], [2, 32, 18], [2, 43, 24], [4, 27, 16]] as const
const FORMAT_M = 0b00 // how level M is written
const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** The dark squares, by row; null for a text that is too long. */
export function qrCode(text: string): Grid | null {
  const bytes = new TextEncoder().encode(text)
  const version = 1 + VERSIONS.findIndex(([blocks, data]) => bytes.length <= blocks * data - 2)
  if (version === 0) return null
  const bits = bitsOf(codewords(bytes, version))
  const drawn = MASKS.map((_, mask) => draw(version, bits, mask))
  return drawn.reduce((best, grid) => (unrest(grid) < unrest(best) ? grid : best))
}

// ------------------------------------------------------------------------------------------------------------ bytes

/** Length and text, filled up, each block with its correction, and the blocks interleaved. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [blocks, size, corrections] = VERSIONS[version - 1]!
  const digits = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0] // of four bits
  const data = Array.from({ length: blocks * size }, (_, n) => {
    const known = digits.length / 2
    return n < known ? digits[2 * n]! * 16 + digits[2 * n + 1]! : (n - known) % 2 ? 0x11 : 0xec
  })
  const parts = Array.from({ length: blocks }, (_, n) => data.slice(n * size, (n + 1) * size))
  const interleave = (rows: number[][]): number[] => rows[0]!.flatMap((_, column) => rows.map((row) => row[column]!))
  return [...interleave(parts), ...interleave(parts.map((part) => correction(part, corrections)))]
}

/** A product in the field of 256 elements. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 128 ? 0x11d : 0)
    if ((b >> bit) & 1) product ^= a
  }
  return product
}

/** Reed-Solomon: what is left of the data divided by the product of (x - 2^n). */
function correction(data: number[], count: number): number[] {
  let divisor = [1]
  for (let n = 0, root = 1; n < count; n++, root = times(root, 2)) {
    divisor = [...divisor, 0].map((factor, i) => factor ^ (i ? times(divisor[i - 1]!, root) : 0))
  }
  const rest = [...data, ...Array<number>(count).fill(0)]
  for (let at = 0; at < data.length; at++) {
    const factor = rest[at]!
    divisor.forEach((value, i) => (rest[at + i]! ^= times(value, factor)))
  }
  return rest.slice(data.length)
}

const bitsOf = (bytes: number[]): boolean[] => bytes.flatMap((byte) => Array.from({ length: 8 }, (_, n) => ((byte >> (7 - n)) & 1) === 1))

// ---------------------------------------------------------------------------------------------------------- drawing

function draw(version: number, bits: boolean[], mask: number): Grid {
  const size = 17 + 4 * version
  const grid: (boolean | undefined)[][] = Array.from({ length: size }, () => Array<boolean | undefined>(size))
  const set = (x: number, y: number, dark: boolean): void => {
    if (x >= 0 && y >= 0 && x < size && y < size) grid[y]![x] = dark
  }
  /** Squares around a middle, dark where the distance is not among the light ones. */
  const target = (x: number, y: number, radius: number, light: number[]): void => {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))))
    }
  }
  for (let n = 8; n < size - 8; n++) {
    set(n, 6, n % 2 === 0)
    set(6, n, n % 2 === 0)
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) target(x, y, 4, [2, 4])
  if (version > 1) target(size - 7, size - 7, 2, [1])
  drawFormat(size, mask, set)
  let next = 0
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5 // the column of the clock track
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (grid[y]![x] === undefined) set(x, y, (bits[next++] ?? false) !== MASKS[mask]!(x, y))
      }
    }
  }
  return grid as Grid
}

/** Level and mask with ten bits of correction, twice. */
function drawFormat(size: number, mask: number, set: (x: number, y: number, dark: boolean) => void): void {
  const data = (FORMAT_M << 3) | mask
  let rest = data << 10
  for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10)
  const format = ((data << 10) | rest) ^ 0x5412
  for (let n = 0; n < 15; n++) {
    const dark = ((format >> n) & 1) === 1
    set(8, n < 6 ? n : n < 8 ? n + 1 : size - 15 + n, dark)
    set(n < 8 ? size - 1 - n : n === 8 ? 7 : 14 - n, 8, dark)
  }
  set(8, size - 8, true)
}

/** How hard it is to read: long lines and blocks of one color. */
function unrest(grid: Grid): number {
  const size = grid.length
  let sum = 0
  for (const at of [(a: number, b: number) => grid[a]![b]!, (a: number, b: number) => grid[b]![a]!]) {
    for (let a = 0; a < size; a++) {
      for (let b = 1, run = 1; b <= size; b++) {
        if (b < size && at(a, b) === at(a, b - 1)) run++
        else {
          if (run >= 5) sum += run - 2
          run = 1
        }
      }
    }
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const dark = grid[y]![x]
      if (dark === grid[y - 1]![x] && dark === grid[y]![x - 1] && dark === grid[y - 1]![x - 1]) sum += 3
    }
  }
  return sum
}

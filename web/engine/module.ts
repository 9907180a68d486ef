/** A WebAssembly module of ours with its memory: room for records and arrays, and views of them. */

type Kind = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64'
type Call = (...values: number[]) => number

/** What an address is in JavaScript: a number. */
export type Address = number

const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const
export type ArrayOf<K extends Kind> = InstanceType<(typeof ARRAYS)[K]>

const PAGE = 1 << 16

export class Module<Name extends string> {
  readonly call: Record<Name, Call>
  private readonly memory: WebAssembly.Memory
  private top: number

  constructor(instance: WebAssembly.Instance) {
    this.call = instance.exports as unknown as Record<Name, Call>
    this.memory = instance.exports.memory as WebAssembly.Memory
    this.top = (instance.exports.__heap_base as WebAssembly.Global).value as number
  }

  /** Room for so many bytes, all zero, for as long as the module lives. */
  room(bytes: number): Address {
    const at = (this.top + 15) & ~15
    const missing = at + bytes - this.memory.buffer.byteLength
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE))
    this.top = at + bytes
    return at
  }

  /** Numbers in memory. A view is good until the next call of `room`: what is kept must be asked for again. */
  view<K extends Kind>(kind: K, at: Address, count: number): ArrayOf<K> {
    return new ARRAYS[kind](this.memory.buffer, at, count) as ArrayOf<K>
  }

  bytes(at: Address, count: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, count)
  }

  get size(): number {
    return this.memory.buffer.byteLength
  }
}

export const bytesOf = (kind: Kind): number => ARRAYS[kind].BYTES_PER_ELEMENT

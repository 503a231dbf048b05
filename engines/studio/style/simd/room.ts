/** The WebAssembly memory in which the filters work. The memory that a filter has taken is released
 *  when it ends, and the next filter takes the same addresses, which are still in the processor's
 *  caches. */
import { createMemory } from '@generation-gateway/kit/simd/assembler.ts'

const page = 65_536
/** The WebAssembly memory, at most 2 GiB. */
export const memory = createMemory(4, 32_768)

/** Number of unused bytes between two blocks of memory that `take` allocates, because loops
 *  sometimes read a little beyond the ends of a block. */
const slack = 256
let top = slack

/** Calls `work` and returns its result. Memory that `work` allocated with `take` is then
 *  released. */
export function inRoom<T>(work: () => T): T {
  const mark = top
  try {
    return work()
  } finally {
    top = mark
  }
}

/** Allocates `bytes` bytes and returns their address, a multiple of 64; their contents are
 *  undefined. */
export function take(bytes: number): number {
  const at = top
  top = Math.ceil((at + bytes + slack) / 64) * 64
  const missing = Math.ceil((top - memory.buffer.byteLength) / page)
  if (missing > 0) memory.grow(missing)
  return at
}

let held = { bytes: new Uint8Array(0), floats: new Float32Array(0), words: new Int32Array(0) }

/** Returns typed arrays over the whole memory. The arrays become invalid when `take` grows the
 *  memory, because growing replaces its buffer. */
export function views(): typeof held {
  const { buffer } = memory
  if (held.bytes.buffer !== buffer)
    held = { bytes: new Uint8Array(buffer), floats: new Float32Array(buffer), words: new Int32Array(buffer) }
  return held
}

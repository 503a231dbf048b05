/** The memory of the filters' WebAssembly. A filter returns its memory at its end, so that the next
 *  one finds warm memory. */
import { createMemory } from '@generation-gateway/kit/simd/assembler.ts'

const page = 65_536
/** The memory, at most 2 GiB. */
export const memory = createMemory(4, 32_768)

/** Bytes around every block that may be read. */
const slack = 256
let top = slack

/** Runs `work` and then frees the memory that it took. */
export function inRoom<T>(work: () => T): T {
  const mark = top
  try {
    return work()
  } finally {
    top = mark
  }
}

/** Returns the address of so many bytes, at a multiple of 64; their content is undefined. */
export function take(bytes: number): number {
  const at = top
  top = Math.ceil((at + bytes + slack) / 64) * 64
  const missing = Math.ceil((top - memory.buffer.byteLength) / page)
  if (missing > 0) memory.grow(missing)
  return at
}

let held = { bytes: new Uint8Array(0), floats: new Float32Array(0), words: new Int32Array(0) }

/** Returns views of all of the memory; call it again after a `take`. */
export function views(): typeof held {
  const { buffer } = memory
  if (held.bytes.buffer !== buffer)
    held = { bytes: new Uint8Array(buffer), floats: new Float32Array(buffer), words: new Int32Array(buffer) }
  return held
}

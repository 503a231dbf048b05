/** Encodes samples in ITU-T G.711, with one byte per sample. */
import { toInt16 } from './pcm.ts'

/** Returns the samples (-1 to 1) in mu-law. */
export function ulawBytes(samples: Float32Array): Buffer {
  return bytesBy(samples, value => {
    const sign = value < 0 ? 0x80 : 0
    const magnitude = Math.min(Math.abs(value), 32_635) + 132
    const exponent = 31 - Math.clz32(magnitude) - 7
    return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff
  })
}

/** Returns the samples (-1 to 1) in A-law. */
export function alawBytes(samples: Float32Array): Buffer {
  return bytesBy(samples, value => {
    const sign = value < 0 ? 0 : 0x80
    const magnitude = Math.min(value < 0 ? -value - 1 : value, 32_767) >> 3
    const exponent = magnitude < 32 ? 0 : 31 - Math.clz32(magnitude) - 4
    const mantissa = (magnitude >> Math.max(1, exponent)) & 0x0f
    return (sign | (exponent << 4) | mantissa) ^ 0x55
  })
}

function bytesBy(samples: Float32Array, encode: (value: number) => number): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length)
  for (let index = 0; index < samples.length; index++) bytes[index] = encode(toInt16(samples[index] ?? 0))
  return bytes
}

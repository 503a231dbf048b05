import type { Plane } from './pixels.ts'
import { weightedAlong, weightedDown } from './simd/plane-kernels.ts'
import { take, views } from './simd/room.ts'

/** Returns a function that computes row `y` of a plane blurred by a bell curve (`sigma` in pixels).
 *  The function writes the row into the WebAssembly memory of the filters and returns its address
 *  there. Rows must be read from top to bottom. A row is valid until the next call, and only inside
 *  the `inRoom` call in which it was read. Meant for a small `sigma`, because the cost grows with
 *  `sigma`. */
export function bellRows({ data, width, height }: Plane, sigma: number): (y: number) => number {
  const weights = bell(sigma)
  const taps = weights.length
  const reach = (taps - 1) / 2
  const groups = (width + 15) >> 4
  const line = groups * 64
  const kernel = take(taps * 4)
  const list = take(taps * 4)
  const ring = take(line * taps)
  const padded = take((width + reach * 2) * 4 + 64)
  const row = take(line)
  views().floats.set(weights, kernel / 4)
  const slotOf = (y: number) => ring + (y % taps) * line
  let next = 0
  const readRow = (): void => {
    const { floats } = views()
    const at = padded / 4
    const base = next * width
    floats.fill(data[base]!, at, at + reach)
    floats.set(data.subarray(base, base + width), at + reach)
    floats.fill(data[base + width - 1]!, at + reach + width, at + reach * 2 + width)
    weightedAlong(slotOf(next), padded, groups, kernel, taps * 4)
    next++
  }
  return y => {
    while (next < height && next <= y + reach) readRow()
    const { words } = views()
    for (let k = 0; k < taps; k++) words[list / 4 + k] = slotOf(Math.min(height - 1, Math.max(0, y + k - reach)))
    weightedDown(row, list, groups, kernel, taps * 4)
    return row
  }
}

/** Returns the weights of a bell curve. For a sigma of one pixel or more, they are the weights
 *  of three box blurs in succession, whose radius need not be a whole number. */
function bell(sigma: number): Float32Array {
  if (sigma >= 1) {
    const box = boxOf((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2)
    return Float32Array.from(folded(folded(box, box), box))
  }
  const reach = Math.max(1, Math.ceil(sigma * 2.5))
  const kernel = Array.from({ length: reach * 2 + 1 }, (_, k) => Math.exp(-((k - reach) ** 2) / (2 * sigma * sigma)))
  const total = kernel.reduce((sum, weight) => sum + weight, 0)
  return Float32Array.from(kernel, weight => weight / total)
}

function boxOf(radius: number): number[] {
  const whole = Math.floor(radius)
  const length = whole * 2 + 3
  return Array.from({ length }, (_, k) => (k === 0 || k === length - 1 ? radius - whole : 1) / (radius * 2 + 1))
}

function folded(a: readonly number[], b: readonly number[]): number[] {
  const out = new Array<number>(a.length + b.length - 1).fill(0)
  a.forEach((left, i) => {
    b.forEach((right, k) => {
      out[i + k] = out[i + k]! + left * right
    })
  })
  return out
}

/** The inner loops of `engines/film/raster/kernels.ts` in plain TypeScript, on 32-bit words. Tests
 *  compare the WebAssembly kernels with these loops. The loops also show what a film would cost
 *  without WebAssembly. */
import type { Memory } from '@generation-gateway/kit/simd/assembler.ts'
import type { BlendMode, Kernels } from '../raster/kernels.ts'

/** Mask for every second byte of a pixel: red and blue, or after a shift by one byte green and
 *  alpha. So one multiplication processes two channels. */
const pair = 0x00ff00ff

/** Interpolates between two pixels. `share` is the weight of the second one: 0 to 255, of 256. */
function between(first: number, second: number, share: number): number {
  const rest = 256 - share
  const low = ((Math.imul(first & pair, rest) + Math.imul(second & pair, share)) >>> 8) & pair
  return low | ((Math.imul((first >>> 8) & pair, rest) + Math.imul((second >>> 8) & pair, share)) & ~pair)
}

/** Returns the premultiplied pixel `colour`, weighted with `alpha` (0 to 256) and blended onto the
 *  premultiplied pixel `under`. */
function fallen(mode: BlendMode, under: number, colour: number, alpha: number): number {
  if (mode === 'copy') return colour
  const own = alpha === 256 ? colour : between(0, colour, alpha)
  if (own === 0) return under
  if (mode !== 'over') return channelwise(mode, under, own)
  const kept = 255 - (own >>> 24)
  // With premultiplied pixels, the sum of a channel cannot exceed 255.
  const low = (own & pair) + (((Math.imul(under & pair, kept) + pair) >>> 8) & pair)
  const high = ((own >>> 8) & pair) + (((Math.imul((under >>> 8) & pair, kept) + pair) >>> 8) & pair)
  return low | (high << 8)
}

function channelwise(mode: 'screen' | 'lighter', under: number, own: number): number {
  let out = 0
  for (let shift = 0; shift < 32; shift += 8) {
    const light = (own >>> shift) & 255
    const below = (under >>> shift) & 255
    const sum = light + (mode === 'screen' ? (below * (255 - light) + 255) >> 8 : below)
    out |= (sum > 255 ? 255 : sum) << shift
  }
  return out
}

/** The functions of `kernelsOn` on the same memory: premultiplied RGBA. */
export function plainKernelsOn(memory: Memory): Kernels {
  let view = viewsOf(memory)
  const views = () => {
    if (view.bytes.buffer !== memory.buffer) view = viewsOf(memory)
    return view
  }
  const byMode = <Routine>(routineOf: (mode: BlendMode) => Routine): Record<BlendMode, Routine> => ({
    over: routineOf('over'),
    screen: routineOf('screen'),
    lighter: routineOf('lighter'),
    copy: routineOf('copy'),
  })
  const spots =
    (mode: BlendMode): Kernels['spots'][BlendMode] =>
    (to, count, from, stride, u, v, du, dv, alpha) => {
      const { words } = views()
      for (let i = 0, at = to >> 2; i < count; i++, at++, u += du, v += dv) {
        const place = (from + (v >> 16) * stride + ((u >> 16) << 2)) >> 2
        const down = (v >> 8) & 255
        const left = between(words[place]!, words[place + (stride >> 2)]!, down)
        const right = between(words[place + 1]!, words[place + 1 + (stride >> 2)]!, down)
        words[at] = fallen(mode, words[at]!, between(left, right, (u >> 8) & 255), alpha)
      }
    }
  return {
    across: byMode(mode => (to, count, row, u, du, alpha) => {
      const { words } = views()
      for (let i = 0, at = to >> 2; i < count; i++, at++, u += du) {
        const place = (row >> 2) + (u >> 16)
        words[at] = fallen(mode, words[at]!, between(words[place]!, words[place + 1]!, (u >> 8) & 255), alpha)
      }
    }),
    spots: byMode(spots),
    stamps: byMode(mode => {
      const draw = spots(mode)
      return (to, count, from, stride, u, v, du, dv, alpha, toStride, rows) => {
        for (let row = 0; row < rows; row++) draw(to + row * toStride, count, from, stride, u, v + dv * row, du, 0, alpha)
      }
    }),
    lay: (to, from, groups) => {
      const { words } = views()
      for (let at = to >> 2, source = from >> 2, end = at + groups * 4; at < end; at++, source++)
        words[at] = fallen('over', words[at]!, words[source]!, 256)
    },
    mix: (to, a, b, groups, share) => {
      const { words } = views()
      for (let at = to >> 2, x = a >> 2, y = b >> 2, end = at + groups * 4; at < end; at++, x++, y++)
        words[at] = between(words[x]!, words[y]!, share)
    },
    light: (to, groups, amounts) => {
      const { bytes, shorts } = views()
      for (let i = 0; i < groups * 16; i++) {
        const value = bytes[to + i]!
        bytes[to + i] = value + ((((value * (255 - value)) >> 8) * shorts[(amounts >> 1) + (i & 3)]!) >> 8)
      }
    },
    planes: (...places) => planes(views(), ...places),
  }
}

function viewsOf({ buffer }: Memory) {
  return {
    bytes: new Uint8ClampedArray(buffer),
    words: new Int32Array(buffer),
    shorts: new Int16Array(buffer),
    signed: new Int8Array(buffer),
  }
}

function planes(
  { bytes, words, shorts, signed }: ReturnType<typeof viewsOf>,
  ...[y0, y1, u, v, row0, row1, groups, gains, noise0, noise1]: Parameters<Kernels['planes']>
): void {
  for (let block = 0; block < groups * 8; block++) {
    const gain = shorts[(gains >> 1) + block]!
    const x = block * 2
    const [a, b] = [words[(row0 >> 2) + x]!, words[(row0 >> 2) + x + 1]!]
    const [c, d] = [words[(row1 >> 2) + x]!, words[(row1 >> 2) + x + 1]!]
    bytes[y0 + x] = brightness(a, gain) + signed[noise0 + x]!
    bytes[y0 + x + 1] = brightness(b, gain) + signed[noise0 + x + 1]!
    bytes[y1 + x] = brightness(c, gain) + signed[noise1 + x]!
    bytes[y1 + x + 1] = brightness(d, gain) + signed[noise1 + x + 1]!
    const red = meanOf(a & 255, c & 255) + meanOf(b & 255, d & 255)
    const green = meanOf((a >>> 8) & 255, (c >>> 8) & 255) + meanOf((b >>> 8) & 255, (d >>> 8) & 255)
    const blue = meanOf((a >>> 16) & 255, (c >>> 16) & 255) + meanOf((b >>> 16) & 255, (d >>> 16) & 255)
    bytes[u + block] = (scaled((-1649 * red - 5547 * green + 7196 * blue) >> 8, gain) + 128 * 128 + 64) >> 7
    bytes[v + block] = (scaled((7196 * red - 6536 * green - 660 * blue) >> 8, gain) + 128 * 128 + 64) >> 7
  }
}

function meanOf(a: number, b: number): number {
  return (a + b + 1) >> 1
}

function scaled(value: number, gain: number): number {
  return (Math.imul(value, gain) + 0x4000) >> 15
}

/** Returns the BT.709 luma of a pixel in limited range. */
function brightness(pixel: number, gain: number): number {
  const light = Math.imul(pixel & 255, 5983) + Math.imul((pixel >>> 8) & 255, 20_127) + Math.imul((pixel >>> 16) & 255, 2032)
  return (scaled(light >> 8, gain) + 16 * 128 + 64) >> 7
}

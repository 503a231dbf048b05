import type { Rgb } from '../drawing.ts'
import type { Raster } from './pixels.ts'

/** Returns a palette from rows of red, green and blue, 0 to 255. */
export function paletteOf(rows: readonly (readonly [r: number, g: number, b: number])[]): Rgb[] {
  return rows.map(([r, g, b]) => ({ r, g, b }))
}

/** Returns `count` main colours of a picture, found by median cut and refined by k-means on a
 *  regular sample; some are equal when the picture has fewer. Sorted by luma. */
export function findPalette(raster: Raster, count: number): Rgb[] {
  const samples = sample(raster, 6000)
  let colours = medianCut(samples, Math.ceil(count * 0.75))
  for (let round = 0; round < 3; round++) colours = refine(samples, colours)
  while (colours.length < count) colours.push(worstServed(samples, colours))
  colours = refine(samples, colours)
  return colours.sort((a, b) => lumaOf(a) - lumaOf(b))
}

/** Returns a function that finds the index of the palette entry nearest to a colour. Results are
 *  cached for cells of 8 x 8 x 8 colours, so the function is fast and slightly imprecise. */
export function nearestFinder(palette: Rgb[]): (r: number, g: number, b: number) => number {
  const table = new Uint8Array(32768)
  return (r, g, b) => {
    const cell = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3)
    const known = table[cell]!
    if (known) return known - 1
    const best = nearest(palette, (r & 248) + 4, (g & 248) + 4, (b & 248) + 4)
    table[cell] = best + 1
    return best
  }
}

function lumaOf(colour: Rgb): number {
  return colour.r * 0.299 + colour.g * 0.587 + colour.b * 0.114
}

function nearest(palette: Rgb[], r: number, g: number, b: number): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < palette.length; k++) {
    const colour = palette[k]!
    const distance = 3 * (r - colour.r) ** 2 + 4 * (g - colour.g) ** 2 + 2 * (b - colour.b) ** 2
    if (distance >= least) continue
    least = distance
    best = k
  }
  return best
}

function sample(raster: Raster, wanted: number): Rgb[] {
  const { data, width, height } = raster
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / wanted)))
  const out: Rgb[] = []
  for (let y = step >> 1; y < height; y += step) {
    for (let x = step >> 1; x < width; x += step) {
      const i = (y * width + x) * 4
      out.push({ r: data[i]!, g: data[i + 1]!, b: data[i + 2]! })
    }
  }
  return out
}

/** Returns the sample that is farthest from its nearest palette entry. This sample is the colour of
 *  a small area, which averaging would lose. */
function worstServed(samples: Rgb[], palette: Rgb[]): Rgb {
  const find = nearestFinder(palette)
  let worst = samples[0]!
  let most = -1
  for (const colour of samples) {
    const served = palette[find(colour.r, colour.g, colour.b)]!
    const distance = 3 * (colour.r - served.r) ** 2 + 4 * (colour.g - served.g) ** 2 + 2 * (colour.b - served.b) ** 2
    if (distance <= most) continue
    most = distance
    worst = colour
  }
  return worst
}

const channels = ['r', 'g', 'b'] as const

function medianCut(samples: Rgb[], count: number): Rgb[] {
  const boxes = [{ samples, spread: spreadOf(samples) }]
  while (boxes.length < count) {
    boxes.sort((a, b) => b.spread.score - a.spread.score)
    const box = boxes[0]!
    if (box.spread.score === 0) break
    const { channel } = box.spread
    box.samples.sort((a, b) => a[channel] - b[channel])
    const middle = box.samples.length >> 1
    const halves = [box.samples.slice(0, middle), box.samples.slice(middle)]
    boxes.splice(0, 1, ...halves.map(half => ({ samples: half, spread: spreadOf(half) })))
  }
  return boxes.map(box => meanOf(box.samples))
}

function spreadOf(samples: Rgb[]): { channel: 'r' | 'g' | 'b'; score: number } {
  let channel: 'r' | 'g' | 'b' = 'g'
  let widest = 0
  for (const name of channels) {
    let low = 255
    let high = 0
    for (const colour of samples) {
      if (colour[name] < low) low = colour[name]
      if (colour[name] > high) high = colour[name]
    }
    if (high - low <= widest) continue
    widest = high - low
    channel = name
  }
  // The box with the widest range of colours is split first; among boxes of similar range, the one
  // with more samples. Small areas with a distinct colour thus keep an entry.
  return { channel, score: samples.length < 2 ? 0 : widest * samples.length ** 0.3 }
}

function meanOf(samples: Rgb[]): Rgb {
  let r = 0
  let g = 0
  let b = 0
  for (const colour of samples) {
    r += colour.r
    g += colour.g
    b += colour.b
  }
  const n = Math.max(1, samples.length)
  return { r: r / n, g: g / n, b: b / n }
}

function refine(samples: Rgb[], palette: Rgb[]): Rgb[] {
  const find = nearestFinder(palette)
  const sums = palette.map(() => ({ r: 0, g: 0, b: 0, n: 0 }))
  for (const colour of samples) {
    const sum = sums[find(colour.r, colour.g, colour.b)]!
    sum.r += colour.r
    sum.g += colour.g
    sum.b += colour.b
    sum.n++
  }
  return sums.map((sum, k) => (sum.n === 0 ? palette[k]! : { r: sum.r / sum.n, g: sum.g / sum.n, b: sum.b / sum.n }))
}

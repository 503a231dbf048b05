import type { Raster } from '../style/pixels.ts'
import type { Regions } from '../style/regions.ts'

interface Node {
  /** Mean colour of the region in a perceptually uniform colour space. */
  l: number
  a: number
  b: number
  /** Centre of the region, as fractions of the picture's long side. */
  x: number
  y: number
  size: number
  border: number
}

/** The regions of a picture, and the colour differences between neighbouring regions. */
export interface Graph {
  nodes: Node[]
  /** For each region, its neighbours. `step` is the difference of the two regions' mean colours or
   *  0.85 times the mean difference measured across the shared border, whichever is larger; `touch`
   *  is the length of that border in pixels. */
  neighbours: { to: number; step: number; touch: number }[][]
  /** `total` is the number of pixels of the reduced picture; `wide` and `high` are its sides as
   *  fractions of the long side. */
  total: number
  wide: number
  high: number
}

export function makeGraph(regions: Regions, small: Raster): Graph {
  const { label, width, height } = regions
  const long = Math.max(width, height)
  const nodes: Node[] = regions.colours.map(({ r, g, b }) => ({ ...toLab(r, g, b), x: 0, y: 0, size: 0, border: 0 }))
  const links = nodes.map(() => new Map<number, { sum: number; n: number }>())
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const own = label[y * width + x]!
      const node = nodes[own]!
      node.x += x / long
      node.y += y / long
      node.size++
      // A region at the lower edge of the picture is less likely to be background than one at
      // another edge, because subjects are often cut off there. The cells of a region at the lower
      // edge therefore count half.
      if (x < 2 || x >= width - 2 || y < 2) node.border++
      else if (y >= height - 2) node.border += 0.5
      if (x + 1 < width) meet(links, { own, other: label[y * width + x + 1]!, step: acrossX(small, x, y) })
      if (y + 1 < height) meet(links, { own, other: label[(y + 1) * width + x]!, step: acrossY(small, x, y) })
    }
  }
  for (const node of nodes) {
    node.x /= Math.max(1, node.size)
    node.y /= Math.max(1, node.size)
  }
  const neighbours = links.map((met, i) =>
    [...met].map(([to, { sum, n }]) => ({ to, touch: n, step: Math.max(colourDistance(nodes[i]!, nodes[to]!), (sum / n) * 0.85) })),
  )
  return { nodes, neighbours, total: width * height, wide: width / long, high: height / long }
}

type Links = Map<number, { sum: number; n: number }>[]

/** Records that two regions touch at a point, with the colour difference across that point. The
 *  difference is measured directly at the border, so a thin line between two areas of the same
 *  colour also counts. */
function meet(links: Links, at: { own: number; other: number; step: number }): void {
  if (at.own === at.other) return
  for (const [from, to] of [
    [at.own, at.other],
    [at.other, at.own],
  ] as const) {
    const known = links[from]!.get(to)
    if (known) {
      known.sum += at.step
      known.n++
    } else links[from]!.set(to, { sum: at.step, n: 1 })
  }
}

function acrossX(small: Raster, x: number, y: number): number {
  const row = y * small.width
  return largestStep(
    small,
    [Math.max(0, x - 1), x, x + 1, Math.min(small.width - 1, x + 2)].map(column => row + column),
  )
}

function acrossY(small: Raster, x: number, y: number): number {
  return largestStep(
    small,
    [Math.max(0, y - 1), y, y + 1, Math.min(small.height - 1, y + 2)].map(line => line * small.width + x),
  )
}

/** Returns the largest colour difference between the first of four neighbouring pixels and the
 *  other three, on a scale similar to that of `colourDistance`. */
function largestStep(small: Raster, line: number[]): number {
  const { data } = small
  const a = line[0]! * 4
  let most = 0
  for (const pixel of line) {
    const b = pixel * 4
    const step =
      Math.abs(data[a]! - data[b]!) * 0.34 + Math.abs(data[a + 1]! - data[b + 1]!) * 0.4 + Math.abs(data[a + 2]! - data[b + 2]!) * 0.26
    if (step > most) most = step
  }
  return most * 0.42
}

/** Returns the perceptual difference of two colours, about 0 to 150. */
export function colourDistance(p: { l: number; a: number; b: number }, q: { l: number; a: number; b: number }): number {
  return Math.sqrt((p.l - q.l) ** 2 + (p.a - q.a) ** 2 + (p.b - q.b) ** 2)
}

/** Converts an sRGB colour to lightness (0 to 100) and two colour axes. Distances in this space
 *  match perceived differences about as well as in CIELAB. */
function toLab(r: number, g: number, b: number): { l: number; a: number; b: number } {
  const curve = (value: number) => Math.cbrt((value / 255) ** 2.2)
  const [x, y, z] = [0.41 * r + 0.36 * g + 0.18 * b, 0.21 * r + 0.72 * g + 0.07 * b, 0.02 * r + 0.12 * g + 0.95 * b]
  return { l: 100 * curve(y), a: 420 * (curve(x / 0.95) - curve(y)), b: 170 * (curve(y) - curve(z / 1.09)) }
}

/** Which parts of a picture are its subject, without a trained model: superpixels that are well connected with the border of the picture
 *  through small colour steps are background, and what stands out from those is subject.
 *  After Zhu, Liang, Wei, Sun: Saliency Optimization from Robust Background Detection (CVPR 2014). */
import { createRandom } from '../random.ts'
import type { Raster } from '../style/pixels.ts'
import { findRegions, type Regions } from '../style/regions.ts'

interface Node {
  /** Mean colour in a roughly uniform colour space. */
  l: number
  a: number
  b: number
  /** Centre in shares of the long side. */
  x: number
  y: number
  size: number
  border: number
}

interface Graph {
  nodes: Node[]
  /** `step`: how hard the border between two is to cross; `touch`: its length. */
  neighbours: { to: number; step: number; touch: number }[][]
}

/** For each region how likely it is subject (0 to 1), and the level from which regions together have the best outline.
 *  The small raster is 300 pixels or less on its long side. */
export function findSaliency(small: Raster): { regions: Regions; subject: Float32Array; level: number } {
  const random = createRandom('regions')
  const regions = findRegions(small, random, { across: 20, stiffness: 0.35, gridShort: Math.min(small.width, small.height) })
  const graph = makeGraph(regions, small)
  const count = graph.nodes.length
  const paths = allPaths(graph)
  const background = backgroundness(graph, paths)
  const contrast = contrastWith(graph, background)
  const subject = balance(graph, { background, contrast, count })
  return { regions, subject, level: bestLevel(graph, subject) }
}

/** Tries levels from high to low: the regions above one should share a strong outline, be of some size, and keep off the border. */
function bestLevel(graph: Graph, subject: Float32Array): number {
  const total = graph.nodes.reduce((sum, node) => sum + node.size, 0)
  const top = subject.toSorted()[Math.floor(subject.length * 0.985)]!
  let best = top * 0.5
  let most = 0
  for (let share = 0.9; share > 0.2; share -= 0.05) {
    const level = top * share
    const { area, border, outline } = outlineAt(graph, subject, level)
    const size = area / total
    if (size < 0.012 || size > 0.5) continue
    const score = outline * Math.min(1, size / 0.12) ** 0.6 * (1 - Math.min(0.9, border / (2 * Math.sqrt(total)))) * (1 - size * 0.8)
    if (score <= most) continue
    most = score
    best = level
  }
  return best
}

function outlineAt(graph: Graph, subject: Float32Array, level: number): { area: number; border: number; outline: number } {
  let [area, border, sum, length] = [0, 0, 0, 0]
  graph.nodes.forEach((node, i) => {
    if (subject[i]! < level) return
    area += node.size
    border += node.border
    for (const { to, step, touch } of graph.neighbours[i]!) {
      if (subject[to]! >= level) continue
      sum += Math.min(step, 30) * (subject[i]! - subject[to]!) * touch
      length += touch
    }
  })
  return { area, border, outline: length > 0 ? sum / length : 0 }
}

function makeGraph(regions: Regions, small: Raster): Graph {
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
      // The lower border counts half: subjects are often cut off there.
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
  return { nodes, neighbours }
}

type Links = Map<number, { sum: number; n: number }>[]

/** Notes a place where two regions touch, and how far the colours just inside either differ there: an outline parts areas of like colour. */
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

/** Largest colour difference from the first of four pixels in a line to any other, on about the scale of `colourDistance`. */
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

/** Cost of the cheapest path between any two regions, a path costing its steps of colour. */
function allPaths(graph: Graph): Float32Array {
  const count = graph.nodes.length
  const paths = new Float32Array(count * count).fill(1e6)
  const open = new Uint8Array(count)
  for (let start = 0; start < count; start++) {
    if (graph.nodes[start]!.size === 0) continue
    const row = paths.subarray(start * count, (start + 1) * count)
    open.fill(1)
    row[start] = 0
    const queue = [start]
    while (queue.length > 0) {
      let pick = 0
      for (let k = 1; k < queue.length; k++) if (row[queue[k]!]! < row[queue[pick]!]!) pick = k
      const node = queue[pick]!
      queue[pick] = queue[queue.length - 1]!
      queue.pop()
      if (!open[node]) continue
      open[node] = 0
      // Far ones have no weight in the sums that follow.
      if (row[node]! > 45) break
      for (const { to: next, step } of graph.neighbours[node]!) {
        const cost = row[node]! + Math.max(0, step - 4)
        if (cost >= row[next]!) continue
        row[next] = cost
        queue.push(next)
      }
    }
  }
  return paths
}

/** 0 to 1: length of border that a region's surroundings of like colour share, against their area. */
function backgroundness(graph: Graph, paths: Float32Array): Float32Array {
  const count = graph.nodes.length
  const out = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    let area = 0
    let border = 0
    for (let j = 0; j < count; j++) {
      const path = paths[i * count + j]!
      if (path > 45) continue
      const near = Math.exp((-path * path) / 200)
      const node = graph.nodes[j]!
      area += near * node.size
      border += near * node.border
    }
    const connection = area > 0 ? border / 2 / Math.sqrt(area) : 0
    out[i] = 1 - Math.exp((-connection * connection) / 2.4)
  }
  return out
}

/** How much each region stands out from background in colour, near ones counting more; scaled to 0 to 1. */
function contrastWith(graph: Graph, background: Float32Array): Float32Array {
  const { nodes } = graph
  const out = new Float32Array(nodes.length)
  const wide = Math.max(...nodes.map(node => node.x))
  const high = Math.max(...nodes.map(node => node.y))
  nodes.forEach((node, i) => {
    if (node.size === 0) return
    let sum = 0
    nodes.forEach((other, j) => {
      const away = (node.x - other.x) ** 2 + (node.y - other.y) ** 2
      sum += colourDistance(node, other) * Math.exp(-away / 0.12) * background[j]! * other.size
    })
    // Subjects are framed: the middle of the picture and what lies a little below it count more.
    const off = ((node.x / wide - 0.5) / 0.42) ** 2 + ((node.y / high - 0.56) / 0.36) ** 2
    out[i] = sum * (0.45 + 0.55 * Math.exp(-off * 0.8))
  })
  // One glaring spot must not push everything else down.
  const most = out.toSorted()[Math.floor(out.length * 0.97)]! + 1e-6
  return out.map(value => Math.min(1, value / most))
}

/** Settles subject against background so that like-coloured neighbours agree (Gauss-Seidel on the weighted least squares). */
function balance(graph: Graph, known: { background: Float32Array; contrast: Float32Array; count: number }): Float32Array {
  const { background, contrast } = known
  const out = contrast.slice()
  for (let round = 0; round < 60; round++) {
    for (let i = 0; i < known.count; i++) {
      const bg = background[i]! * 1.1
      const fg = contrast[i]! * (1 - background[i]!)
      let top = fg
      let bottom = bg + fg + 1e-4
      for (const { to: j, step } of graph.neighbours[i]!) {
        const weight = Math.exp((-step * step) / 200) * 0.7 + 0.02
        top += weight * out[j]!
        bottom += weight
      }
      out[i] = top / bottom
    }
  }
  return out
}

function colourDistance(p: { l: number; a: number; b: number }, q: { l: number; a: number; b: number }): number {
  return Math.sqrt((p.l - q.l) ** 2 + (p.a - q.a) ** 2 + (p.b - q.b) ** 2)
}

/** An opponent space about as uniform as CIELAB for this use: luma 0 to 100, two colour axes. */
function toLab(r: number, g: number, b: number): { l: number; a: number; b: number } {
  const curve = (value: number) => Math.cbrt((value / 255) ** 2.2)
  const [x, y, z] = [0.41 * r + 0.36 * g + 0.18 * b, 0.21 * r + 0.72 * g + 0.07 * b, 0.02 * r + 0.12 * g + 0.95 * b]
  return { l: 100 * curve(y), a: 420 * (curve(x / 0.95) - curve(y)), b: 170 * (curve(y) - curve(z / 1.09)) }
}

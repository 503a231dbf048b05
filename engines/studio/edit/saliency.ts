/** Finds the subject of a picture without a trained model. The picture is split into small regions
 *  of similar colour (superpixels). Regions that can be reached from the picture's border across
 *  small colour differences are background; regions whose colours contrast with the background are
 *  the subject. After Zhu, Liang, Wei, Sun: Saliency Optimization from Robust Background Detection
 *  (CVPR 2014). */
import { createRandom } from '../random.ts'
import type { Raster } from '../style/pixels.ts'
import { findRegions, type Regions } from '../style/regions.ts'
import { chooseProposals } from './proposals.ts'
import { colourDistance, type Graph, makeGraph } from './region-graph.ts'

/** Returns the regions of the picture, and in `subject` 1 for each region that is part of the
 *  subject, else 0. `isClear` is false when the result is unreliable: the group is large and
 *  ragged, or looks like its surroundings. The raster must be reduced to at most 300 pixels on its
 *  long side. */
export function findSaliency(small: Raster): { regions: Regions; subject: Float32Array; isClear: boolean } {
  const random = createRandom('regions')
  const regions = findRegions(small, random, { across: 20, stiffness: 0.35, gridShort: Math.min(small.width, small.height) })
  const graph = makeGraph(regions, small)
  const count = graph.nodes.length
  const paths = allPaths(graph)
  const background = backgroundness(graph, paths)
  const contrast = contrastWith(graph, background)
  const saliency = balance(graph, { background, contrast, count })
  return { regions, ...chooseProposals(graph, saliency) }
}

/** Returns the cost of the cheapest path between any two regions: the sum of the colour differences
 *  at the borders that the path crosses. */
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
      // Paths above this cost are not followed, because the sums below would give the regions at
      // their ends no weight.
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

/** Returns for each region the probability that it is background, 0 to 1. The probability is high
 *  when a large part of the regions that are similar and connected to it lies at the picture's
 *  border. */
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

/** Returns for each region the colour contrast with the background, scaled to 0 to 1. Background
 *  regions near it count more than distant ones. */
function contrastWith(graph: Graph, background: Float32Array): Float32Array {
  const { nodes } = graph
  const out = new Float32Array(nodes.length)
  nodes.forEach((node, i) => {
    if (node.size === 0) return
    let sum = 0
    nodes.forEach((other, j) => {
      const away = (node.x - other.x) ** 2 + (node.y - other.y) ** 2
      sum += colourDistance(node, other) * Math.exp(-away / 0.12) * background[j]! * other.size
    })
    // Regions at the centre of the picture and just below it count more, because subjects are
    // usually placed there.
    const off = ((node.x / graph.wide - 0.5) / 0.42) ** 2 + ((node.y / graph.high - 0.56) / 0.36) ** 2
    out[i] = sum * (0.45 + 0.55 * Math.exp(-off * 0.8))
  })
  // Divides by the 97th percentile rather than by the maximum, so that a single bright spot does
  // not make all other values small.
  const most = out.toSorted()[Math.floor(out.length * 0.97)]! + 1e-6
  return out.map(value => Math.min(1, value / most))
}

/** Returns the final saliency of each region: a compromise between its contrast, its probability of
 *  being background, and the saliency of neighbours of similar colour (weighted least squares,
 *  solved by Gauss-Seidel iterations). */
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

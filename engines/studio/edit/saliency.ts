/** Finds the subject of a picture without a trained model. Superpixels connected to the picture's
 *  border by small colour differences are background; those that contrast with the background are
 *  the subject. After Zhu, Liang, Wei, Sun: Saliency Optimization from Robust Background Detection
 *  (CVPR 2014). */
import { createRandom } from '../random.ts'
import type { Raster } from '../style/pixels.ts'
import { findRegions, type Regions } from '../style/regions.ts'
import { chooseProposals } from './proposals.ts'
import { colourDistance, type Graph, makeGraph } from './region-graph.ts'

/** Marks the regions that form the subject with 1, and says whether the result is reliable; a large
 *  ragged group, or one that looks like its surroundings, is not. The raster must be reduced to at
 *  most 300 pixels on its long side. */
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

/** Returns the cost of the cheapest path between any two regions; the cost of a path is the sum of
 *  its colour differences. */
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
      // Regions farther away would have no weight in the sums below.
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

/** Returns each region's probability of being background, 0 to 1: how much of its similar
 *  surroundings lies on the picture's border, in relation to their area. */
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

/** Returns each region's colour contrast with the background, scaled to 0 to 1; near regions count
 *  more. */
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
  // The scale is set by the 97th percentile, so that a single bright spot does not lower all other
  // values.
  const most = out.toSorted()[Math.floor(out.length * 0.97)]! + 1e-6
  return out.map(value => Math.min(1, value / most))
}

/** Computes the final saliency so that neighbouring regions of similar colour agree (weighted least
 *  squares, solved by Gauss-Seidel iterations). */
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

import { colourDistance, type Graph } from './region-graph.ts'

/** Chooses the subject of a picture. Candidates are groups of connected regions: groups of regions
 *  above a level of saliency, for several levels, and groups that result when similar neighbours
 *  are merged step by step. The subject is the group with the best rating, together with groups
 *  that do not overlap it and are rated at least 75 % as high. `isClear` is false when the choice
 *  is unreliable. */
export function chooseProposals(graph: Graph, saliency: Float32Array): { subject: Float32Array; isClear: boolean } {
  const groups = [...levelsOf(saliency).flatMap(level => groupsAbove(graph, saliency, level)), ...mergedGroups(graph)]
  const proposals = groups.map(members => {
    const traits = measure(graph, saliency, members)
    return { members, traits, score: rate(traits) }
  })
  proposals.sort((a, b) => b.score - a.score)
  const out = new Float32Array(saliency.length)
  const best = proposals[0]?.score ?? 0
  for (const { members, score } of proposals) {
    if (score < best * weights.also || score <= 0) break
    if (members.some(k => out[k]! > 0)) continue
    for (const k of members) out[k] = 1
  }
  const traits = proposals[0]?.traits
  const isRagged = traits !== undefined && traits.compact < 0.2 && traits.size > 0.15
  return { subject: out, isClear: best > 0 && traits !== undefined && !isRagged && traits.distinct > 0.38 }
}

function levelsOf(saliency: Float32Array): number[] {
  const sorted = saliency.toSorted()
  return Array.from({ length: 26 }, (_, k) => sorted[Math.floor(sorted.length * (0.5 + k * 0.019))]!)
}

function groupsAbove(graph: Graph, saliency: Float32Array, level: number): number[][] {
  const seen = new Uint8Array(saliency.length)
  const groups: number[][] = []
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || saliency[start]! < level || graph.nodes[start]!.size === 0) continue
    const group = [start]
    seen[start] = 1
    for (let k = 0; k < group.length; k++) {
      for (const { to } of graph.neighbours[group[k]!]!) {
        if (seen[to] || saliency[to]! < level) continue
        seen[to] = 1
        group.push(to)
      }
    }
    groups.push(group)
  }
  return groups
}

/** Returns all groups that result when neighbouring groups are merged two by two. Each step merges
 *  the pair with the smallest colour difference at their border; small groups are preferred. */
function mergedGroups(graph: Graph): number[][] {
  const members = new Map(graph.nodes.map((_, k) => [k, [k]]))
  const sizes = graph.nodes.map(node => node.size)
  const links = graph.neighbours.map(list => new Map(list.map(({ to, step, touch }) => [to, { sum: step * touch, touch }])))
  const out: number[][] = []
  for (let left = members.size; left > 2; left--) {
    const pair = softestPair(members, links, sizes)
    if (!pair) break
    const [keep, gone] = pair
    const joined = [...members.get(keep)!, ...members.get(gone)!]
    members.set(keep, joined)
    members.delete(gone)
    sizes[keep]! += sizes[gone]!
    out.push(joined)
    for (const [other, link] of links[gone]!) {
      links[other]!.delete(gone)
      if (other === keep) continue
      const known = links[keep]!.get(other) ?? { sum: 0, touch: 0 }
      const merged = { sum: known.sum + link.sum, touch: known.touch + link.touch }
      links[keep]!.set(other, merged)
      links[other]!.set(keep, merged)
    }
  }
  return out
}

function softestPair(
  members: ReadonlyMap<number, number[]>,
  links: Map<number, { sum: number; touch: number }>[],
  sizes: number[],
): [number, number] | undefined {
  let best: [number, number] | undefined
  let least = Number.POSITIVE_INFINITY
  for (const k of members.keys()) {
    for (const [other, { sum, touch }] of links[k]!) {
      if (other < k) continue
      const cost = (sum / touch + 1) * ((sizes[k]! * sizes[other]!) / (sizes[k]! + sizes[other]!)) ** 0.3
      if (cost >= least) continue
      least = cost
      best = [k, other]
    }
  }
  return best
}

/** Properties by which a group of regions is rated as a subject. */
interface Traits {
  /** Share of the picture's area that the group covers, 0 to 1. */
  size: number
  /** Mean colour difference across the outline of the group, divided by the colour differences
   *  within its surroundings. */
  outline: number
  /** Mean difference in saliency between the two sides of the group's outline; positive when the
   *  inside is higher. */
  jump: number
  /** Compactness: 1 for a disc, less for a ragged shape. */
  compact: number
  /** Squared distance from a point slightly below the centre of the picture: 0 at that point, 1 at
   *  about five sixths of the way to the border. */
  off: number
  /** Share of the group's outline that lies on the border of the picture. */
  border: number
  /** How much the group's colours differ from those of the regions around it, 0 to 1. Low for some
   *  trees of a forest, because they look like the rest of it. */
  distinct: number
}

/** Returns the rating of a group. A good subject has a strong outline on all sides, calm
 *  surroundings and high saliency; it is compact, near the centre, and away from the border. */
function rate(traits: Traits): number {
  if (traits.size < 0.008 || traits.size > 0.6) return 0
  return (
    traits.outline ** weights.outline *
    (0.02 + Math.max(0, traits.jump)) ** weights.jump *
    Math.min(1, traits.size / weights.full) ** weights.size *
    Math.min(1, traits.compact * 2.5) ** weights.compact *
    Math.exp(-traits.off * weights.middle) *
    Math.max(0.02, 1 - traits.border) ** weights.border *
    traits.distinct ** weights.distinct
  )
}

/** Exponents and limits of `rate`, found by a coordinate search on 32 composed pictures with known
 *  outlines. `also` is the share of the best rating from which other groups are part of the
 *  subject. */
const weights = { outline: 0.4, jump: 0.5, full: 0.24, size: 0.6, compact: 0.5, middle: 0.35, border: 2, distinct: 1, also: 0.75 }

function measure(graph: Graph, saliency: Float32Array, members: number[]): Traits {
  const inside = new Set(members)
  const around = new Set<number>()
  let [area, border, steps, length, jumps, x, y] = [0, 0, 0, 0, 0, 0, 0]
  for (const k of members) {
    const node = graph.nodes[k]!
    area += node.size
    border += node.border
    x += node.x * node.size
    y += node.y * node.size
    for (const { to, step, touch } of graph.neighbours[k]!) {
      if (inside.has(to)) continue
      around.add(to)
      steps += Math.min(step, 34) * touch
      jumps += (saliency[k]! - saliency[to]!) * touch
      length += touch
    }
  }
  const rim = Math.max(1, length + border)
  return {
    size: area / graph.total,
    outline: length > 0 ? steps / length / (8 + textureOf(graph, around)) : 0,
    jump: length > 0 ? jumps / length : 0,
    compact: (4 * Math.PI * area) / (rim * rim),
    off: ((x / area / graph.wide - 0.5) / 0.42) ** 2 + ((y / area / graph.high - 0.6) / 0.36) ** 2,
    border: border / rim,
    distinct: distinctness(graph, members, around),
  }
}

function distinctness(graph: Graph, members: number[], around: ReadonlySet<number>): number {
  let [sum, area] = [0, 0]
  for (const k of members) {
    const node = graph.nodes[k]!
    let least = 60
    for (const other of around) least = Math.min(least, colourDistance(node, graph.nodes[other]!))
    sum += least * node.size
    area += node.size
  }
  const mean = sum / Math.max(1, area)
  return mean / (mean + 12)
}

/** Returns the mean colour difference between neighbouring regions within a set of regions. */
function textureOf(graph: Graph, set: ReadonlySet<number>): number {
  let [sum, length] = [0, 0]
  for (const k of set) {
    for (const { to, step, touch } of graph.neighbours[k]!) {
      if (!set.has(to)) continue
      sum += step * touch
      length += touch
    }
  }
  return length > 0 ? sum / length : 0
}

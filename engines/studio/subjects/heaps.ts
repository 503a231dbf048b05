import type { Subject } from '../scene.ts'
import { nodeHeight, nodeWidth } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { join } from './node-moves.ts'

/** More than this many on top of each other are too small to be made out. */
const mostStacked = 12

/** True for several things that lie on each other: "a stack of boxes", "oranges piled up". */
export function isHeap({ looks, count, habitat }: Subject): boolean {
  const isLoose = habitat === 'ground' || habitat === 'surface'
  return count > 1 && isLoose && (looks.includes('piled') || (looks.includes('stacked') && count <= mostStacked))
}

/** The copies in one column, or as a heap that is one narrower with each row; each rests on one below. */
export function heaped(nodes: readonly Node[], isColumn: boolean): Node[] {
  const [base] = nodes
  if (!base) return []
  const widths = isColumn ? nodes.map(() => 1) : rowsOf(nodes.length)
  const step = {
    x: nodeWidth(base) * 0.98,
    y: nodeHeight(base) * (isColumn ? (/hot-beverage|teacup/.test(base.item.subject.art) ? 0.66 : 0.9) : 0.86),
  }
  let index = 0
  let below: Node[] = []
  for (const [row, width] of widths.entries()) {
    const here: Node[] = []
    for (let column = 0; column < width && index < nodes.length; column++, index++) {
      const node = nodes[index]
      if (!node) continue
      node.unit = base.unit
      node.x = (column - (width - 1) / 2) * step.x + (isColumn ? (row % 2 === 0 ? -1 : 1) * step.x * 0.03 : 0)
      node.y = -row * step.y
      node.z = row * 0.002
      const host = below[Math.min(column, below.length - 1)]
      if (host) join(node, [node], host, 'resting', 0.002)
      here.push(node)
    }
    below = here
  }
  return [...nodes]
}

/** Lengths of the rows from the ground up, for so many things. */
function rowsOf(count: number): number[] {
  let longest = 1
  while ((longest * (longest + 1)) / 2 < count) longest++
  const rows: number[] = []
  for (let left = count, width = longest; left > 0; width = Math.max(1, width - 1)) {
    rows.push(Math.min(width, left))
    left -= width
  }
  return rows
}

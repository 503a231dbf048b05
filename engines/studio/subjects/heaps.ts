import type { Subject } from '../scene.ts'
import { nodeHeight, nodeWidth } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'

/** Largest number of things in a stack; in a higher stack, each would be too small to recognise. */
const mostStacked = 12

/** True for a subject whose copies lie on top of each other: "a stack of boxes", "oranges piled
 *  up", "a jar filled with marbles". */
export function isHeap({ looks, count, habitat }: Subject): boolean {
  const isLoose = habitat === 'ground' || habitat === 'surface'
  return (
    count > 1 && isLoose && (looks.includes('piled') || looks.includes('filling') || (looks.includes('stacked') && count <= mostStacked))
  )
}

/** Returns the copies, moved on top of each other: as one column ("stacked"), as layers in a
 *  container ("filling"), or as a heap in which each row has one copy less than the row below
 *  it. */
export function heaped(nodes: readonly Node[], looks: readonly string[]): Node[] {
  const isColumn = looks.includes('stacked') && !looks.includes('piled')
  const [base] = nodes
  if (!base) return []
  const widths = isColumn ? nodes.map(() => 1) : looks.includes('filling') ? layersOf(nodes.length) : rowsOf(nodes.length)
  const step = {
    x: nodeWidth(base) * 0.98,
    y: nodeHeight(base) * (isColumn ? (/hot-beverage|teacup/.test(base.item.subject.art) ? 0.66 : 0.9) : 0.86),
  }
  let index = 0
  for (const [row, width] of widths.entries()) {
    for (let column = 0; column < width && index < nodes.length; column++, index++) {
      const node = nodes[index]
      if (!node) continue
      node.unit = base.unit
      node.x = (column - (width - 1) / 2) * step.x + (isColumn ? (row % 2 === 0 ? -1 : 1) * step.x * 0.03 : 0)
      node.y = -row * step.y
      node.z = row * 0.002
      // A copy gets no `host`, although it lies on other copies: a copy with a host moves together
      // with its host. The heap's container also moves each copy, so the copy would be moved twice.
      if (row > 0) node.attachment = 'resting'
    }
  }
  return [...nodes]
}

/** Returns the number of things in each row of a heap, from the bottom up. */
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

/** Returns the number of things in each layer: alternately four and five; the last may have
 *  fewer. */
function layersOf(count: number): number[] {
  const rows: number[] = []
  for (let left = count; left > 0; left -= rows.at(-1) ?? 1) rows.push(Math.min(left, rows.length % 2 === 0 ? 4 : 5))
  return rows
}

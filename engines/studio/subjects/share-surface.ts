import { extentOf } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { middle, moveTo, rescale } from './node-moves.ts'

/** Places the things of several subjects on the same host (a cat and a dog on a sofa) side by side,
 *  in the order of the prompt. */
export function shareSurface(hosts: readonly Node[], all: readonly Node[]): void {
  for (const host of hosts) {
    const guests = all.filter(node => node.host === host && (node.attachment === 'resting' || node.attachment === 'inside'))
    const kinds = [...new Set(guests.map(node => node.item.subject.id))]
    if (kinds.length < 2) continue
    const place = host.item.anchors.top ?? { x: middle(host), width: (host.item.bounds.right - host.item.bounds.left) * 0.8 }
    const room = place.width * host.unit
    const shares = kinds.map(id => guests.filter(node => node.item.subject.id === id)).map(mine => ({ mine, extent: extentOf(mine) }))
    const wanted = shares.reduce((sum, { extent }) => sum + extent.right - extent.left, 0)
    // All things get the same factor: apples of two colours, which are two subjects, keep the same
    // size.
    const factor = Math.min(1, (room * 1.05) / wanted)
    let from = host.x + place.x * host.unit - room / 2
    for (const { mine, extent } of shares) {
      const width = ((extent.right - extent.left) / wanted) * room
      const center = from + width / 2
      from += width
      const old = (extent.left + extent.right) / 2
      const ground = Math.max(...mine.map(feetOf))
      for (const node of mine) {
        const foot = ground - (ground - feetOf(node)) * factor
        rescale(node, [...all], factor)
        moveTo(node, [...all], center + (node.x - old) * factor, foot - node.item.bounds.bottom * node.unit)
      }
    }
  }
}

function feetOf(node: Node): number {
  return node.y + node.item.bounds.bottom * node.unit
}

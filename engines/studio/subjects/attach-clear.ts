import { extentOf, nodeHeight, nodeWidth } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { join, middle, moveTo, rescale } from './node-moves.ts'

/** True for a thing (the host) in which a second thing is visible from outside: a birdcage, a
 *  spider web, or a thing of glass, ice or the like whose drawing has no opening. */
export function isClear({ item: { subject, anchors } }: Node): boolean {
  if (/birdcage|spider-web/.test(subject.art)) return true
  return anchors.opening === undefined && subject.looks.some(look => /^(glass|crystal|ice|jelly|water)$/.test(look))
}

/** Scales the nodes `own` (the copies of one subject) and moves them to the middle of a
 *  transparent host: a fly in amber, a ball in a glass box. The host is drawn over them; only a
 *  spider web is drawn behind them. `group` contains `own` and the nodes that stand on `own`;
 *  these nodes are moved as well. */
export function encase(host: Node, own: readonly Node[], group: Node[]): void {
  const { top, bottom } = host.item.bounds
  const extent = extentOf(own)
  const share = host.item.subject.art.includes('web') ? 0.4 : 0.56
  const factor = Math.min(
    (nodeWidth(host) * share) / (extent.right - extent.left),
    (nodeHeight(host) * share) / (extent.bottom - extent.top),
  )
  const from = { x: (extent.left + extent.right) / 2, y: (extent.top + extent.bottom) / 2 }
  for (const node of own) {
    const to = { x: host.x + middle(host) * host.unit, y: host.y + ((top + bottom) / 2) * host.unit }
    rescale(node, group, factor)
    moveTo(node, group, to.x + (node.x - from.x) * factor, to.y + (node.y - from.y) * factor)
    join(node, group, host, 'resting', share < 0.5 ? 0.004 : -0.004)
  }
}

import { nodeWidth } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { moveTo } from './node-moves.ts'

/** Returns the width, in relative lengths (see `Node`), over which several riders of one animal
 *  or thing (the host) are spread. It is most of the top of a bench; on a host without a top,
 *  such as a horse, it is 42 % of the width, so that the riders sit close together. */
export function seatRoom(host: Node): number {
  return host.item.anchors.top ? host.item.anchors.top.width * host.unit * 0.9 : nodeWidth(host) * 0.42
}

/** Places the riders of one host side by side, in the order of the prompt, when they belong to
 *  several subjects. Each subject was seated as if it were alone, so the riders of one subject
 *  would otherwise hide those of another. */
export function shareSeat(hosts: readonly Node[], all: Node[]): void {
  for (const host of hosts) {
    const riders = all.filter(node => node.host === host && node.attachment === 'riding')
    if (new Set(riders.map(({ item }) => item.subject.id)).size < 2) continue
    const room = Math.min(seatRoom(host), riders.length * Math.max(...riders.map(nodeWidth)) * 1.05)
    const middle = riders.reduce((sum, node) => sum + node.x, 0) / riders.length
    riders.forEach((node, index) => {
      moveTo(node, all, middle + ((index + 0.5) / riders.length - 0.5) * room, node.y)
    })
  }
}

/** Returns the point on the bearer's back at which a carried being is placed, in units: between
 *  hips and head, behind a bearer who faces right. Undefined for a drawing without hips or head. */
export function onBack({ item: { anchors } }: Node): { x: number; y: number } | undefined {
  const { hips, head } = anchors
  return hips && head ? { x: hips.x - head.width * 0.5, y: hips.y - (hips.y - head.y) * 0.4 } : undefined
}

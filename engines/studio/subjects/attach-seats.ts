import { nodeWidth } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { moveTo } from './node-moves.ts'

/** Returns the relative room on a seat: for a bench its width; on an animal, riders sit close
 *  together. */
export function seatRoom(host: Node): number {
  return host.item.anchors.top ? host.item.anchors.top.width * host.unit * 0.9 : nodeWidth(host) * 0.42
}

/** Places several kinds of riders on the same seat side by side, in the order of the prompt; each
 *  kind was seated separately before. */
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

/** Returns the position of a being that is carried on somebody's back: behind the waist of the
 *  bearer, who faces right; undefined when there is no back. */
export function onBack({ item: { anchors } }: Node): { x: number; y: number } | undefined {
  const { hips, head } = anchors
  return hips && head ? { x: hips.x - head.width * 0.5, y: hips.y - (hips.y - head.y) * 0.4 } : undefined
}

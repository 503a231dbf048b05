import { nodeWidth } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { moveTo } from './node-moves.ts'

/** Room along a seat, relative: a bench by its width, on an animal close together. */
export function seatRoom(host: Node): number {
  return host.item.anchors.top ? host.item.anchors.top.width * host.unit * 0.9 : nodeWidth(host) * 0.42
}

/** Several kinds of riders of one seat, each seated by themselves so far, side by side in the order they were named. */
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

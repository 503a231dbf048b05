import type { AttachInput } from './attach-near.ts'
import { extentOf, nodeHeight, nodeWidth } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { rescale, withRiders } from './node-moves.ts'
import { tableOf } from './person/posture.ts'

/** True when the subject to place (`child`) is a person who sits at the subject `host`, such as a
 *  table. */
export function sitsAt({ host, child }: AttachInput): boolean {
  return tableOf(child, { subjects: [host] }) !== undefined
}

/** Seats people at a table: the first two at its ends, facing each other, all others behind it. */
export function seatAtTable({ nodes, group, child }: AttachInput, hosts: Node[]): void {
  const sitters = group.filter(node => node.item.subject.id === child.id && node.host === undefined)
  const seated = nodes.filter(node => node.attachment === 'none' && !hosts.includes(node) && node.item.subject.person).length
  const tallest = Math.max(...sitters.map(nodeHeight))
  const table = extentOf(hosts)
  const factor = Math.min(1.4, Math.max(0.3, (tallest * 0.56) / (table.bottom - table.top)))
  for (const host of hosts) rescale(host, nodes, factor)
  const { left, right, top } = extentOf(hosts)
  const behind = sitters.length + seated - 2
  sitters.forEach((node, index) => {
    const place = index + seated
    const width = nodeWidth(node)
    const isEnd = place < 2
    const x = isEnd
      ? place === 0
        ? left - width * 0.1
        : right + width * 0.1
      : left + (right - left) * ((place - 1.5) / Math.max(1, behind))
    // A short person behind the table, such as a child, is placed so high that the head and
    // shoulders are visible above the table.
    const y = isEnd ? 0.004 : Math.min(-nodeHeight(node) * 0.06, top + nodeHeight(node) * 0.5)
    const shift = { x: x - node.x, y: y - node.y }
    for (const one of withRiders(node, group)) {
      one.x += shift.x
      one.y += shift.y
      one.z += y - node.z + (isEnd ? -0.01 : -0.06)
    }
  })
}

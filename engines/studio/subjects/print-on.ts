import { extentOf } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { join, middle } from './node-moves.ts'

/** Places the things `own`, with everything attached to them, as a flat print on other things,
 *  their hosts: on the text panel of a host that has one, else on the middle of the host. */
export function printOn(hosts: readonly Node[], own: readonly Node[], group: Node[]): void {
  const isEach = hosts.length > 1 && own.length === hosts.length && group.length === own.length
  if (isEach) for (const [index, node] of own.entries()) fit([node], group, hosts[index])
  else fit(group, group, hosts[0])
}

function fit(own: readonly Node[], group: Node[], host: Node | undefined): void {
  if (!host) return
  const box = host.item.bounds
  const width = box.right - box.left
  const height = box.bottom - box.top
  const isFilling = own.some(node => node.item.subject.looks.includes('filling'))
  const inside = { x: middle(host), y: box.top + height * 0.64, width: width * 0.7, height: height * 0.56 }
  const whole = isFilling
    ? inside
    : (host.item.anchors.panel ?? { x: middle(host), y: (box.top + box.bottom) / 2, width: width * 0.55, height: height * 0.5 })
  // On a thing with a caption, such as a poster, the print uses the upper part of the panel, and
  // the text the lower part.
  const panel = host.item.subject.looks.includes('captioned')
    ? { ...whole, y: whole.y - whole.height * 0.16, height: whole.height * 0.6 }
    : whole
  const extent = extentOf(own)
  const room = panel.width * host.unit
  // Some text panels are low, so the print can be somewhat higher than the panel.
  const tall = Math.max(panel.height * host.unit * 0.96, Math.min(room, height * host.unit) * 0.34)
  const factor = Math.min((room * 0.92) / (extent.right - extent.left), tall / (extent.bottom - extent.top))
  const from = { x: (extent.left + extent.right) / 2, y: (extent.top + extent.bottom) / 2 }
  const to = { x: host.x + panel.x * host.unit, y: host.y + panel.y * host.unit }
  for (const node of own) {
    node.x = to.x + (node.x - from.x) * factor
    node.y = to.y + (node.y - from.y) * factor
    node.unit *= factor
  }
  for (const node of own) if (!node.host) join(node, group, host, 'printed', 0.006)
}

import type { AttachInput } from './attach-near.ts'
import { cabinOf } from './cabins.ts'
import { nodeHeight } from './layout-sizes.ts'
import type { Node } from './layout-types.ts'
import { join, middle, moveTo, rescale } from './node-moves.ts'

/** Places people behind the windows of a vehicle or on its open back. Returns false and places
 *  nothing when the vehicle has no such places, or when the subject to place (`child`) is not a
 *  person who belongs there. */
export function board({ nodes, host, child, link, group }: AttachInput, hosts: readonly Node[]): boolean {
  const cabin = cabinOf(host, link.kind, child)
  if (!cabin) return false
  const { places } = cabin
  const own = group.filter(node => node.item.subject.id === child.id)
  own.forEach((node, index) => {
    const to = hosts[index % hosts.length]
    const seated = nodes.filter(other => other.host !== undefined && other.host === to && other.attachment === 'riding').length
    const turn = Math.floor(index / hosts.length) + seated
    const place = places[turn % places.length]
    if (!to || !place) return
    const { left, right, top, bottom } = to.item.bounds
    rescale(node, group, (place.height * (bottom - top) * to.unit) / nodeHeight(node))
    if (to.item.facing !== 'front' && node.item.facing !== 'front' && to.item.facing !== node.item.facing) node.flip = !node.flip
    // When there are more people than seats, each round of further people is shifted to the right
    // by 5 % of the vehicle's width, so that they appear between those already seated.
    const between = Math.floor(turn / places.length) * 0.05
    const x = to.x + (left + (right - left) * (place.x + between)) * to.unit
    const y = to.y + (top + (bottom - top) * place.sill) * to.unit
    moveTo(node, group, x - (node.flip ? -middle(node) : middle(node)) * node.unit, y - node.item.bounds.bottom * node.unit)
    join(node, group, to, 'riding', 0.01)
  })
  return own.length > 0
}

import type { Subject } from '../scene.ts'
import { nodeHeight, nodeWidth } from './layout-sizes.ts'
import type { Attachment, Node } from './layout-types.ts'

/** The share of a thing's height that the wall of a container hides when the thing is in the
 *  container. */
export const insideShare = 0.34

/** Makes things that carry or surround others (hosts) smaller until the tallest one is at most
 *  `limit` high: a tree over a fox, for example, then fits into the picture. */
export function limitHost(hosts: Node[], limit: number): void {
  const tallest = Math.max(...hosts.map(nodeHeight))
  if (tallest <= limit) return
  for (const host of hosts) host.unit *= limit / tallest
}

/** Attaches a copy of a subject (the node) to the copy that carries it (the host). The drawing
 *  order `z` of the node becomes that of the host plus `over`; everything attached to the node
 *  keeps its distance from the node in that order. */
export function join(node: Node, group: Node[], host: Node, attachment: Attachment, over: number): void {
  node.attachment = attachment
  node.host = host
  const lift = host.z + over - node.z
  for (const one of withRiders(node, group)) one.z += lift
}

/** Moves a node, with everything attached to it, so that its feet are at the point. */
export function moveTo(node: Node, group: Node[], x: number, y: number): void {
  const dx = x - node.x
  const dy = y - node.y
  for (const one of withRiders(node, group)) {
    one.x += dx
    one.y += dy
  }
}

/** Scales a node, with everything attached to it, around the middle of its feet. */
export function rescale(node: Node, group: Node[], factor: number): void {
  for (const one of withRiders(node, group)) {
    one.x = node.x + (one.x - node.x) * factor
    one.y = node.y + (one.y - node.y) * factor
    one.unit *= factor
  }
}

/** Returns the node and everything attached to it, directly or through another node: whatever rests
 *  on it, is held by it, or rides on it. */
export function withRiders(node: Node, group: readonly Node[]): Node[] {
  const found = new Set([node])
  for (let round = 0; round < 4; round++) {
    for (const one of group) if (one.host && found.has(one.host)) found.add(one)
  }
  return [...found]
}

/** Returns the x coordinate of the middle of the drawing, in units. */
export function middle(node: Node): number {
  return (node.item.bounds.left + node.item.bounds.right) / 2
}

/** True when the subject `host` is so much larger than the subject `child` that it is the place
 *  where the child is, as a castle is for a knight. */
export function isPlace(host: Subject, child: Subject): boolean {
  return host.habitat === 'ground' && host.heightMetres > 3 && host.heightMetres > 2.2 * child.heightMetres
}

/** Makes a ship, a wave, a branch or a rock smaller, so that whatever is on it is visible. */
export function limitHosts(kind: 'on' | 'in', hosts: Node[], own: readonly Node[]): void {
  const host = hosts[0]!
  const { art, habitat, size } = host.item.subject
  const highest = Math.max(...own.map(nodeHeight))
  if (habitat === 'water-surface') limitHost(hosts, highest * 3.2)
  if (art === 'drawn:wave') limitHost(hosts, highest * 1.8)
  // A surfboard is somewhat longer than its rider is tall.
  if (art === 'drawn:flat-surfboard') limitHost(hosts, (nodeHeight(host) * highest * own.length * 1.4) / nodeWidth(host))
  if (art === 'tree:branch') limitHost(hosts, highest * 0.75)
  if (kind === 'on' && /drawn:(rock|boulder)/.test(art) && size !== 'huge')
    limitHost(hosts, (nodeHeight(host) * Math.max(...own.map(nodeWidth)) * 1.5) / nodeWidth(host))
}

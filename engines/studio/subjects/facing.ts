import { boundsWidth } from './artwork.ts'
import { extentOf } from './layout-sizes.ts'
import type { Block, Node } from './layout-types.ts'
import { tableOf } from './person/posture.ts'
import type { PlacedBlock, Stage } from './stage.ts'

/** Mirrors the drawings of subjects so that they face the middle of the picture, each other, or the
 *  direction in which they move. Whatever is attached to a subject is mirrored with it. */
export function faceBlocks(stage: Stage, placed: readonly PlacedBlock[]): void {
  for (const one of placed) {
    const roots = one.block.nodes.filter(node => node.host === undefined)
    roots.forEach((node, index) => {
      const wanted = wantedDirection(stage, one, { node, index, roots })
      const current = node.item.facing === 'left' ? -1 : node.item.facing === 'right' ? 1 : 0
      const isTurned = current === 0 ? index % 2 === 1 && isMirrorable(node) : current !== wanted
      if (isTurned) mirror(node, one.block.nodes)
      if (fliesInwards(node, one.block.nodes, roots)) mirror(node, one.block.nodes)
    })
    swayAir(stage, one)
  }
}

/** True for one of several beings whose kite flies over the others: the strings would cross, and
 *  the tail would hide a face. */
function fliesInwards(node: Node, nodes: readonly Node[], roots: readonly Node[]): boolean {
  const kite = nodes.find(({ host, item }) => host === node && item.subject.art.includes('kite'))
  const others = roots.filter(other => other !== node)
  if (!kite || others.length === 0) return false
  const middle = others.reduce((sum, other) => sum + other.x, 0) / others.length
  return Math.sign(kite.x - node.x) === Math.sign(middle - node.x)
}

interface Turn {
  node: Node
  index: number
  roots: readonly Node[]
}

function wantedDirection(stage: Stage, { block, k, x }: PlacedBlock, { node, index, roots }: Turn): number {
  const { subject } = node.item
  const isApart = subject.looks.includes('back to back')
  const direction = directionOf(stage, { block, k, x }, { node, index, roots })
  return isApart ? -direction : direction
}

function directionOf(stage: Stage, { block, k, x }: Pick<PlacedBlock, 'block' | 'k' | 'x'>, { node, index, roots }: Turn): number {
  const { subject } = node.item
  const facing = subject.relations.find(relation => relation.kind === 'facing' || relation.kind === 'chasing' || relation.kind === 'around')
  const partner = facing && block.nodes.find(other => other !== node && other.item.subject.id === facing.of)
  if (partner) return (partner.x >= node.x ? 1 : -1) * (pulls(subject) ? -1 : 1)
  const pusher = roots.find(other => other !== node && other.item.subject.pose === 'pushing')
  if (pusher) return (node.x >= pusher.x ? 1 : -1) * (pulls(pusher.item.subject) ? -1 : 1)
  const table = tableOf(subject, stage.input.scene)
  const seat = table && roots.find(other => other.item.subject.id === table.id)
  if (seat) return seat.x + (seat.item.bounds.left + seat.item.bounds.right) * 0.5 * seat.unit >= node.x ? 1 : -1
  const chaser = roots.find(other =>
    other.item.subject.relations.some(relation => relation.kind === 'chasing' && relation.of === subject.id),
  )
  if (chaser) return chaser.x <= node.x ? 1 : -1
  const facedBy = roots.find(other =>
    other.item.subject.relations.some(relation => relation.kind === 'facing' && relation.of === subject.id),
  )
  if (facedBy) return facedBy.x >= node.x ? 1 : -1
  const same = roots.filter(other => other.item.subject.id === subject.id)
  if (same.length === 2 && isAnimate(subject.art)) return node.x <= Math.min(...same.map(other => other.x)) + 1e-9 ? 1 : -1
  if (same.length > 2) return groupDirection(stage, block, k, x)
  const neighbours = roots.filter(other => other !== node && isAnimate(other.item.subject.art))
  if (neighbours.length > 0 && index >= 0) {
    const center = neighbours.reduce((sum, other) => sum + other.x, 0) / neighbours.length
    return center >= node.x ? 1 : -1
  }
  const middle = (x + node.x * k) / stage.width
  if (Math.abs(middle - 0.5) < 0.02) return stage.input.random.fork(`face-${subject.id}`).next() < 0.5 ? -1 : 1
  return middle < 0.5 ? 1 : -1
}

/** True for a subject that pulls something and is not a person, usually a draught animal. Such
 *  an animal stands in front of the thing that it pulls, and faces away from that thing,
 *  although its relation to the thing is `facing`. */
function pulls({ looks, art }: Node['item']['subject']): boolean {
  return looks.includes('pulling') && art !== 'rig:person'
}

function groupDirection(stage: Stage, block: Block, k: number, x: number): number {
  const extent = extentOf(block.nodes)
  const middle = (x + ((extent.left + extent.right) / 2) * k) / stage.width
  if (Math.abs(middle - 0.5) < 0.08) return stage.input.random.fork(`face-${block.root.id}`).next() < 0.5 ? -1 : 1
  return middle < 0.5 ? 1 : -1
}

function isAnimate(art: string): boolean {
  return !art.startsWith('tree:') && !art.startsWith('drawn:')
}

/** True for trees and rigs (people and animals), which may be mirrored for variety; false for all
 *  other drawings, because they may show text or have a front. */
function isMirrorable(node: Node): boolean {
  return node.item.subject.art.startsWith('tree:') || node.item.subject.art.startsWith('rig:')
}

/** Mirrors one copy of a subject (a node) about the middle of its box, together with everything
 *  attached to it. An attached sign is moved but not mirrored, because of its text. */
function mirror(node: Node, nodes: readonly Node[]): void {
  const { left, right } = node.item.bounds
  const axis = node.x + ((left + right) / 2) * node.unit
  const moved = new Set<Node>([node])
  for (let round = 0; round < 4; round++) for (const one of nodes) if (one.host && moved.has(one.host)) moved.add(one)
  for (const one of moved) {
    one.x = 2 * axis - one.x
    one.flip = !one.flip
    if (one !== node && boundsWidth(one.item.bounds) > 0 && one.item.subject.art.startsWith('drawn:sign')) one.flip = false
  }
}

/** Tilts the things in the air slightly, each at random, when several of them belong to one block
 *  (a group that is placed as a whole). */
function swayAir(stage: Stage, { block }: PlacedBlock): void {
  if (block.lane !== 'air') return
  // The drawing of a broom is slanted; in flight it is rotated to lie horizontally under its rider.
  for (const node of block.nodes) if (node.item.subject.art.includes('broom')) node.tilt = node.flip ? -42 : 42
  const random = stage.input.random.fork(`sway-${block.root.id}`)
  for (const node of block.nodes)
    if (node.attachment === 'none' && node.tilt === 0 && block.nodes.length > 1) node.tilt = random.between(-7, 7)
}

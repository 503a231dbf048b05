import { buildBlocks } from './blocks.ts'
import { faceBlocks } from './facing.ts'
import { nodeExtent } from './layout-sizes.ts'
import type { Block, Box, Lane, LayoutInput, Node, PlacedSubject } from './layout-types.ts'
import { placeFree } from './place-free.ts'
import { placeRow, placeScenery } from './place-row.ts'
import { makeStage, type PlacedBlock, type Stage } from './stage.ts'

/** Returns the position of every copy of every subject, one for each item. Boxes are fractions of
 *  the picture, and equal at every size with the same aspect ratio; `order` is the drawing
 *  order. */
export function layoutScene(input: LayoutInput): PlacedSubject[] {
  const stage = makeStage(input)
  const blocks = buildBlocks(input)
  const standing = blocks.filter(block => isStanding(block) && !block.isBackground)
  const scenery = blocks.filter(block => isStanding(block) && block.isBackground).flatMap(spread)
  const floating = blocks.filter(block => !isStanding(block))
  if (floating.some(block => block.lane === 'air' && !block.isBackground)) stage.clearTop = 0.26
  const placed = [...placeRow(stage, standing), ...placeScenery(stage, scenery), ...placeFree(stage, floating, standing.length > 0)]
  faceBlocks(stage, placed)
  return toResults(stage, placed)
}

function isStanding(block: Block): boolean {
  return block.lane === 'ground' || block.lane === 'water'
}

/** Splits a block of scenery (a group that is placed as a whole) into one block for each copy. Each
 *  copy gets its own place, so that trees frame the picture instead of forming a group. */
function spread(block: Block): Block[] {
  const roots = block.nodes.filter(node => node.attachment === 'none' && node.item.subject.id === block.root.id)
  if (roots.length !== block.nodes.length || roots.length === 1) return [block]
  return roots.map(node => ({ ...block, nodes: [{ ...node, x: 0, y: 0, z: 0 }] }))
}

const layers: Record<Lane, number> = { sky: 0, wall: 1, air: 2, underwater: 3, water: 3, ground: 3 }

function toResults(stage: Stage, placed: readonly PlacedBlock[]): PlacedSubject[] {
  const results: { result: PlacedSubject; key: number }[] = []
  for (const one of placed) {
    for (const node of one.block.nodes) results.push({ result: toPlaced(stage, one, node), key: sortKey(stage, one, node) })
  }
  results.sort((a, b) => a.key - b.key)
  return results.map(({ result }, index) => ({ ...result, order: index }))
}

/** Returns the sort key of the drawing order: nodes with a lower key are drawn earlier. The layers
 *  come first (the sky before the ground), then the distance, then the order within the block. A
 *  block in the air or under water counts as far away. */
function sortKey(stage: Stage, { block, k, y }: PlacedBlock, node: Node): number {
  const anchor = block.lane === 'air' || block.lane === 'underwater' ? y * 0.2 : y
  return layers[block.lane] * 10 + (anchor + node.z * k) / stage.height
}

function toPlaced(stage: Stage, { block, k, x, y }: PlacedBlock, node: Node): PlacedSubject {
  const extent = nodeExtent(node)
  const box = keepInside({
    x: (x + extent.left * k) / stage.width,
    y: (y + extent.top * k) / stage.height,
    width: ((extent.right - extent.left) * k) / stage.width,
    height: ((extent.bottom - extent.top) * k) / stage.height,
  })
  const feet = y + node.y * k
  const root = rootOf(node)
  // The height at which a hovering thing is drawn does not tell how far away it is. The depth of
  // the thing is that of the baseline of its block.
  const ground = root.attachment === 'aloft' ? y : y + root.y * k
  const depth = Math.min(1, Math.max(0, (stage.nearY - ground) / Math.max(1, stage.nearY - stage.farY)))
  return {
    subject: node.item.subject.id,
    copy: node.item.copy,
    box,
    baseline: feet / stage.height,
    depth: isStanding(block) ? depth : block.lane === 'sky' ? 1 : 0.35,
    flip: node.flip,
    lane: block.lane === 'ground' && node.item.subject.habitat === 'air' && node.attachment === 'none' ? 'air' : block.lane,
    attachment: node.attachment,
    ...(node.host ? { host: { subject: node.host.item.subject.id, copy: node.host.item.copy } } : {}),
    order: 0,
    unit: (node.unit * k) / stage.height,
    tilt: node.tilt,
  }
}

function rootOf(node: Node): Node {
  let current = node
  for (let step = 0; step < 8 && current.host; step++) current = current.host
  return current
}

/** Moves a box back into the picture when rounding or random variation has moved it beyond an edge;
 *  a box larger than the picture is centred. */
function keepInside(box: Box): Box {
  const fit = (start: number, length: number) => (length >= 1 ? (1 - length) / 2 : Math.min(Math.max(start, 0), 1 - length))
  return { ...box, x: fit(box.x, box.width), y: fit(box.y, box.height) }
}

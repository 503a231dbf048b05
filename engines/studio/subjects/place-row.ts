import { mostApart } from './formation.ts'
import { extentOf, findHero, isPlaceLike, isTerrainArt, nodeHeight, realHeight } from './layout-sizes.ts'
import type { Block } from './layout-types.ts'
import { type PlacedBlock, perspective, placedExtent, type Stage, wishedX } from './stage.ts'
import { openWater } from './water.ts'

/** Places the foreground blocks (groups of subjects that are placed as a whole) that stand on the
 *  ground or float on water, side by side around the main subject. All blocks get the same scale,
 *  the largest at which they fit into the picture and the main subject does not become too
 *  large. */
export function placeRow(stage: Stage, blocks: readonly Block[]): PlacedBlock[] {
  if (blocks.length === 0) return []
  const ranks = intoRanks(stage, arrange(blocks))
  const scale = Math.min(...ranks.map(rank => fitScale(stage, rank)))
  const placed = ranks.flatMap((rank, index) => placeRank(stage, rank, scale, index))
  for (const one of placed) stage.taken.push(placedExtent(one))
  return placed
}

/** Sorts blocks from left to right. A block whose place the prompt requests goes to that place.
 *  Among the other blocks, the first one in the prompt is in the middle, and the following ones
 *  are added at the left and right end alternately; two blocks stay in the order of the prompt. */
function arrange(blocks: readonly Block[]): Block[] {
  const line: Block[] = []
  for (const [index, block] of blocks.entries()) {
    if (index % 2 === 0) line.push(block)
    else line.unshift(block)
  }
  const natural = blocks.length === 2 ? [...blocks] : line
  const position = (block: Block) => wishedX(block) ?? (natural.indexOf(block) + 0.5) / natural.length
  return [...natural].sort((a, b) => position(a) - position(b))
}

/** Divides four or more blocks into two rows when one row would be too wide; the taller ones form
 *  the back row. In one row, all would have to be smaller. */
function intoRanks(stage: Stage, line: readonly Block[]): Block[][] {
  const total = line.reduce((sum, block) => sum + widthOf(block), 0) * heroScale(stage, line)
  if (line.length < 4 || total < stage.width * 1.05) return [[...line]]
  const byHeight = [...line].sort((a, b) => extentOf(a.nodes).top - extentOf(b.nodes).top)
  const back = new Set(byHeight.slice(0, Math.floor(line.length / 2)))
  return [line.filter(block => back.has(block)), line.filter(block => !back.has(block))]
}

function widthOf(block: Block): number {
  const extent = extentOf(block.nodes)
  return extent.right - extent.left
}

function gapOf(stage: Stage): number {
  return stage.width / stage.height > 2.2 ? 0.3 : 0.12
}

/** Returns the scale at which the main subject has its target height. When the main subject is not
 *  in this row, the scale applies to the main one among the subjects of the row. */
function heroScale(stage: Stage, line: readonly Block[]): number {
  const nodes = line.flatMap(block => block.nodes)
  const present = stage.input.scene.subjects.filter(subject => nodes.some(node => node.item.subject.id === subject.id))
  const hero = findHero(present)
  const heroNode = nodes.find(node => node.item.subject.id === hero?.id)
  // A tree or a house can be higher than the target. A fox or a person needs free space above the
  // head.
  const share = hero && realHeight(hero) > 4 ? 1.34 : isLoneAndNarrow(line) ? 1.26 : 1
  return (
    (stage.heroHeight * share) /
    Math.max(0.05, heroNode ? Math.max(nodeHeight(heroNode), heroNode.item.isCropped ? 0 : heroNode.unit * 62) : 1)
  )
}

/** True for a single person or bottle, which would cover little of the picture at the usual
 *  height. */
function isLoneAndNarrow(line: readonly Block[]): boolean {
  const [only] = line
  if (!only || line.length > 1 || only.nodes.length > 1) return false
  const { left, right, top, bottom } = extentOf(only.nodes)
  return right - left < (bottom - top) * 0.62
}

function baseline(stage: Stage, rank: number): number {
  if (stage.input.items.some(item => item.isCropped)) return stage.height
  const isFromAbove = stage.input.environment.horizonY < 0
  const closeness = stage.input.scene.camera.framing === 'close-up' || isFromAbove ? 0.85 : 0.66
  return stage.farY + (stage.nearY - stage.farY) * (rank === 0 ? closeness : Math.min(1, closeness + 0.3))
}

/** Returns the largest scale at which boats fit on a narrow lake; infinite when the water is not
 *  narrow. A larger hull would extend onto the shore. */
function pondScale(stage: Stage, rank: readonly Block[]): number {
  const water = openWater(stage.input.environment)
  if (!water || water.bottomY - water.topY > stage.height * 0.3) return Number.POSITIVE_INFINITY
  const depth = water.bottomY - water.topY
  const afloat = rank.filter(block => block.lane === 'water' && block.root.art !== 'drawn:lily-pad').map(block => extentOf(block.nodes))
  return Math.min(
    ...afloat.map(extent => (depth * 2.2) / -extent.top),
    ...afloat.map(extent => (stage.width * 0.5) / (extent.right - extent.left)),
  )
}

/** Returns the baseline for boats. The baseline is moved from `y` onto the open water when `y` lies
 *  on the shore. */
function waterBaseline(stage: Stage, y: number): number {
  const water = openWater(stage.input.environment)
  if (!water) return y
  const depth = water.bottomY - water.topY
  return Math.min(Math.max(y, water.topY + depth * 0.25), water.bottomY - depth * (depth < stage.height * 0.3 ? 0.34 : 0.16))
}

function fitScale(stage: Stage, rank: readonly Block[]): number {
  const widths = rank.reduce((sum, block) => sum + widthOf(block) * (1 + gapOf(stage)), 0)
  // A single block normally gets 90 % of the picture's width. The block gets only half of the width
  // when the prompt also names a building, which needs room beside it.
  const alone = hasNamedPlace(stage, rank) ? 0.5 : 0.9
  const byWidth = (stage.width * (rank.length === 1 ? alone : 0.93)) / widths
  const tallest = Math.max(...rank.map(block => -extentOf(block.nodes).top))
  const line = rank.some(block => block.lane === 'water') ? waterBaseline(stage, baseline(stage, 0)) : baseline(stage, 0)
  const byHeight = (line - stage.height * stage.clearTop) / tallest
  return Math.min(byWidth, byHeight, heroScale(stage, rank), pondScale(stage, rank), depthScale(stage, rank))
}

/** Returns the largest scale at which all rows of a group fit on the ground, one behind the other.
 *  At a larger scale, the rows would be pushed together and the front row would hide the back
 *  row. */
function depthScale(stage: Stage, rank: readonly Block[]): number {
  const deepest = Math.max(0, ...rank.map(backOf))
  return deepest > 0 ? ((stage.nearY - stage.farY) * 0.97) / deepest : Number.POSITIVE_INFINITY
}

/** Returns the distance between the front and the last row of a group of up to nine copies, in
 *  relative lengths (see `Node`); 0 for larger groups. */
function backOf(block: Block): number {
  const own = block.nodes.filter(node => node.attachment === 'none' && node.item.subject.id === block.root.id)
  return own.length > 1 && own.length <= mostApart ? -Math.min(0, ...own.map(node => node.y)) : 0
}

function hasNamedPlace(stage: Stage, rank: readonly Block[]): boolean {
  const own = new Set(rank.flatMap(block => block.nodes.map(node => node.item.subject.id)))
  const { subjects } = stage.input.scene
  return subjects.some(
    subject => !own.has(subject.id) && !subject.isBackground && !subject.art.startsWith('tree:') && isPlaceLike(subject, subjects),
  )
}

function placeRank(stage: Stage, rank: readonly Block[], scale: number, index: number): PlacedBlock[] {
  const deepest = Math.max(0, ...rank.map(backOf)) * scale
  // For a portrait, `baseline` is the lower edge of the picture, which is lower than any row of the
  // ground.
  const y = Math.max(baseline(stage, index), Math.min(stage.nearY, stage.farY + deepest))
  const widths = rank.map(block => widthOf(block) * scale)
  const total = widths.reduce((sum, width) => sum + width, 0)
  const spare = stage.width * 0.94 - total
  const meanWidth = total / rank.length
  const isWide = stage.width / stage.height > 2.2
  const gap = Math.max(0, Math.min(spare / (rank.length + (isWide ? 1 : 0)), meanWidth * (isWide ? 4 : index > 0 ? 1.1 : 0.28)))
  const start = rowStart(stage, rank, total + gap * (rank.length - 1))
  let left = start
  return rank.map((block, position) => {
    const extent = extentOf(block.nodes)
    const x = left - extent.left * scale
    left += (widths[position] ?? 0) + gap
    const waterLine = block.lane === 'water' ? waterBaseline(stage, y) : y
    const lift = rank.length > 1 ? ((position % 2 === 0 ? 0.04 : -0.07) - (index === 0 ? 0.02 : 0)) * (stage.nearY - stage.farY) : 0
    return settleDepth(stage, { block, k: scale, x, y: waterLine + lift })
  })
}

/** Returns the x coordinate of the left end of a row. A single block is placed off centre, to one
 *  side at random; it later faces the larger part of the picture. Several blocks are centred. A
 *  place that the prompt requests has priority. */
function rowStart(stage: Stage, rank: readonly Block[], width: number): number {
  const margin = stage.width * 0.03
  const only = rank.length === 1 ? rank[0] : undefined
  const wish = only ? wishedX(only) : undefined
  const seedShift = stage.input.random.fork('row').between(-1, 1)
  const spread = Math.min(0.09, Math.max(0, (stage.width - width) / stage.width / 4))
  const center = (wish ?? 0.5 + (only ? Math.sign(seedShift) * (0.4 + Math.abs(seedShift) * 0.6) * spread : 0)) * stage.width
  return Math.min(Math.max(center - width / 2, margin), Math.max(margin, stage.width - width - margin))
}

/** Returns the same block. The back rows of copies in the block are moved forwards when they would
 *  stand beyond the far end of the ground. */
function settleDepth(stage: Stage, placed: PlacedBlock): PlacedBlock {
  const rows = placed.block.nodes.filter(node => node.attachment === 'none').map(node => node.y)
  const back = Math.min(0, ...rows) * placed.k
  const room = Math.max(1, placed.y - stage.farY)
  if (-back > room) {
    const squeeze = room / -back
    for (const node of placed.block.nodes) if (node.y < 0 && node.attachment === 'none' && node.z < 0) node.y *= squeeze
  }
  return placed
}

/** Places scenery behind the other blocks: spread over the width at the back of the ground, and
 *  smaller by perspective. */
export function placeScenery(stage: Stage, blocks: readonly Block[]): PlacedBlock[] {
  const placed: PlacedBlock[] = []
  const total = blocks.reduce((sum, block) => sum + block.nodes.length, 0)
  let turn = 0
  for (const block of blocks) {
    const random = stage.input.random.fork(`scenery-${block.root.id}`)
    const extent = extentOf(block.nodes)
    const y = sceneryRow(stage, block, random.between(0.05, 0.22))
    const wanted = stage.heroHeight * perspective(stage, y, baseline(stage, 0)) * (extent.bottom - extent.top)
    const height = Math.min(Math.max(wanted, stage.height * 0.14), y - stage.height * 0.05, stage.height * 0.6)
    const k = Math.min(height / (extent.bottom - extent.top), (stage.width * 0.9) / (extent.right - extent.left))
    const size = { width: (extent.right - extent.left) * k, height: (extent.bottom - extent.top) * k }
    const x = sceneryX(stage, block, { size, y, at: (turn + 0.5) / total, extent, k })
    turn += block.nodes.length
    const one = { block, k, x, y }
    stage.taken.push(placedExtent(one))
    placed.push(one)
  }
  return placed
}

/** Returns the pixel row on which scenery stands: the horizon for mountains; for trees and houses,
 *  a row slightly nearer. */
function sceneryRow(stage: Stage, block: Block, depth: number): number {
  if (isTerrainArt(block.root.art)) return Math.min(stage.farY, stage.input.environment.horizonY + stage.height * 0.012)
  return stage.farY + (stage.nearY - stage.farY) * depth
}

interface ScenerySpot {
  size: { width: number; height: number }
  y: number
  at: number
  extent: { left: number; right: number }
  k: number
}

function sceneryX(stage: Stage, block: Block, spot: ScenerySpot): number {
  const half = spot.size.width / 2
  const wish = wishedX(block)
  const center = (spot.extent.left + spot.extent.right) / 2
  const candidates = wish === undefined ? Array.from({ length: 17 }, (_, index) => (index + 0.5) / 17) : [wish]
  let best = 0.5
  let bestCost = Infinity
  for (const at of candidates) {
    const x = Math.min(Math.max(at * stage.width, half + stage.width * 0.01), stage.width - half - stage.width * 0.01)
    const box = { left: x - half, right: x + half, top: spot.y - spot.size.height, bottom: spot.y }
    const covered = stage.taken.reduce((sum, other) => {
      const width = Math.min(box.right, other.right) - Math.max(box.left, other.left)
      return sum + Math.max(0, width) / spot.size.width
    }, 0)
    const cost = covered + Math.abs(at - spot.at) * 0.3 + Math.abs(at - 0.5) * 0.1
    if (cost < bestCost) {
      bestCost = cost
      best = x
    }
  }
  return best - center * spot.k
}

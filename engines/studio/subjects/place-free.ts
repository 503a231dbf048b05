import { extentOf } from './layout-sizes.ts'
import type { Block, Extent } from './layout-types.ts'
import { coveredShare, findSpot, type PlacedBlock, placedExtent, type Stage, wishedX, wishedY } from './stage.ts'

/** Places the blocks (groups of subjects that are placed as a whole) that do not stand on the
 *  ground: those in the air, under water, in the sky and on a wall. Each block gets the place in
 *  its region at which it hides the least of other blocks. */
export function placeFree(stage: Stage, blocks: readonly Block[], hasStanding: boolean): PlacedBlock[] {
  const placed: PlacedBlock[] = []
  const order = [...blocks].sort((a, b) => Number(a.lane === 'sky') - Number(b.lane === 'sky'))
  for (const block of order) {
    const one = placeOne(stage, block, { share: order.filter(other => other.lane !== 'sky').length, hasStanding, index: placed.length })
    stage.taken.push(placedExtent(one))
    placed.push(one)
  }
  return placed
}

interface FreeContext {
  /** Number of the blocks that are not in the sky. */
  share: number
  hasStanding: boolean
  index: number
}

function placeOne(stage: Stage, block: Block, context: FreeContext): PlacedBlock {
  const region = regionOf(stage, block, context.hasStanding)
  const own = extentOf(block.nodes)
  const width = own.right - own.left
  const height = own.bottom - own.top
  const regionWidth = region.right - region.left
  const regionHeight = region.bottom - region.top
  const crowd = context.share > 1 ? 0.62 : 0.92
  const limit = Math.min((regionWidth * crowd) / width, (regionHeight * (context.share > 2 ? 0.6 : 0.92)) / height)
  const wanted = Math.min(wantedScale(stage, block, { height, width, hasStanding: context.hasStanding, share: context.share }), limit)
  const random = stage.input.random.fork(`free-${block.root.id}`)
  const sideways = context.share > 1 ? (context.index % 2 === 0 ? 0.3 : 0.7) : context.hasStanding ? random.pick([0.3, 0.5, 0.7]) : 0.5
  const skyward = block.lane === 'sky' ? { x: block.root.art === 'drawn:rainbow' ? 0.5 : random.pick([0.2, 0.8]), y: 0.16 } : undefined
  const prefer = {
    x: (wishedX(block) ?? skyward?.x ?? sideways) * stage.width,
    y:
      skyward && wishedY(block) === undefined
        ? skyward.y * stage.height
        : (wishedY(block) ?? (region.top + regionHeight * 0.45) / stage.height) * stage.height,
  }
  const spotAt = (scale: number) => {
    const size = { width: width * scale, height: height * scale }
    const spot = findSpot(stage, size, block.root.place ? narrow(region, prefer, size, block) : region, prefer)
    return { spot, scale, covered: coveredShare(stage, size, spot) }
  }
  // A block (a group of things placed together) in the air that would cover other things is made
  // smaller, down to half its size.
  const tries = [1, 0.8, 0.65, 0.5].map(factor => () => spotAt(wanted * factor))
  let best = spotAt(wanted)
  for (const next of block.lane === 'air' ? tries : []) {
    if (best.covered < 0.06) break
    best = next()
  }
  const { spot, scale: k } = best
  return { block, k, x: spot.x - ((own.left + own.right) / 2) * k, y: spot.y - ((own.top + own.bottom) / 2) * k }
}

/** Restricts the region in which a block can be placed to the place that the prompt requests
 *  (`prefer`), horizontally, vertically or both. */
function narrow(region: Extent, prefer: { x: number; y: number }, size: { width: number; height: number }, block: Block): Extent {
  const result = { ...region }
  if (block.root.place?.horizontal) {
    const x = Math.min(Math.max(prefer.x, region.left + size.width / 2), region.right - size.width / 2)
    result.left = x - size.width / 2
    result.right = x + size.width / 2
  }
  if (block.root.place?.vertical) {
    const y = Math.min(Math.max(prefer.y, region.top + size.height / 2), region.bottom - size.height / 2)
    result.top = y - size.height / 2
    result.bottom = y + size.height / 2
  }
  return result
}

function regionOf(stage: Stage, block: Block, hasStanding: boolean): Extent {
  const { width, height } = stage
  const horizon = stage.input.environment.horizonY
  const sides = { left: width * 0.04, right: width * 0.96 }
  const isVoid = stage.input.environment.floor === 'void' || stage.input.environment.floor === 'none'
  switch (block.lane) {
    case 'underwater':
      return { ...sides, top: height * 0.09, bottom: height * (hasStanding ? 0.7 : 0.84) }
    case 'sky':
      return { ...sides, top: height * 0.05, bottom: Math.max(height * 0.35, Math.min(horizon * 0.8, height * 0.5)) }
    case 'wall':
      // When the prompt has a text for the wall, the upper third of the wall is kept free for it.
      return {
        ...sides,
        top: height * (stage.input.scene.letterings.some(({ onPlace }) => onPlace) ? 0.34 : 0.08),
        bottom: Math.max(height * 0.4, horizon * 0.88),
      }
    default:
      if (isVoid) return { ...sides, top: height * 0.06, bottom: height * 0.94 }
      return {
        ...sides,
        top: height * 0.05,
        bottom: hasStanding ? Math.max(height * 0.55, horizon * 1.02) : Math.max(height * 0.72, horizon * 1.05),
      }
  }
}

/** Returns the height of a thing in the sky, as a share of the picture's short side. */
function skyShare(block: Block): number {
  const { art, heightMetres } = block.root
  if (art === 'drawn:rainbow') return 0.42
  if (/balloon|airship|floating-island|biplane|airplane|helicopter|galaxy/.test(art)) return 0.3
  if (art === 'drawn:fireworks') return 0.52
  return heightMetres > 1e7 ? 0.26 : 0.17
}

function wantedScale(stage: Stage, block: Block, size: { height: number; width: number; hasStanding: boolean; share: number }): number {
  const short = Math.min(stage.width, stage.height)
  const count = block.nodes.filter(node => node.attachment === 'none').length
  if (block.lane === 'sky') {
    const factor = { tiny: 0.5, small: 0.75, normal: 1, large: 1.7, huge: 2.6 }[block.root.size]
    return (short * skyShare(block) * factor) / (size.height / Math.sqrt(count))
  }
  // When several single subjects share the region, all get the same scale, so that their relative
  // sizes are kept.
  if (!size.hasStanding && size.share > 1 && count === 1) return Math.max(stage.heroHeight * 1.05, (short * 0.1) / size.height)
  if (!size.hasStanding)
    return count === 1 ? (stage.heroHeight * 1.05) / size.height : (short * 0.86) / Math.max(size.height, size.width * 0.8)
  const natural = stage.heroHeight
  const most = (short * (count === 1 ? 0.34 : 0.5)) / size.height
  const least = (short * (count === 1 ? 0.1 : 0.2)) / size.height
  return Math.min(Math.max(natural, least), most)
}

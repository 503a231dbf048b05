import type { Framing } from '../scene.ts'
import { extentOf } from './layout-sizes.ts'
import type { Block, Extent, LayoutInput } from './layout-types.ts'

/** Measures of the picture that all steps of the layout share; lengths are in pixels. */
export interface Stage {
  input: LayoutInput
  width: number
  height: number
  farY: number
  nearY: number
  /** Target height of the main subject. */
  heroHeight: number
  /** Share of the picture's height that stays free above standing things. */
  clearTop: number
  /** Boxes of the blocks that are already placed. */
  taken: Extent[]
}

/** A block (a group of subjects that is placed as a whole) with its position: `k` is pixels per
 *  relative length, `x` and `y` the origin of the block in pixels. */
export interface PlacedBlock {
  block: Block
  k: number
  x: number
  y: number
}

const heroShare: Record<Framing, number> = { 'close-up': 0.76, medium: 0.62, full: 0.5, wide: 0.34, panorama: 0.36 }

/** Target heights of the main subject on a blank background, as shares of the picture. The heights
 *  are larger than in a scene, because nothing else fills the picture. */
const sheetShare: Record<Framing, number> = { ...heroShare, 'close-up': 0.8, medium: 0.74, full: 0.66 }

export function makeStage(input: LayoutInput): Stage {
  const { width, height, environment, scene } = input
  const reference = Math.min(height, width * 1.25)
  const { farY, nearY } = environment.ground
  return {
    input,
    width,
    height,
    farY: Math.min(farY, height * 0.9),
    nearY: Math.min(height * 0.97, Math.max(nearY, farY + 1)),
    heroHeight:
      reference *
      (input.items.some(item => item.isCropped) ? 0.8 : (scene.setting.kind === 'backdrop' ? sheetShare : heroShare)[scene.camera.framing]),
    clearTop: 0.035,
    taken: [],
  }
}

/** Returns how large a thing on pixel row `y` is drawn, compared with the same thing on row `from`.
 *  As in picture books, distance reduces sizes less than in a photograph. */
export function perspective(stage: Stage, y: number, from: number): number {
  const { pixelsPerMetre } = stage.input.environment
  const base = pixelsPerMetre(from)
  const ratio = base > 0 ? pixelsPerMetre(y) / base : 1
  return Math.min(1.5, Math.max(0.3, ratio ** 0.8))
}

export function placedExtent({ block, k, x, y }: PlacedBlock): Extent {
  const own = extentOf(block.nodes)
  return { left: x + own.left * k, right: x + own.right * k, top: y + own.top * k, bottom: y + own.bottom * k }
}

function overlapArea(a: Extent, b: Extent): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return width > 0 && height > 0 ? width * height : 0
}

/** Returns the share of a box around the point `at` that placed blocks cover: 0 when it is free,
 *  and more than 1 when several overlap there. */
export function coveredShare({ taken }: Stage, { width, height }: { width: number; height: number }, at: { x: number; y: number }): number {
  const box = { left: at.x - width / 2, right: at.x + width / 2, top: at.y - height / 2, bottom: at.y + height / 2 }
  return taken.reduce((sum, other) => sum + overlapArea(box, other), 0) / (width * height)
}

/** Returns the centre of the best place in a region for a thing of this size: the thing covers
 *  little there, and the place is near `prefer`. Free space counts more than nearness. */
export function findSpot(
  stage: Stage,
  size: { width: number; height: number },
  region: Extent,
  prefer: { x: number; y: number },
): { x: number; y: number } {
  const halfWidth = size.width / 2
  const halfHeight = size.height / 2
  const spanX = Math.max(0, region.right - region.left - size.width)
  const spanY = Math.max(0, region.bottom - region.top - size.height)
  let best = { x: region.left + halfWidth + spanX / 2, y: region.top + halfHeight + spanY / 2 }
  let bestCost = Infinity
  for (let row = 0; row <= 8; row++) {
    for (let column = 0; column <= 12; column++) {
      const x = region.left + halfWidth + (spanX * column) / 12
      const y = region.top + halfHeight + (spanY * row) / 8
      const box = { left: x - halfWidth * 1.1, right: x + halfWidth * 1.1, top: y - halfHeight * 1.1, bottom: y + halfHeight * 1.1 }
      const covered = stage.taken.reduce((sum, other) => sum + overlapArea(box, other), 0) / (size.width * size.height)
      const distance = Math.hypot((x - prefer.x) / stage.width, (y - prefer.y) / stage.height)
      const cost = covered * 4 + distance
      if (cost < bestCost) {
        bestCost = cost
        best = { x, y }
      }
    }
  }
  return best
}

/** Returns the horizontal position that the prompt requests for a block, as a fraction of the
 *  picture's width; undefined when it requests none. */
export function wishedX(block: Block): number | undefined {
  switch (block.root.place?.horizontal) {
    case 'left':
      return 0.22
    case 'center':
      return 0.5
    case 'right':
      return 0.78
    default:
      return undefined
  }
}

export function wishedY(block: Block): number | undefined {
  switch (block.root.place?.vertical) {
    case 'top':
      return 0.18
    case 'middle':
      return 0.48
    case 'bottom':
      return 0.8
    default:
      return undefined
  }
}

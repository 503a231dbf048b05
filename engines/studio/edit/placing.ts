import type { Random } from '../drawing.ts'
import type { FramePlace, RelationKind, Subject } from '../scene.ts'
import { type Raster, shortSide } from '../style/pixels.ts'
import type { Rectangle } from './geometry.ts'

interface PlacingTask {
  subject: Subject
  /** Index of this copy among the subject's copies, from 0. */
  copy: number
  place: FramePlace | undefined
  relation: RelationKind | undefined
  /** Box in pixels of the existing object beside which the new subject is placed; undefined when
   *  the instruction names none. */
  anchor: Rectangle | undefined
  /** Boxes in pixels of the subjects that this edit has already added. */
  taken: readonly Rectangle[]
  random: Random
}

/** Position and size of a new subject, in pixels: `x` is its horizontal middle, `bottom` the row of
 *  its feet. */
interface Spot {
  x: number
  bottom: number
  height: number
}

const sizeFactor = { tiny: 0.4, small: 0.65, normal: 1, large: 1.4, huge: 1.9 } as const

/** Returns the position and size of a new subject in a picture that the studio did not draw. The
 *  subject is placed beside the object that the instruction names (`anchor`), or at the named
 *  position in the frame, or else where the ground or sky is free. */
export function placeSprite(raster: Raster, task: PlacingTask): Spot {
  const height = spriteHeight(raster, task)
  if (task.anchor && task.relation) return byAnchor(raster, task.anchor, { ...task, height })
  const { width } = raster
  const air = task.subject.habitat === 'air' || task.subject.habitat === 'sky' || task.subject.habitat === 'space'
  const bottom = verticalPlace(raster, { place: task.place, air, height, copy: task.copy, random: task.random })
  const side = task.place?.horizontal
  const spread = Math.min(width * 0.2, height * 0.9) * Math.ceil(task.copy / 2) * (task.copy % 2 ? 1 : -1)
  if (side) return { x: (side === 'left' ? 0.2 : side === 'right' ? 0.8 : 0.5) * width + spread, bottom, height }
  return { x: freeColumn(raster, task.taken, { bottom, height, random: task.random }), bottom, height }
}

function spriteHeight(raster: Raster, task: PlacingTask): number {
  const { subject, anchor, relation } = task
  const factor = sizeFactor[subject.size]
  if (anchor && (relation === 'wearing' || relation === 'holding' || relation === 'carrying')) return anchor.height * 0.26 * factor
  // The size grows with the square root of the real height: in proportion to the real height, a
  // mouse would be too small to see and a house larger than the picture.
  const natural = Math.min(0.62, Math.max(0.1, 0.3 * Math.sqrt(subject.heightMetres / 1.2)))
  const crowd = 1 / (1 + 0.12 * Math.min(8, subject.count - 1))
  const depth = task.place?.depth === 'far' ? 0.55 : task.place?.depth === 'near' ? 1.25 : 1
  const requested = shortSide(raster) * natural * factor * crowd * depth
  return anchor && relation === 'on' ? Math.min(requested, anchor.height * 0.8) : requested
}

function verticalPlace(
  raster: Raster,
  at: { place: FramePlace | undefined; air: boolean; height: number; copy: number; random: Random },
): number {
  const { height } = raster
  const jitter = at.random.between(-0.02, 0.02) * height
  switch (at.place?.vertical) {
    case 'top':
      return Math.max(at.height + height * 0.03, height * 0.3) + jitter
    case 'middle':
      return height / 2 + at.height / 2 + jitter
    case 'bottom':
      return height * 0.96
    default:
      if (at.air) return Math.max(at.height + height * 0.05, height * (0.3 + 0.06 * (at.copy % 3))) + jitter
      return height * (at.place?.depth === 'far' ? 0.7 : 0.92) + jitter
  }
}

function byAnchor(raster: Raster, anchor: Rectangle, task: PlacingTask & { height: number }): Spot {
  const { height, copy } = task
  const middle = anchor.x + anchor.width / 2
  const foot = anchor.y + anchor.height
  const shift = copy * height * 0.85
  switch (task.relation) {
    case 'on':
    case 'riding':
      return { x: middle + shift, bottom: anchor.y + Math.min(anchor.height * 0.12, height * 0.25), height }
    case 'wearing':
      return { x: middle, bottom: anchor.y + height * 0.45, height }
    case 'holding':
    case 'carrying':
      return { x: middle + anchor.width * 0.36, bottom: anchor.y + anchor.height * 0.72, height }
    case 'above':
      return { x: middle + shift, bottom: anchor.y - height * 0.15, height }
    case 'under':
      return { x: middle + shift, bottom: Math.min(raster.height * 0.99, foot + height * 0.2), height }
    case 'left-of':
      return { x: anchor.x - height * 0.55 - shift, bottom: foot, height }
    case 'in-front-of':
      return { x: middle + shift, bottom: Math.min(raster.height * 0.985, foot + height * 0.18), height }
    case 'behind':
      return { x: middle + anchor.width * 0.3 + shift, bottom: foot - anchor.height * 0.12, height: Math.max(height, anchor.height * 0.8) }
    case 'in':
      return { x: middle + shift, bottom: foot - anchor.height * 0.2, height: Math.min(height, anchor.height * 0.6) }
    default: {
      const right = anchor.x + anchor.width + height * 0.55 + shift
      const fits = right + height * 0.5 < raster.width
      return { x: fits ? right : anchor.x - height * 0.55 - shift, bottom: foot, height }
    }
  }
}

/** Returns the column (the x of the subject's middle) at which the picture is most uniform over the
 *  subject's height, and where the subject overlaps little with subjects added before. */
function freeColumn(raster: Raster, taken: readonly Rectangle[], at: { bottom: number; height: number; random: Random }): number {
  const half = at.height * 0.45
  let best = raster.width / 2
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < 17; k++) {
    const x = raster.width * (0.14 + (0.72 * k) / 16)
    const overlap = taken.reduce((sum, box) => sum + Math.max(0, Math.min(x + half, box.x + box.width) - Math.max(x - half, box.x)), 0)
    const score = unrest(raster, { x, half, bottom: at.bottom, height: at.height }) + (overlap / half) * 60 + at.random.next() * 4
    if (score >= least) continue
    least = score
    best = x
  }
  return best
}

/** Returns how uneven an area is: the mean difference in brightness between neighbouring samples; 0
 *  for a uniform area. */
function unrest(raster: Raster, area: { x: number; half: number; bottom: number; height: number }): number {
  const { width, height, data } = raster
  let sum = 0
  let count = 0
  let previous = -1
  for (let row = 0; row < 12; row++) {
    const y = Math.round(area.bottom - (area.height * row) / 12)
    if (y < 0 || y >= height) continue
    for (let column = 0; column < 12; column++) {
      const x = Math.round(area.x - area.half + (area.half * 2 * column) / 11)
      if (x < 0 || x >= width) continue
      const j = (y * width + x) * 4
      const luma = data[j]! * 0.3 + data[j + 1]! * 0.5 + data[j + 2]! * 0.2
      if (previous >= 0 && column > 0) {
        sum += Math.abs(luma - previous)
        count++
      }
      previous = luma
    }
  }
  return count > 0 ? sum / count : 0
}

import type { Random } from '../drawing.ts'
import type { Lane } from './layout-types.ts'

/** Offset of one copy from the middle of its group, in the same unit as the width and height of a
 *  copy. `y` grows towards the viewer; `scale` is the size relative to the other copies. */
interface Slot {
  x: number
  y: number
  scale: number
}

interface FormationInput {
  count: number
  lane: Lane
  /** Size of one copy, in relative lengths (see `Node`). */
  width: number
  height: number
  /** Aspect ratio (width / height) of the picture. */
  aspect: number
  /** Distance between the farthest and the nearest baseline on the ground, as a share of the
   *  picture's height. */
  depth: number
  /** True when the prompt asks for a single row. */
  isRow?: boolean
  /** True for mountains and the like, which all stand at the horizon. */
  isTerrain?: boolean
  random: Random
}

/** Returns the positions for the copies of one subject. On the ground and on water, the copies
 *  stand in rows behind each other; everywhere else, such as in the air, they form a loose
 *  swarm. With `isRow`, they always stand side by side. */
export function formation(input: FormationInput): Slot[] {
  if (input.count === 1) return [{ x: 0, y: 0, scale: 1 }]
  if (input.isRow) return line(input)
  if (input.lane !== 'ground' && input.lane !== 'water') return swarm(input)
  return input.count <= mostApart ? apart(input) : rows(input)
}

/** Largest number of copies that a viewer counts at a glance. In a group of up to this size, no
 *  copy may hide another. */
export const mostApart = 9

/** Returns positions side by side at equal distances, all at the same depth. */
function line({ count, width }: FormationInput): Slot[] {
  return Array.from({ length: count }, (_, index) => ({ x: (index - (count - 1) / 2) * width * gapApart, y: 0, scale: 1 }))
}

/** Returns positions in one row, or in two or three rows when this makes the copies clearly
 *  larger. */
function apart(input: FormationInput): Slot[] {
  const { count, width, height, random } = input
  const rowCount = input.isTerrain ? 1 : rowsApart(input)
  const slots: Slot[] = []
  let before = 0
  for (let row = 0; row < rowCount; row++) {
    // When the copies cannot be divided equally among the rows, each of the first rows has one
    // more.
    const inRow = Math.floor(count / rowCount) + (row < count % rowCount ? 1 : 0)
    const size = fartherScale ** row
    const gap = (width * gapApart + height * 0.05) * (row === 0 ? 1 : (1 + size) / 2)
    // The copies of each row are visible through the gaps of the row in front.
    const half = ((inRow - 1) / 2) % 1
    const shift = row > 0 && half === before ? gap / width / 2 : 0
    before = shift > 0 ? 0.5 - half : half
    for (let column = 0; column < inRow; column++) {
      const nudge = rowCount === 1 ? (column % 2 === 0 ? 0.04 : -0.06) * Math.min(1, width / height) : 0
      slots.push({
        x: (column - (inRow - 1) / 2) * gap + (shift + random.between(-0.02, 0.02)) * width,
        y: nudge * height - ((1 - size) / (1 - fartherScale)) * height * riseApart,
        scale: size * random.between(0.97, 1),
      })
    }
  }
  return slots
}

/** Distance between the middles of neighbouring copies, in widths of a copy. */
const gapApart = 1.12
/** Distance by which the next row is higher in the picture, in heights of a copy. The distance is
 *  less than 1: if the front row did not overlap the feet of the back row, the back row would seem
 *  to float. */
const riseApart = 0.8
/** Size of a row relative to the row in front of it. A back row of the same size would seem to
 *  float above the front row. */
const fartherScale = 0.78

/** Factor by which two rows must enlarge a group of up to four upright copies, such as people.
 *  It is high, because the one or two copies of a second row seem to float. */
const fewUprightGain = 1.8

function rowsApart({ count, width, height, aspect, depth }: FormationInput): number {
  const ratio = width / height
  // The width of a copy with this number of rows, as a share of the picture's height. The width of
  // a copy is limited by the width of the picture, by the size of a main subject, and by the depth
  // of the ground.
  const widthIn = (rowCount: number) =>
    Math.min(
      (0.93 * aspect) / ((Math.ceil(count / rowCount) + (rowCount > 1 && count % rowCount === 0 ? 0.4 : 0)) * gapApart),
      0.5 * ratio,
      rowCount === 1
        ? Number.POSITIVE_INFINITY
        : (depth * 0.92) / ((1 - fartherScale ** (rowCount - 1)) / (1 - fartherScale)) / (riseApart / ratio),
    )
  const gain = count <= 4 && ratio < 0.9 ? fewUprightGain : 1.35
  let best = 1
  for (const rowCount of [2, 3]) {
    if (Math.ceil(count / rowCount) < 2 && ratio < 3) continue
    if (rowCount <= count && widthIn(rowCount) > widthIn(best) * gain) best = rowCount
  }
  return best
}

function rows({ count, lane, width, height, aspect, random }: FormationInput): Slot[] {
  const shape = Math.min(1.5, Math.max(0.5, height / width))
  // Narrow subjects such as people stand in few long rows, broad ones such as sheep in more and
  // shorter rows.
  const breadth = height > width * 1.4 ? 2.4 : 1.5
  const columns = count <= 3 && aspect > 0.6 ? count : Math.max(1, Math.min(count, Math.round(Math.sqrt(count * breadth * aspect * shape))))
  const rowCount = Math.ceil(count / columns)
  const gap = lane === 'water' ? 1.12 : rowCount > 1 ? 1.16 : 1.04
  const rise = (lane === 'water' ? 0.34 : 0.4) * Math.min(height, width * 1.3)
  const slots: Slot[] = []
  const firstRow = Math.floor(count / rowCount) + (count % rowCount > 0 ? 1 : 0)
  let y = 0
  for (let row = 0; row < rowCount; row++) {
    const inRow = Math.floor(count / rowCount) + (row < count % rowCount ? 1 : 0)
    const scale = 0.9 ** row
    // The copies of every second row stand between those of the first row. A row with as many
    // copies as the first row is therefore shifted by half a copy; a row with one copy less need
    // not be.
    const shift = row % 2 === 1 && (inRow - firstRow) % 2 === 0 ? 0.5 : 0
    for (let column = 0; column < inRow; column++) {
      const place = column - (inRow - 1) / 2 + shift
      const nudge = rowCount === 1 ? (column % 2 === 0 ? 0.05 : -0.09) : 0
      slots.push({
        x: (place * gap + random.between(-0.12, 0.12)) * width * scale,
        y: y + (nudge + random.between(-0.05, 0.05)) * height,
        scale: scale * random.between(0.95, 1.04),
      })
    }
    y -= rise * scale
  }
  return slots
}

function swarm({ count, width, height, aspect, random }: FormationInput): Slot[] {
  const columns = Math.max(1, Math.min(count, Math.round(Math.sqrt((count * aspect * height * 1.25) / width))))
  const rowCount = Math.ceil(count / columns)
  const jitter = count > 8 ? 0.3 : 0.12
  const slots: Slot[] = []
  for (let row = 0; row < rowCount; row++) {
    const inRow = Math.floor(count / rowCount) + ((row + 1) % rowCount < count % rowCount ? 1 : 0)
    for (let column = 0; column < inRow; column++) {
      const place = column - (inRow - 1) / 2 + (row % 2 === 1 ? 0.26 : -0.1) + (count > 8 ? random.between(-0.2, 0.2) : 0)
      const wave = (column % 2 === 0 ? 0.16 : -0.16) + random.between(-jitter, jitter)
      slots.push({
        x: (place * 1.34 + random.between(-jitter, jitter)) * width,
        y: ((row - (rowCount - 1) / 2) * 1.26 + wave) * height,
        scale: random.between(0.8, 1.06),
      })
    }
  }
  return slots
}

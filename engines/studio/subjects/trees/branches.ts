import type { Random } from '../../drawing.ts'
import type { Point } from '../artwork.ts'

export interface Branch {
  from: Point
  to: Point
  /** Radius of the branch at its start and at its end. */
  width: number
  endWidth: number
  /** Level of the branch: 0 for the twigs at the ends, one more at each fork towards the trunk. */
  level: number
}

interface GrowOptions {
  /** Length of the trunk, before the whole tree is scaled to its height. */
  length: number
  /** Radius of the trunk. */
  width: number
  /** Angle in degrees between a branch and its outermost forks, before a random variation. */
  spread: number
  levels: number
}

/** Returns the branches of a tree with `levels` levels of branches, trunk first, with the base
 *  at the origin; scaled so that the highest twig ends 86 units above the ground. */
export function grow(random: Random, { length, width, spread, levels }: GrowOptions): Branch[] {
  const branches: Branch[] = []
  const extend = (from: Point, angle: number, reach: number, thick: number, level: number): void => {
    const to = { x: from.x + Math.sin(angle) * reach, y: from.y - Math.cos(angle) * reach }
    const endWidth = thick * (level === levels - 1 ? 0.72 : 0.64)
    branches.push({ from, to, width: thick, endWidth, level })
    if (level === 0) return
    const forks = level === levels - 1 ? 3 : random.next() < 0.4 ? 3 : 2
    for (let i = 0; i < forks; i++) {
      const share = (i / (forks - 1)) * 2 - 1
      const turn = ((share * spread + random.between(-9, 9)) * Math.PI) / 180
      // Branches that hang too low are raised, because crowns grow towards the light.
      const next = Math.max(-1.75, Math.min(1.75, angle * 0.9 + turn))
      extend(
        to,
        next,
        reach * random.between(0.62, 0.8) * (level === levels - 1 ? 0.82 : 1),
        endWidth * random.between(0.72, 0.92),
        level - 1,
      )
    }
  }
  extend({ x: 0, y: 0 }, random.between(-0.05, 0.05), length, width, levels - 1)
  return fitted(branches)
}

/** Scales the branches, so that the highest twig ends 86 units above the ground and no twig is
 *  more than 52 units from the middle. The thickness of the branches is kept. */
function fitted(branches: Branch[]): Branch[] {
  const top = Math.min(...branches.map(branch => branch.to.y))
  const scale = 86 / -top
  const reach = Math.max(...branches.map(branch => Math.abs(branch.to.x))) * scale
  const squeeze = reach > 52 ? 52 / reach : 1
  const place = (point: Point): Point => ({ x: point.x * scale * squeeze, y: point.y * scale })
  return branches.map(branch => ({ ...branch, from: place(branch.from), to: place(branch.to) }))
}

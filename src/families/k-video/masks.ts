/** Checks the masks and motion paths of a video from a picture (docs/interface/videos.md#k). */
import type { FileFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { BrokenRule } from '../../contract/neutral-call.ts'

type Sides = Pick<FileFacts, 'width' | 'height'>

/** Returns the problem of the first mask that differs in size from the first one; undefined when
 *  all have one size. */
export function maskSizeProblem([first, ...others]: readonly (Sides & { field: string })[]): BrokenRule | undefined {
  const other = others.find(({ width, height }) => width !== first?.width || height !== first?.height)
  if (!other || !first) return undefined
  const message = `${other.field} is ${other.width}x${other.height}; it must be as large as ${first.field}, ${first.width}x${first.height}.`
  return { id: 'mask-size', field: other.field, message }
}

/** Returns the problem of the first point outside the picture; undefined when all points are
 *  inside. */
export function pointProblem(
  paths: readonly (readonly { x: number; y: number }[])[],
  { width = 0, height = 0 }: Sides,
): BrokenRule | undefined {
  for (const [group, points] of paths.entries()) {
    for (const [index, { x, y }] of points.entries()) {
      const field = `dynamic_masks[${group}].trajectories[${index}]`
      if (x > width) return outside(`${field}.x`, `${x}; at most ${width}, the width of the image.`)
      if (y > height) return outside(`${field}.y`, `${y}; at most ${height}, the height of the image.`)
    }
  }
  return undefined
}

function outside(field: string, says: string): BrokenRule {
  return { id: 'point-inside', field, message: `${field} is ${says}` }
}

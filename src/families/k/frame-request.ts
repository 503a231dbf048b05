import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallContext, CallFile } from '../../contract/context.ts'
import type { FrameBody } from './image2video.ts'
import { modeOf, rowOf } from './models.ts'
import { sizeLike } from './sizes.ts'
import { commonOf } from './text-request.ts'

/** What a create from a picture asks of a target. Throws `invalid_request` for masks and points that do not fit the picture. */
export function frameRequest(context: CallContext, body: FrameBody, files: readonly CallFile[]): VideoGenerateRequest {
  const row = rowOf(context.model.group)
  const frame = files.find(({ role }) => role === 'first-frame') ?? files.find(({ role }) => role === 'last-frame')
  if (frame) assertMasksFit(files, frame)
  if (frame) assertPointsInside(body, frame)
  return {
    ...commonOf(context, row, body),
    ...sizeLike(frame ?? {}, row.lines[modeOf(row, body.mode)]),
    framesPerSecond: row.rates.frame,
    ...(body.dynamic_masks.length > 0 ? { paths: body.dynamic_masks.map(({ trajectories }) => trajectories) } : {}),
    ...(files.some(({ role }) => role === 'last-frame') ? { fit: 'crop' as const } : {}),
  }
}

/** Part B: their ratio is that of the picture, and they are of one size. A side may be rounded. */
function assertMasksFit(files: readonly CallFile[], { width = 1, height = 1 }: CallFile): void {
  const masks = files.filter(({ role }) => role === 'still-mask' || role === 'motion-mask')
  const first = masks[0]
  for (const mask of masks) {
    const size = `${mask.field} is ${mask.width}x${mask.height}`
    if (Math.abs(((mask.width ?? 1) * height) / width - (mask.height ?? 1)) > 1)
      throw invalidField(mask.field, `${size}; it must have the ratio of the image, ${width}:${height}.`, 'mask-ratio')
    if (mask.width !== first?.width || mask.height !== first?.height)
      throw invalidField(mask.field, `${size}; it must be as large as ${first?.field}, ${first?.width}x${first?.height}.`, 'mask-size')
  }
}

function assertPointsInside({ dynamic_masks }: FrameBody, { width = 0, height = 0 }: CallFile): void {
  for (const [group, { trajectories }] of dynamic_masks.entries()) {
    for (const [index, { x, y }] of trajectories.entries()) {
      const field = `dynamic_masks[${group}].trajectories[${index}]`
      if (x > width) throw invalidField(`${field}.x`, `${field}.x is ${x}; at most ${width}, the width of the image.`, 'point-inside')
      if (y > height) throw invalidField(`${field}.y`, `${field}.y is ${y}; at most ${height}, the height of the image.`, 'point-inside')
    }
  }
}

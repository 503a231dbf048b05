import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import type { TaskFailure } from '../../core/records/task.ts'
import type { FrameBody } from './image2video.ts'
import { modeOf, rowOf } from './models.ts'
import { sizeLike } from './sizes.ts'
import { commonOf } from './text-request.ts'

/** Builds the neutral request for a video from a picture. Throws `invalid_request` for masks of
 *  different sizes and for points outside the picture. */
export function frameRequest(context: CallContext, body: FrameBody, files: readonly CallFile[]): VideoGenerateRequest {
  const row = rowOf(context.model.group)
  const frame = files.find(({ role }) => role === 'first-frame') ?? files.find(({ role }) => role === 'last-frame')
  assertOneMaskSize(files)
  if (frame) assertPointsInside(body, frame)
  return {
    ...commonOf(context, row, body),
    ...sizeLike(frame ?? {}, row.lines[modeOf(row, body.mode)]),
    framesPerSecond: row.rates.frame,
    ...(body.dynamic_masks.length > 0 ? { paths: body.dynamic_masks.map(({ trajectories }) => trajectories) } : {}),
    ...(files.some(({ role }) => role === 'last-frame') ? { fit: 'crop' as const } : {}),
  }
}

const masksIn = (files: readonly CallFile[]) => files.filter(({ role }) => role === 'still-mask' || role === 'motion-mask')

/** All masks must have one size (docs/interface/videos.md#k). */
function assertOneMaskSize(files: readonly CallFile[]): void {
  const [first, ...others] = masksIn(files)
  for (const mask of others) {
    if (mask.width === first?.width && mask.height === first?.height) continue
    const says = `${mask.field} is ${mask.width}x${mask.height}; it must be as large as ${first?.field}, ${first?.width}x${first?.height}.`
    throw invalidField(mask.field, says, 'mask-size')
  }
}

/** A mask of another ratio than the picture fails the task, while its create succeeds
 *  (docs/interface/videos.md#k). A side may be off by rounding. */
export function maskProblem(files: readonly CallFile[]): TaskFailure | undefined {
  const frame = files.find(({ role }) => role === 'first-frame')
  if (!frame) return undefined
  const { width = 1, height = 1 } = frame
  const wrong = masksIn(files).find(mask => Math.abs(((mask.width ?? 1) * height) / width - (mask.height ?? 1)) > 1)
  if (!wrong) return undefined
  const message = `${wrong.field} is ${wrong.width}x${wrong.height}; it must have the ratio of the image, ${width}:${height}.`
  return { code: 'invalid_input_file', message }
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

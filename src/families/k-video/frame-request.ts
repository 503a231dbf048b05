import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import type { TaskFailure } from '../../core/records/task.ts'
import type { FrameBody } from './image2video.ts'
import { maskSizeProblem, pointProblem } from './masks.ts'
import { modeOf, rowOf } from './models.ts'
import { sizeLike } from './sizes.ts'
import { commonOf } from './text-request.ts'

/** Builds the neutral request for a video from a picture. Throws `invalid_request` for masks of
 *  different sizes and for points outside the picture. */
export function frameRequest(context: CallContext, body: FrameBody, files: readonly CallFile[]): VideoGenerateRequest {
  const row = rowOf(context.model.group)
  const frame = files.find(({ role }) => role === 'first-frame') ?? files.find(({ role }) => role === 'last-frame')
  const paths = body.dynamic_masks.map(({ trajectories }) => trajectories)
  const problem = maskSizeProblem(masksIn(files)) ?? (frame && pointProblem(paths, frame))
  if (problem) throw invalidField(problem.field, problem.message, problem.id)
  return {
    ...commonOf(context, row, body),
    ...sizeLike(frame ?? {}, row.lines[modeOf(row, body.mode)]),
    framesPerSecond: row.rates.frame,
    ...(paths.length > 0 ? { paths } : {}),
    ...(files.some(({ role }) => role === 'last-frame') ? { fit: 'crop' as const } : {}),
  }
}

const masksIn = (files: readonly CallFile[]) => files.filter(({ role }) => role === 'still-mask' || role === 'motion-mask')

/** Returns the failure for a mask whose ratio differs from the picture's. Such a request still
 *  creates a task, which then fails (docs/interface/videos.md#k). A difference of one pixel is
 *  accepted, because sides are rounded. */
export function maskProblem(files: readonly CallFile[]): TaskFailure | undefined {
  const frame = files.find(({ role }) => role === 'first-frame')
  if (!frame) return undefined
  const { width = 1, height = 1 } = frame
  const wrong = masksIn(files).find(mask => Math.abs(((mask.width ?? 1) * height) / width - (mask.height ?? 1)) > 1)
  if (!wrong) return undefined
  const message = `${wrong.field} is ${wrong.width}x${wrong.height}; it must have the ratio of the image, ${width}:${height}.`
  return { code: 'invalid_input_file', message }
}

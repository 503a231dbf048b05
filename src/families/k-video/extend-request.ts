import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallContext } from '../../contract/context.ts'
import { type Artifact, isFinal, type Task } from '../../core/records/task.ts'
import { usualVideo } from '../shared/usual-requests.ts'
import { kindOf, videoIn } from './envelope.ts'
import { rowOf } from './models.ts'
import { type ExtendBody, extensionSeconds, mostTotalSeconds } from './video-extend.ts'

/** Kinds of operations whose videos can be extended. */
const extendable = new Set(['text2video', 'image2video', 'videoExtend'])

export interface Extension {
  request: VideoGenerateRequest
  /** The video to extend. */
  video: Artifact
  shown: { parent: string; grade?: string }
}

/** Builds the request for an extension. Throws `task_not_found`, and `invalid_request` for a video
 *  that cannot be extended. */
export async function extensionOf(context: CallContext, body: ExtendBody): Promise<Extension> {
  const { video_id: id } = body
  const task = await context.task(id)
  const video = videoIn(task)
  // The id of a video is always the gateway's id of its task. `context.task` also finds a task by
  // the caller's own id (`external_task_id`), which is not accepted here. A task that has ended
  // without a video is refused as well.
  if (task.id !== id || (isFinal(task.state) && !video)) throw noVideo(id)
  if (!extendable.has(kindOf(task)) || task.model !== context.model.id) throw wrong(task, id)
  if (!video) throw invalidField('video_id', 'video_id is a video that is not made yet.', 'video-made')
  const seconds = video.durationSeconds ?? 0
  if (seconds + extensionSeconds > mostTotalSeconds)
    throw invalidField(
      'video_id',
      `video_id is a video of ${seconds} s; with ${extensionSeconds} s more it would be longer than ${mostTotalSeconds} s.`,
      'total-seconds',
    )
  return { request: requestOf(context, body, { task, video }), video, shown: { parent: id, ...gradeOf(task) } }
}

function requestOf(context: CallContext, body: ExtendBody, { task, video }: { task: Task; video: Artifact }): VideoGenerateRequest {
  const row = rowOf(context.model.group)
  const { width = 16, height = 9, framesPerSecond = row.rates.text } = video
  return {
    prompt: body.prompt,
    ...(body.negative_prompt === '' ? {} : { negativePrompt: body.negative_prompt }),
    ...usualVideo,
    ...{ width, height, seconds: extensionSeconds, framesPerSecond, seed: context.randomSeed(), sound: false },
    ...gradeOf(task),
    promptStrength: body.cfg_scale,
    watermark: body.watermark_info.enabled,
  }
}

/** Returns the quality grade of the earlier video. The extension gets the same grade. */
function gradeOf({ shown }: Task): { grade?: 'standard' | 'high' } {
  const grade = shown?.grade
  return grade === 'standard' || grade === 'high' ? { grade } : {}
}

function noVideo(id: string): GatewayError {
  return new GatewayError('task_not_found', `There is no video ${JSON.stringify(id.slice(0, 64))}.`, { field: 'video_id', subject: id })
}

function wrong(task: Task, id: string): GatewayError {
  const says = extendable.has(kindOf(task))
    ? `a video of ${task.model}, which goes on with it, and no other model`
    : 'no video of text2video, image2video or video-extend'
  return invalidField('video_id', `video_id is ${id.slice(0, 64)}, ${says}.`, 'video-kind')
}

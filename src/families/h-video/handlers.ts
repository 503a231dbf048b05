import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { Static } from 'typebox'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { type Artifact, resultOf, type Task } from '../../core/records/task.ts'
import { callersNames, failureSentence, outputsOf, unixSeconds, webhookTo } from '../shared/task-answers.ts'
import { usualVideo } from '../shared/usual-requests.ts'
import { readCamera } from './camera.ts'
import { baseCodeOf } from './codes.ts'
import { h } from './family.ts'
import { statusOf } from './status.ts'
import { resolutions, usualSize, variantOf } from './variants.ts'

type Operations = (typeof h)['operations']
type Body = Input<Operations['create']>['body']
type Query = Static<Operations['query']['reply']['schema']>

const ok = { status_code: 0, status_msg: 'success' }

export const hEntry = implement(
  h,
  {
    create: async (context, { body, files }) => {
      const request = requestOf(context, body, files)
      const task = await context.submit({
        capability: 'video.generate',
        request,
        inputs: files,
        ...webhookTo(body.callbackUrl, 'callbackUrl'),
      })
      return { taskId: task.id, base_resp: ok }
    },
    query: async (context, { params }) => presentTask(await context.task(params.task_id ?? ''), context.now()),
    file: async (context, { query }) => {
      const task = await context.task(query.taskId)
      const video = videoOf(task)
      if (video?.id !== query.fileId) throw noFile(query.fileId)
      return {
        taskId: task.id,
        createdAt: String(unixSeconds(task.finishedAt ?? task.createdAt)),
        filename: `${task.id}.mp4`,
        purpose: 1,
        mediaUrl: context.link(video, h.linkLifetimeMs),
        fileId: video.id,
        bytes: video.bytes,
        base_resp: ok,
      }
    },
  },
  { webhook: (_view, task) => presentCallback(task) },
)

function requestOf(context: CallContext, body: Body, files: readonly CallFile[]): VideoGenerateRequest {
  const { hasCamera, choosesSize, hasSubject } = variantOf(context.model.group)
  const { prompt, camera } = hasCamera ? readCamera(body.prompt) : { prompt: body.prompt, camera: [] }
  if (prompt === '' && camera.length > 0 && files.length === 0)
    throw invalidField('prompt', 'prompt has nothing but camera instructions; it has to say what is seen.', 'prompt-needed')
  return {
    ...usualVideo,
    prompt,
    ...sizeOf(
      choosesSize ? resolutions[body.resolution] : usualSize,
      files.find(({ role }) => role === 'first-frame'),
    ),
    seconds: body.duration,
    seed: context.randomSeed(),
    sound: false,
    expandPrompt: body.promptOptimizer,
    ...(body.fastPretreatment ? { promptMode: 'fast' as const } : {}),
    ...(camera.length > 0 ? { camera } : {}),
    ...(files.some(({ role }) => role === 'last-frame') ? { fit: 'crop' as const } : {}),
    // The picture of the subject should show a human face. A request whose picture shows something
    // else is not refused: it creates a task, which then fails (docs/interface/videos.md#h).
    ...(hasSubject ? { subjectKind: 'face' as const } : {}),
  }
}

/** Returns the size of the video. With a first frame, the video has the aspect ratio of the frame
 *  and the short side `short`. Both sides are even, as encoders require. */
function sizeOf({ short, long }: { short: number; long: number }, frame: CallFile | undefined): { width: number; height: number } {
  if (frame?.width === undefined || frame.height === undefined) return { width: long, height: short }
  const { width, height } = frame
  const other = (ratio: number) => Math.round((short * ratio) / 2) * 2
  return width >= height ? { width: other(width / height), height: short } : { width: short, height: other(height / width) }
}

function videoOf(task: Task): Artifact | undefined {
  return outputsOf(task, 'video')[0]
}

function noFile(id: string): GatewayError {
  return new GatewayError('task_not_found', `The task has no file ${JSON.stringify(id.slice(0, 64))}.`, { field: 'fileId' })
}

/** Returns the state of the task as the answer to the query reports it. A video that a safety
 *  review withheld counts as failed (docs/vendors/minimax.md#error-codes). */
function outcomeOf(task: Task, now: number): Pick<Query, 'status' | 'base_resp'> {
  const status = statusOf(task, now)
  if (status === 'Success' && !videoOf(task)) {
    const reasons = resultOf(task, 'video.generate').filtered.flatMap(each => each.reasons)
    return {
      status: 'Fail',
      base_resp: { status_code: 1027, status_msg: reasons.join(', ') || 'The video was refused by the safety rules.' },
    }
  }
  if (status !== 'Fail') return { status, base_resp: ok }
  const failure = task.failure ?? { code: 'internal_error', message: 'The task failed.' }
  return { status, base_resp: { status_code: baseCodeOf(failure.code), status_msg: failureSentence(h, failure) } }
}

function presentTask(task: Task, now: number): Query {
  const outcome = outcomeOf(task, now)
  const { id = '', width = 0, height = 0 } = (outcome.status === 'Success' && videoOf(task)) || {}
  return {
    ...{ taskId: task.id, task_id: task.id, ...outcome, fileId: id, file_id: id },
    ...{ videoWidth: width, video_width: width, videoHeight: height, video_height: height },
    ...notFollowedBy(task),
  }
}

function notFollowedBy(task: Task): Pick<Query, 'not_followed'> {
  // Callers of this family cannot set a seed, so an ignored seed is not reported.
  const left = task.state === 'succeeded' ? (resultOf(task, 'video.generate').notFollowed ?? []).filter(field => field !== 'seed') : []
  return left.length > 0 ? { not_followed: callersNames(h, left) } : {}
}

/** Returns the task as a callback reports it; in callbacks the vendor spells the states differently
 *  (docs/vendors/minimax.md#callback). */
function presentCallback(task: Task) {
  const { status, task_id, file_id, base_resp } = presentTask(task, task.finishedAt ?? task.createdAt)
  return { task_id, status: status === 'Success' ? 'success' : 'failed', file_id, base_resp }
}

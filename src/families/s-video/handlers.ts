import { defined } from '@generation-gateway/kit/defined.ts'
import { type ErrorCode, errorCatalogue, GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { FileReply } from '../../contract/replies.ts'
import { withOutput } from '../../contract/with-output.ts'
import { resultOf, type Task } from '../../core/records/task.ts'
import { failureSentence, outputsOf, pageOf, stateWords, unixSeconds } from '../shared/task-answers.ts'
import { usualVideo } from '../shared/usual-requests.ts'
import {
  contentMs,
  frameProblem,
  lengths,
  refusals,
  type Size,
  s,
  sizes,
  type Variant,
  type Video,
  type VideoStatus,
  variants,
} from './family.ts'

type Operations = (typeof s)['operations']
type CreateBody = Input<Operations['create']>['body']
type ListQuery = Input<Operations['list']>['query']

/** Largest number of bytes of the prompt that are stored to be shown with the task. All shown
 *  fields of a task together may have 64 KiB (`Submission.shown`). */
const mostShownPrompt = 48 * 1024

export const sEntry = implement(s, {
  create: (context, { body, files }) => create(context, body, files),
  list: (context, { query }) => list(context, query),
  query: async (context, { params }) => presentTask(context, await context.task(params.video_id ?? '')),
  remove: async (context, { params }) => {
    const task = await context.task(params.video_id ?? '')
    await context.taskEnding.remove(params.video_id ?? '')
    return { id: context.publicId(task), object: 'video.deleted' as const, deleted: true }
  },
  remix: async (context, { params, body }) => remix(context, await context.task(params.video_id ?? ''), body.prompt),
  content: async (context, { params, query }) => content(context, await context.task(params.video_id ?? ''), query.variant),
})

async function create(context: CallContext, { prompt, size, seconds }: CreateBody, files: readonly CallFile[]): Promise<Video> {
  for (const file of files) {
    const problem = frameProblem(file, sizes[size], file.field)
    if (problem) throw invalidField(problem.field, problem.message, problem.id)
  }
  const request = requestOf(context, { prompt, size, seconds })
  const shown = shownOf({ prompt, size, seconds })
  return presentTask(context, await context.submit({ capability: 'video.generate', request, inputs: files, shown }))
}

type VideoFields = Pick<CreateBody, 'prompt' | 'size' | 'seconds'>

function requestOf(context: CallContext, { prompt, size, seconds }: VideoFields): VideoGenerateRequest {
  return {
    ...usualVideo,
    prompt,
    ...sizes[size],
    seconds: Number(seconds),
    seed: context.randomSeed(),
    sound: true,
  }
}

function shownOf({ prompt, size, seconds }: VideoFields): JsonObject {
  return { size, seconds, ...(Buffer.byteLength(JSON.stringify(prompt)) <= mostShownPrompt ? { prompt } : {}) }
}

/** Creates a new video by editing an earlier one, which is the input `base`. The new video has
 *  the size and length of the earlier one. */
async function remix(context: CallContext<'files'>, task: Task, prompt: string): Promise<Video> {
  assertContent(context, task)
  const output = outputsOf(task, 'video')[0]
  if (!output) throw new TypeError(`the completed video ${task.id} has no file`)
  const size = isSize(task.shown?.size) ? task.shown.size : '720x1280'
  const seconds = lengths.find(length => length === task.shown?.seconds) ?? '4'
  const request = requestOf(context, { prompt, size, seconds })
  const shown = { ...shownOf({ prompt, size, seconds }), remixedFrom: context.publicId(task) }
  const earlier = { output, role: 'base', purpose: 'video that is remixed', lifetimeMs: s.deadlineMs }
  return presentTask(
    context,
    await withOutput(context, earlier, input => context.submit({ capability: 'video.generate', request, inputs: [input], shown })),
  )
}

function isSize(value: unknown): value is Size {
  return typeof value === 'string' && Object.hasOwn(sizes, value)
}

async function list(context: CallContext<'accountTasks'>, { after, limit, order: requested }: ListQuery) {
  const prefix = s.taskPrefix ?? ''
  if (after !== undefined && !after.startsWith(prefix))
    throw new GatewayError('invalid_request', `after is ${JSON.stringify(after.slice(0, 64))}; it must be the id of a video.`, {
      field: 'after',
    })
  const behind = after?.slice(prefix.length)
  const order = requested === 'asc' ? { oldestFirst: true as const, ...defined({ after: behind }) } : defined({ before: behind })
  const { page, hasMore } = await pageOf(limit, most =>
    context.accountTasks.list({ family: s.id, endpoint: context.endpoint, limit: most, ...order }),
  )
  const data = page.map(task => presentTask(context, task))
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  }
}

function content(context: CallContext, task: Task, variant: Variant): FileReply {
  assertContent(context, task)
  const id = context.publicId(task)
  const file = outputsOf(task, variants[variant])[0]
  if (!file)
    throw new GatewayError('not_found', `The video ${id} has no ${variant}; its model made none.`, {
      field: 'variant',
      issues: [issue(refusals.noVariant)],
    })
  const [kind, format = ''] = file.mediaType.split('/')
  context.setHeader('content-disposition', `attachment; filename="${id}.${kind === 'image' && format === 'jpeg' ? 'jpg' : format}"`)
  return new FileReply(file)
}

/** Throws for a video that is not ready, has failed, or has expired. */
function assertContent(context: CallContext, task: Task): void {
  const id = context.publicId(task)
  const status = statusOf(task)
  if (status === 'failed')
    throw new GatewayError('invalid_request', `The video ${id} has failed; it has no content.`, { issues: [issue(refusals.failed)] })
  if (status !== 'completed')
    throw new GatewayError('invalid_request', `The video ${id} is not ready yet.`, { issues: [issue(refusals.notReady)] })
  if (context.now() >= endOf(task))
    throw new GatewayError('not_found', `The content of the video ${id} could be had for 24 hours.`, { issues: [issue(refusals.expired)] })
}

function issue(rule: string) {
  return { path: ['path', 'video_id'], message: rule, rule }
}

const statuses = stateWords<VideoStatus>({ queued: 'queued', running: 'in_progress', succeeded: 'completed', failed: 'failed' })

/** Returns the status of a video. A video that a safety review withheld, and that so has no file,
 *  counts as failed. */
function statusOf(task: Task): VideoStatus {
  return task.state === 'succeeded' && !outputsOf(task, 'video')[0] ? 'failed' : statuses[task.state]
}

function presentTask(context: CallContext, task: Task): Video {
  const { shown, model, createdAt, finishedAt } = task
  const status = statusOf(task)
  const isCompleted = status === 'completed'
  return {
    id: context.publicId(task),
    object: 'video',
    created_at: unixSeconds(createdAt),
    status,
    completed_at: isCompleted && finishedAt !== undefined ? unixSeconds(finishedAt) : null,
    error: status === 'failed' ? errorOf(task) : null,
    expires_at: isCompleted ? unixSeconds(endOf(task)) : null,
    model,
    progress: isCompleted ? 100 : status === 'queued' ? 0 : Math.min(99, Math.floor(task.progress)),
    prompt: typeof shown?.prompt === 'string' ? shown.prompt : null,
    remixed_from_video_id: typeof shown?.remixedFrom === 'string' ? shown.remixedFrom : null,
    seconds: String(shown?.seconds),
    size: String(shown?.size),
  }
}

function endOf({ finishedAt, createdAt }: Task): number {
  return (finishedAt ?? createdAt) + contentMs
}

/** Values of `error.code` by the gateway's own codes (docs/interface/videos.md#s). */
const words: Partial<Record<ErrorCode, string>> = {
  request_moderated: 'moderation_blocked',
  content_moderated: 'moderation_blocked',
  deadline_exceeded: 'timeout',
  engine_timeout: 'timeout',
  upstream_timeout: 'timeout',
}

function errorOf({ state, failure, ...task }: Task): Video['error'] {
  if (failure) {
    const { code } = failure
    const word = words[code] ?? (errorCatalogue[code].status >= 500 ? 'internal_error' : code)
    return { code: word, message: failureSentence(s, failure) }
  }
  if (state === 'cancelled') return { code: 'cancelled', message: 'The video was cancelled.' }
  if (state === 'expired') return { code: 'timeout', message: 'The video was not done before its deadline.' }
  const reasons = resultOf({ state, ...task }, 'video.generate').filtered.flatMap(each => each.reasons)
  return {
    code: 'moderation_blocked',
    message: `A safety review kept the video back${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}.`,
  }
}

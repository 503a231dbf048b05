import { type ErrorCode, GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import { exactNumber, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Static } from 'typebox'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext, TaskView } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { resultOf, type Task, type TaskFailure } from '../../core/records/task.ts'
import { callersNames, failureSentence, outputsOf, stateWords } from '../shared/task-answers.ts'
import { type F1Status, f1 } from './family.ts'

type SubmitBody = Input<(typeof f1)['operations']['submit']>['body']

export const f1Entry = implement(
  f1,
  {
    async submit(context, { body, files }) {
      const webhook = body.webhook_url === null ? {} : { webhook: webhookOf(body.webhook_url, body.webhook_secret) }
      const task =
        context.model.group === 'KE' ? await submitEdit(context, body, files, webhook) : await submitGenerate(context, body, webhook)
      return { id: task.id, polling_url: `${context.publicUrl}/v1/ai/${context.endpoint}/imgf/get_result?id=${task.id}` }
    },
    async result(context, { query }) {
      return presentTask(context, await context.task(query.id))
    },
  },
  {
    webhook(view, task) {
      const shown = presentTask(view, task)
      const hasSucceeded = task.state === 'succeeded'
      return {
        type: hasSucceeded ? 'image.generation.completed' : 'image.generation.failed',
        timestamp: new Date(task.finishedAt ?? task.createdAt).toISOString(),
        ...shown,
        ...(task.failure ? { error: task.failure.code, message: failureSentence(f1, task.failure) } : {}),
        data: { id: shown.id, object: 'image.task', status: shown.status, result: shown.result },
      }
    },
  },
)

function submitGenerate(context: CallContext<'sentBody'>, body: SubmitBody, webhook: Pick<Task, 'webhook'>): Promise<Task> {
  const size = context.model.group === 'KG' ? sizeFields(body.aspect_ratio ?? '1:1') : { width: body.width, height: body.height }
  const request: ImageGenerateRequest = { ...commonFields(context, body), ...size, count: 1 }
  return context.submit({ capability: 'image.generate', request, ...webhook })
}

function submitEdit(
  context: CallContext<'sentBody'>,
  body: SubmitBody,
  inputs: readonly CallFile[],
  webhook: Pick<Task, 'webhook'>,
): Promise<Task> {
  const size = body.aspect_ratio === undefined ? {} : sizeFields(body.aspect_ratio)
  const request: ImageEditRequest = { ...commonFields(context, body), ...size }
  return context.submit({ capability: 'image.edit', request, inputs, ...webhook })
}

function commonFields(context: CallContext<'sentBody'>, body: SubmitBody) {
  return {
    prompt: body.prompt,
    seed: seedOf(context, body.seed),
    expandPrompt: body.prompt_upsampling,
    safetyTolerance: body.safety_tolerance,
    format: body.output_format,
  }
}

/** Returns the decimal digits of the seed, exact over the whole signed 64-bit range. For null,
 *  returns the digits of a random seed. Throws `invalid_request` beyond the range. */
function seedOf(context: CallContext<'sentBody'>, seed: number | null): string {
  if (seed === null) return context.randomSeed()
  const digits = context.sentBody.exactInteger('seed') ?? BigInt(seed).toString()
  const value = BigInt(digits)
  if (value === BigInt.asIntN(64, value)) return digits
  throw invalidField('seed', `seed is ${digits}; it must be a signed 64-bit integer.`, 'int64')
}

function webhookOf(url: string, secret: string | null): { url: string; secret?: string } {
  return secret === null ? { url } : { url, secret }
}

function sizeFields(aspectRatio: string) {
  return { ...sizeOfRatio(aspectRatio), aspectRatio }
}

/** Returns a size of about one megapixel whose sides are multiples of 32
 *  (docs/vendors/bfl.md#pixels-of-a-ratio). */
export function sizeOfRatio(ratio: string): { width: number; height: number } {
  const [wide = 1, high = 1] = ratio.split(':').map(Number)
  const height = Math.round(Math.sqrt(2 ** 20 / (wide / high)) / 32) * 32
  return { width: Math.round((height * wide) / high / 32) * 32, height }
}

type ResultBody = Static<(typeof f1)['operations']['result']['reply']['schema']>

function presentTask(view: TaskView, task: Task): ResultBody {
  const body: ResultBody = { id: task.id, status: statusOf(task), result: null, progress: null, details: null, preview: null }
  if (task.state === 'succeeded') return { ...body, result: pictureOf(view, task) }
  if (task.failure) return { ...body, details: detailsOf(task.failure) }
  return { ...body, progress: task.progress / 100 }
}

function pictureOf(view: TaskView, task: Task) {
  const [output] = outputsOf(task)
  if (!output) throw new GatewayError('gone', 'The picture of this task was swept.')
  const report = resultOf(task, 'image.generate', 'image.edit')
  const startedAt = (task.startedAt ?? task.createdAt) / 1000
  const finishedAt = (task.finishedAt ?? task.createdAt) / 1000
  return {
    seed: exactNumber(report.seed),
    prompt: report.prompt,
    sample: view.link(output, f1.linkLifetimeMs),
    duration: Math.round((finishedAt - startedAt) * 1000) / 1000,
    start_time: startedAt,
    end_time: finishedAt,
    not_drawn: report.notDrawn,
    not_followed: callersNames(f1, report.notFollowed),
  }
}

function detailsOf(failure: TaskFailure): JsonObject {
  const message = failureSentence(f1, failure)
  return failure.reasons && failure.reasons.length > 0
    ? { 'Moderation Reasons': failure.reasons, message }
    : { error: failure.code, message }
}

const statuses = stateWords<F1Status>({ queued: 'Pending', running: 'Pending', succeeded: 'Ready', failed: 'Error' })

/** The status of a failed task by its error code. For a code that is not listed, the status is
 *  `Error`. */
const failureStatuses: Partial<Record<ErrorCode, F1Status>> = {
  request_moderated: 'Request Moderated',
  content_moderated: 'Content Moderated',
}

function statusOf({ state, failure }: Task): F1Status {
  return (failure && failureStatuses[failure.code]) ?? statuses[state]
}

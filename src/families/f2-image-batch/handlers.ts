import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Static } from 'typebox'
import type { CallContext, TaskView } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { isFinal, resultOf, type Task } from '../../core/records/task.ts'
import { failureSentence, outputsOf, stateWords } from '../shared/task-answers.ts'
import { usualPicture } from '../shared/usual-requests.ts'
import { type BatchStatus, f2, sizes, stepsOf } from './family.ts'

type SubmitBody = Input<(typeof f2)['operations']['submit']>['body']
type SubmitReply = Static<(typeof f2)['operations']['submit']['reply']['schema']>
type QueryBody = Static<(typeof f2)['operations']['query']['reply']['schema']>

export const f2Entry = implement(f2, {
  submit: (context, { body }) => submit(context, body),
  submitUnified: (context, { body }) => submit(context, body),
  query: async (context, { params }) => presentTask(context, await context.task(params.taskId ?? '')),
  queryUnified: async (context, { params }) => {
    const { model_id: model = '', task_id: id = '' } = params
    const task = await context.task(id)
    if (task.model !== model)
      throw new GatewayError('task_not_found', `There is no task ${JSON.stringify(id)} of the model ${JSON.stringify(model.slice(0, 64))}.`)
    return presentTask(context, task)
  },
})

async function submit(context: CallContext, body: SubmitBody): Promise<SubmitReply> {
  const { prompts, 'neg-prompts': negative, batchsize, aspect_ratio: aspectRatio, seed } = body
  const request: ImageGenerateRequest = {
    ...usualPicture,
    prompt: prompts,
    ...sizes[aspectRatio],
    aspectRatio,
    count: batchsize,
    seed: String(seed),
    format: 'jpeg',
  }
  const steps = stepsOf(body)
  if (steps !== undefined) request.steps = steps
  if (negative !== undefined && negative.trim() !== '') request.negativePrompt = negative
  const task = await context.submit({ capability: 'image.generate', request, shown: { batchsize } })
  return { status: 'success', taskId: task.id }
}

const statuses = stateWords<BatchStatus>({ queued: 'queued', running: 'processing', succeeded: 'completed', failed: 'failed' })

/** Returns the task as the query shows it. A task that ended with at least one picture is
 *  completed, even with fewer pictures than requested (docs/interface/pictures.md#f2). */
function presentTask(view: TaskView, task: Task): QueryBody {
  const imageUrls = outputsOf(task).map(output => view.link(output, f2.linkLifetimeMs))
  const hasEnded = isFinal(task.state)
  const status = hasEnded && imageUrls.length > 0 ? 'completed' : statuses[task.state]
  const message = messageOf(task)
  return { status, completed: hasEnded, imageUrls, ...defined({ message }) }
}

function messageOf(task: Task): string | undefined {
  if (task.failure) return failureSentence(f2, task.failure)
  if (task.state !== 'succeeded') return undefined
  const { refused = [] } = resultOf(task, 'image.generate')
  return refused.length > 0 ? `${refused.length} of ${task.shown?.batchsize} pictures were refused by the safety rules.` : undefined
}

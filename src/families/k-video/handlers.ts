import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { CallContext, Submission, TaskView } from '../../contract/context.ts'
import { implement, type UncheckedInput } from '../../contract/family.ts'
import { withOutput } from '../../contract/with-output.ts'
import type { Task } from '../../core/records/task.ts'
import { webhookTo } from '../shared/task-answers.ts'
import { elementOf, listElements, makeElement, removeElement } from './elements.ts'
import { enveloped, headOf, imageData, type Kind, kindOf, videoData } from './envelope.ts'
import { extensionOf } from './extend-request.ts'
import { k } from './family.ts'
import { frameRequest, maskProblem } from './frame-request.ts'
import { omniImageSubmission } from './omni-image-request.ts'
import { omniVideoSubmission } from './omni-video-request.ts'
import { textRequest } from './text-request.ts'
import type { ExtendBody } from './video-extend.ts'

export const kEntry = implement(
  k,
  {
    text2video: (context, { body }) => submitVideo(context, 'text2video', body, { request: textRequest(context, body) }),
    image2video: (context, { body, files }) => {
      const request = frameRequest(context, body, files)
      const failure = maskProblem(files)
      return submitVideo(context, 'image2video', body, { request, ...(failure ? { failure } : { inputs: files }) })
    },
    videoExtend: (context, { body }) => extend(context, body),
    omniVideo: async (context, { body, files }) => submit(context, 'omniVideo', body, await omniVideoSubmission(context, body, files)),
    omniImage: async (context, { body, files }) => submit(context, 'omniImage', body, await omniImageSubmission(context, body, files)),
    getText2video: queryOf('text2video', videoData),
    getImage2video: queryOf('image2video', videoData),
    getVideoExtend: queryOf('videoExtend', videoData),
    getOmniVideo: queryOf('omniVideo', videoData),
    getOmniImage: queryOf('omniImage', imageData),
    createElement: async (context, { body, files }) => enveloped(context.requestId, await makeElement(context, body, files)),
    elements: async (context, { query }) =>
      enveloped(context.requestId, await listElements(context, { page: query.pageNum, size: query.pageSize })),
    element: async (context, { params }) => enveloped(context.requestId, await elementOf(context, params.element_id ?? '')),
    removeElement: async (context, { params }) => enveloped(context.requestId, await removeElement(context, params.element_id ?? '')),
  },
  { webhook: (view, task) => (kindOf(task) === 'omniImage' ? imageData(view, task) : videoData(view, task)) },
)

interface Common {
  external_task_id: string
  callback_url?: string
}

/** Submits a video. Its quality mode (`std`, `pro`) is stored with the task, so that an extension
 *  of the video can use the same one. */
function submitVideo(
  context: CallContext,
  kind: Kind,
  common: Common,
  { request, ...more }: Pick<Submission<'video.generate'>, 'request' | 'inputs' | 'failure'>,
) {
  const shown = defined({ grade: request.grade })
  return submit(context, kind, common, { capability: 'video.generate', request, shown, ...more })
}

async function extend(context: CallContext<'files'>, body: ExtendBody) {
  const { request, video, shown } = await extensionOf(context, body)
  const earlier = { output: video, role: 'earlier', purpose: 'video that is gone on with', lifetimeMs: k.deadlineMs }
  return withOutput(context, earlier, input =>
    submit(context, 'videoExtend', body, { capability: 'video.generate', request, inputs: [input], shown }),
  )
}

async function submit<C extends Capability>(
  context: CallContext,
  kind: Kind,
  { external_task_id, callback_url }: Common,
  submission: Submission<C>,
) {
  const reference = external_task_id === '' ? {} : { clientReference: external_task_id }
  try {
    const task = await context.submit({
      ...submission,
      shown: { ...submission.shown, kind },
      ...webhookTo(callback_url, 'callback_url'),
      ...reference,
    })
    return enveloped(context.requestId, headOf(task))
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'conflict') throw error
    throw invalidField('external_task_id', `external_task_id is ${external_task_id}, which is that of another task.`, 'unique')
  }
}

/** Returns the handler of the query at one path, which finds only tasks that were created at the
 *  same path (docs/vendors/kling.md#transport). */
function queryOf<Data>(kind: Kind, present: (view: TaskView, task: Task) => Data) {
  return async (context: CallContext, { params: { id = '' } }: Pick<UncheckedInput, 'params'>) => {
    const task = await context.task(id)
    if (kindOf(task) === kind) return enveloped(context.requestId, present(context, task))
    throw new GatewayError('task_not_found', `There is no task ${JSON.stringify(id.slice(0, 64))} at this path.`, { subject: id })
  }
}

/** Family F2 (docs/interface/pictures.md#f2): up to eight pictures from one prompt. Its
 *  operations have paths that contain an endpoint, and paths without one. */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, hourMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { modelField, namedModelField, promptField } from '../shared/common-fields.ts'

/** Sizes in pixels by aspect ratio (docs/interface/pictures.md#f2). */
export const sizes = {
  '1:1': { width: 1024, height: 1024 },
  '2:3': { width: 512, height: 768 },
  '3:2': { width: 768, height: 512 },
  '3:4': { width: 768, height: 1024 },
  '4:3': { width: 1024, height: 768 },
  '16:9': { width: 1280, height: 720 },
  '9:16': { width: 720, height: 1280 },
} as const
export type Ratio = keyof typeof sizes

/** Range of the number of steps. The interface documents 4 to 10, but its example for the large
 *  variant has more (docs/interface/pictures.md#f2). */
const steps = { minimum: 4, maximum: 40 } as const
const fastMost = 10

const ratioNames = Object.keys(sizes) as Ratio[]
const fields = {
  prompts: promptField('What to draw. English or Chinese.', { examples: ['a lighthouse on a cliff at dusk'] }),
  'neg-prompts': optional.string({
    maxLength: 8192,
    groups: ['large'],
    description: 'What must not be in the pictures. Of the large variant.',
  }),
  batchsize: Type.Integer({ minimum: 1, maximum: 8, default: 1, description: 'Number of pictures; picture i has the seed + i.' }),
  aspect_ratio: words(ratioNames, {
    default: '1:1',
    description: `Shape and size: ${ratioNames.map(ratio => `${ratio} is ${sizes[ratio].width}x${sizes[ratio].height}`).join(', ')}.`,
  }),
  step: optional.integer({
    ...steps,
    description: 'Steps of the model, required: 4 to 10, of the large variant 4 to 40. The built-in engine has none.',
  }),
  Step: optional.integer({ ...steps, source: 'ours', description: 'The same in another spelling; `step` wins.' }),
  seed: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'The same seed gives the same pictures.',
  }),
}

const submitBody = Type.Object({ ...fields, model: modelField() })
const unifiedBody = Type.Object({ ...fields, model: namedModelField('A model of the large variant.') })

type StepFields = { step?: number; Step?: number }

/** Returns the number of steps in a body, under either spelling of the field. */
export function stepsOf({ step, Step }: StepFields): number | undefined {
  return step ?? Step
}

const hasSteps: Rule<StepFields> = {
  id: 'step-required',
  says: 'step is required.',
  field: 'step',
  holds: body => stepsOf(body) !== undefined,
}

const isFast: Rule<StepFields> = {
  id: 'fast-steps',
  says: `step is at most ${fastMost}.`,
  field: 'step',
  groups: ['fast'],
  holds: body => (stepsOf(body) ?? 0) <= fastMost,
  explain: body => `step is ${stepsOf(body)}; at most ${fastMost} of the fast variant.`,
}

const submitReply = namedObject('ImageBatchAccepted', {
  status: Type.Literal('success'),
  taskId: Type.String({ description: 'Id of the task.' }),
})

/** States that the query returns; the interface names only `completed`
 *  (docs/interface/pictures.md#f2). */
const batchStatuses = ['queued', 'processing', 'completed', 'failed'] as const
export type BatchStatus = (typeof batchStatuses)[number]

const queryReply = namedObject('ImageBatch', {
  status: words(batchStatuses, { description: '`completed` when at least one picture was drawn.' }),
  completed: Type.Boolean({ description: 'True once the task has ended, however it did.' }),
  imageUrls: Type.Array(Type.String({ format: 'http-url' }), {
    description: 'Signed URLs of the pictures, valid for 24 hours, each there as soon as it is drawn; every query gives fresh ones.',
  }),
  message: optional.string({ source: 'ours', description: 'Why the task failed, or why pictures are missing.' }),
})

const failures = {
  submit: namedObject('ImageBatchError', {
    status: Type.Literal('error'),
    taskId: Type.Literal(''),
    message: Type.String(),
    error: gatewayError,
  }),
  noTask: namedObject('ImageBatchNotFound', {
    status: Type.Literal('not_found'),
    completed: Type.Literal(false),
    imageUrls: Type.Array(Type.String(), { maxItems: 0 }),
    message: Type.String(),
    error: gatewayError,
  }),
}

const submitExample = { prompts: 'a lighthouse on a cliff at dusk, oil painting', batchsize: 2, aspect_ratio: '16:9', step: 6, seed: 11 }
const taskId = '01kb2v0f5w9h3t8m6q4y7z1xcd'
const submitted = { status: 'success', taskId }
const completed = {
  status: 'completed',
  completed: true,
  imageUrls: [0, 1].map(index => `https://gateway.example/files/01kb2v0g${index}?exp=1795000000&kid=k1&sig=abc`),
}
const needs = 'the id of a task that a submit was answered with.'

export const f2 = defineFamily({
  id: 'F2',
  title: 'Batches of images',
  source: 'docs/interface/pictures.md#f2',
  description:
    'Asynchronous: a submit answers with the id of a task that draws one to eight pictures; a query tells its state and the signed URLs of the pictures. The fast variant takes 4 to 10 steps; the large one more, and a negative prompt.',
  models: [
    { id: 'MaaS_ImgB_fast', title: 'Image batch, fast', capability: 'image.generate', group: 'fast' },
    { id: 'MaaS_ImgB_large', title: 'Image batch, large', capability: 'image.generate', group: 'large' },
  ],
  groupOf: ({ fields: sent }) => (sent.has('neg-prompts') ? 'large' : 'fast'),
  fieldNames: { prompt: 'prompts', negativePrompt: 'neg-prompts', count: 'batchsize', steps: 'step', aspectRatio: 'aspect_ratio' },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: 7 * dayMs,
  failure,
  operations: {
    submit: operation({
      operationId: 'generateImageBatch',
      method: 'POST',
      path: '/v2/ai/{endpoint}/images/generations',
      summary: 'Generate one to eight images',
      choosesModel: true,
      body: { schema: submitBody },
      rules: [hasSteps, isFast],
      // The rule that requires a number of steps is left out, because a request from another
      // gateway may leave the number to the model.
      neutralForm: neutralForm({
        capabilities: ['image.generate'],
        rules: [isFast],
        bodyOf: ({ request: { steps } }) => defined({ step: steps }),
      }),
      reply: { schema: submitReply },
      examples: [
        { title: 'Two pictures of the fast variant', body: submitExample, reply: submitted },
        {
          title: 'The large variant, with what must not be there',
          body: { prompts: '雪山下的木屋', 'neg-prompts': 'people', step: 24 },
          reply: submitted,
        },
      ],
    }),
    query: operation({
      operationId: 'getImageBatch',
      method: 'GET',
      path: '/v2/ai/{endpoint}/images/tasks/{taskId}',
      summary: 'State and pictures of a task',
      readsTask: { parameter: 'taskId', in: 'path' },
      reply: { schema: queryReply },
      examples: [{ title: 'Two pictures', path: { taskId }, needs, reply: completed }],
    }),
    submitUnified: operation({
      operationId: 'generateImageBatchByModel',
      method: 'POST',
      path: '/v2/images/generations',
      summary: 'Generate one to eight images with the large variant',
      choosesModel: true,
      body: { schema: unifiedBody },
      rules: [
        hasSteps,
        {
          id: 'large-only',
          says: 'model is one of the large variant.',
          field: 'model',
          groups: ['fast'],
          holds: () => false,
          explain: ({ model }) => `model is ${model}, one of the fast variant; this path serves the large one.`,
        },
      ],
      reply: { schema: submitReply },
      examples: [{ title: 'By model', body: { ...submitExample, model: 'MaaS_ImgB_large', step: 24 }, reply: submitted }],
    }),
    queryUnified: operation({
      operationId: 'getImageBatchByModel',
      method: 'GET',
      path: '/v2/images/tasks/{model_id}/{task_id}',
      summary: 'State and pictures of a task of a model',
      readsTask: { parameter: 'task_id', in: 'path' },
      reply: { schema: queryReply },
      examples: [{ title: 'Two pictures', path: { model_id: 'MaaS_ImgB_large', task_id: taskId }, needs, reply: completed }],
    }),
  },
})

/** Returns status and body of an error. The body has the format of a failed submit, with `error` as
 *  its `status`. An unknown task is reported in the format of the query instead, because mostly
 *  queries cause this error (docs/interface/pictures.md#f2). */
function failure(error: GatewayError, requestId: string): Failure {
  const { message, status } = error
  const common = { message, error: errorObject(error, requestId) }
  if (error.code === 'task_not_found')
    return { status, schema: failures.noTask, body: { status: 'not_found', completed: false, imageUrls: [], ...common } }
  return { status, schema: failures.submit, body: { status: 'error', taskId: '', ...common } }
}

/** Family F1 (docs/interface/pictures.md#f1): one submit path, three parameter sets. P takes width
 *  and height, KG an aspect ratio, KE an input image. */

import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, hourMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional, orNull, words } from '../../contract/schemas.ts'
import {
  inputImageLimits,
  modelField,
  notDrawnField,
  notFollowedField,
  pictureMostPixels,
  pictureSide,
  promptField,
} from '../shared/common-fields.ts'
import { usualTolerance } from '../shared/usual-requests.ts'

const ratios = { least: 3 / 7, most: 7 / 3 }

const submitBody = Type.Object({
  prompt: promptField('What to draw, or how to change the input image. English or Chinese.', {
    examples: ['a red fox under a cherry tree at sunset, watercolor'],
  }),
  width: Type.Integer({ ...pictureSide, default: 1024, unit: 'px', groups: ['P'], description: 'Width of the picture.' }),
  height: Type.Integer({ ...pictureSide, default: 1024, unit: 'px', groups: ['P'], description: 'Height of the picture.' }),
  aspect_ratio: optional.string({
    pattern: '^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$',
    mustBe: 'two whole numbers with a colon between, like 16:9',
    groups: ['KG', 'KE'],
    description: 'Ratio from 3:7 to 7:3; the picture has about one megapixel. KG: 1:1 by default. KE: the shape of the input by default.',
    examples: ['16:9'],
  }),
  input_image: optional.string({
    minLength: 1,
    groups: ['KE'],
    file: { role: 'image', ...inputImageLimits },
    description:
      'Image to edit: base64 (with or without a data URL prefix), at most 20 MB and 20 million pixels. An http(s) URL is accepted too.',
  }),
  prompt_upsampling: Type.Boolean({ default: false, description: 'Enhances the prompt; the result carries the one that was drawn.' }),
  seed: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: -(2 ** 63),
    maximum: 2 ** 63,
    default: null,
    mustBe: 'a signed 64-bit integer',
    description: 'Any signed 64-bit integer; the same seed gives the same bytes. Null: a random seed, which the result contains.',
  }),
  safety_tolerance: Type.Integer({ minimum: 0, maximum: 6, default: usualTolerance, description: '0 is strictest, 6 most lenient.' }),
  output_format: Type.Union([Type.Literal('jpeg'), Type.Literal('png')], { default: 'jpeg', description: 'File format of the picture.' }),
  webhook_url: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'http-url',
    maxLength: 2083,
    default: null,
    mustBe: 'an http or https URL',
    description: 'Called when the task has ended.',
  }),
  webhook_secret: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 256,
    // Matches the header values that RFC 9110, 5.5 allows, except those with bytes beyond ASCII.
    // The standard allows such bytes only as obsolete and does not define which characters they
    // stand for.
    pattern: '^[\\x21-\\x7e]([\\t\\x20-\\x7e]*[\\x21-\\x7e])?$',
    default: null,
    mustBe: 'what a header can carry: printable ASCII, with spaces and tabs inside and not at its ends',
    description: 'Sent in X-Webhook-Secret, and the key of the Standard Webhooks signature.',
  }),
  model: modelField(),
})

/** Statuses of a task. The interface documents only `Ready`; the other words come from the
 *  vendor's API (docs/interface/pictures.md#f1, docs/vendors/bfl.md#task-states). */
const f1Statuses = ['Pending', 'Ready', 'Request Moderated', 'Content Moderated', 'Error', 'Task not found'] as const
export type F1Status = (typeof f1Statuses)[number]

const picture = namedObject('Image', {
  seed: Type.Unsafe<number>({ type: 'integer', description: 'The seed that was used.' }),
  prompt: Type.String({ description: 'The prompt that was drawn.' }),
  sample: Type.String({
    format: 'http-url',
    description: 'Signed URL of the image, valid for 10 minutes; every query gives a fresh one.',
  }),
  duration: Type.Number({ unit: 's' }),
  start_time: Type.Number({ description: 'Unix seconds.' }),
  end_time: Type.Number({ description: 'Unix seconds.' }),
  not_drawn: Type.Optional(notDrawnField()),
  not_followed: Type.Optional(
    notFollowedField(
      'Fields the model did not follow, by name: seed (it takes none), width and height or aspect_ratio (the picture has its own), ...',
    ),
  ),
})

const resultReply = namedObject('ImageTask', {
  id: Type.String(),
  status: words(f1Statuses, { description: 'Pending is the only one that changes.' }),
  result: Type.Union([picture, Type.Null()]),
  progress: Type.Unsafe<number | null>({ type: ['number', 'null'], description: '0 to 1 while the task runs.' }),
  details: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description: 'Moderation reasons, or the sentence of an error.',
  }),
  preview: Type.Null(),
})

const submitReply = namedObject('ImageTaskAccepted', {
  id: Type.String({ description: 'Id of the task.' }),
  polling_url: Type.String({ format: 'http-url', description: 'Absolute URL of the result operation with the id in its query.' }),
})

/** Schemas of error bodies as the family's clients expect them (docs/vendors/bfl.md#errors), with
 *  the gateway's own error object in addition. */
const failures = {
  plain: namedObject('ImageError', { detail: Type.String(), error: gatewayError }),
  invalid: namedObject('ImageRequestInvalid', {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: 'Where: `body`, then the path of the field.' }),
        msg: Type.String(),
        type: Type.String({ description: 'The rule or keyword that failed.' }),
      }),
    ),
    error: gatewayError,
  }),
  noTask: namedObject('ImageTaskNotFound', {
    id: orNull<string>('string'),
    status: Type.Literal('Task not found'),
    result: Type.Null(),
    detail: Type.String(),
    error: gatewayError,
  }),
}

export const fieldNames = {
  image: 'input_image',
  aspectRatio: 'aspect_ratio',
  expandPrompt: 'prompt_upsampling',
  safetyTolerance: 'safety_tolerance',
  format: 'output_format',
} as const

const rules: Rule<{ width: number; height: number; aspect_ratio?: string | undefined }>[] = [
  {
    id: 'area',
    says: 'width x height is at most 16,777,216 pixels.',
    field: 'width',
    source: 'ours',
    holds: body => body.width * body.height <= pictureMostPixels,
    explain: body => `width x height is ${body.width * body.height} pixels; at most ${pictureMostPixels}.`,
  },
  {
    id: 'ratio',
    says: 'aspect_ratio is from 3:7 to 7:3.',
    field: 'aspect_ratio',
    holds: body => body.aspect_ratio === undefined || isRatioAllowed(body.aspect_ratio),
    explain: body => `aspect_ratio is ${body.aspect_ratio}; it must be from 3:7 to 7:3.`,
  },
]

export const f1 = defineFamily({
  id: 'F1',
  title: 'Image generation and editing',
  isShownFirst: true,
  source: 'docs/interface/pictures.md#f1',
  description:
    'Asynchronous: a submit answers with an id and a polling URL; the result operation tells the state and the signed URL of the picture.',
  models: [
    { id: 'MaaS_ImgF_P', title: 'Image, explicit size', capability: 'image.generate', group: 'P' },
    { id: 'MaaS_ImgF_KG', title: 'Image, aspect ratio', capability: 'image.generate', group: 'KG' },
    { id: 'MaaS_ImgF_KE', title: 'Image editing', capability: 'image.edit', group: 'KE' },
  ],
  groupOf: ({ fields }) => (fields.has('input_image') ? 'KE' : fields.has('aspect_ratio') ? 'KG' : 'P'),
  requiredByGroup: { KE: ['input_image'] },
  fieldNames,
  deadlineMs: hourMs,
  linkLifetimeMs: 10 * 60_000,
  keepMs: 7 * dayMs,
  failure,
  operations: {
    submit: operation({
      operationId: 'generateImage',
      method: 'POST',
      path: '/v1/ai/{endpoint}/imgf/image/generate',
      summary: 'Generate or edit an image',
      choosesModel: true,
      body: { schema: submitBody },
      rules,
      neutralForm: neutralForm({
        capabilities: ['image.generate', 'image.edit'],
        rules,
        bodyOf: ({ request: { width = 0, height = 0, aspectRatio } }) => ({ width, height, aspect_ratio: aspectRatio }),
      }),
      needs: ['sentBody'],
      reply: { schema: submitReply },
      examples: [
        {
          title: 'Explicit size (P)',
          body: { prompt: 'a red fox under a cherry tree at sunset, watercolor', width: 1024, height: 768, seed: 7 },
          reply: {
            id: '01kb2v0f5w9h3t8m6q4y7z1xcd',
            polling_url: 'https://gateway.example/v1/ai/default/imgf/get_result?id=01kb2v0f5w9h3t8m6q4y7z1xcd',
          },
        },
        {
          title: 'Aspect ratio (KG)',
          body: { prompt: '三只帆船在暴风雨的夜晚', aspect_ratio: '16:9', output_format: 'png' },
          reply: {
            id: '01kb2v0f5w9h3t8m6q4y7z1xce',
            polling_url: 'https://gateway.example/v1/ai/default/imgf/get_result?id=01kb2v0f5w9h3t8m6q4y7z1xce',
          },
        },
      ],
    }),
    result: operation({
      operationId: 'getImageTask',
      method: 'GET',
      path: '/v1/ai/{endpoint}/imgf/get_result',
      summary: 'State and result of an image task',
      readsTask: { parameter: 'id', in: 'query' },
      query: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, description: 'Id of the task.' }) }),
      reply: { schema: resultReply },
      failsWith: ['gone'],
      examples: [
        {
          title: 'Ready',
          query: { id: '01kb2v0f5w9h3t8m6q4y7z1xcd' },
          needs: 'the id of a task that a submit was answered with.',
          reply: {
            id: '01kb2v0f5w9h3t8m6q4y7z1xcd',
            status: 'Ready',
            result: {
              seed: 7,
              prompt: 'a red fox under a cherry tree at sunset, watercolor',
              sample: 'https://gateway.example/files/01kb2v0g?exp=1795000000&kid=k1&sig=abc',
              duration: 1.12,
              start_time: 1794999000.25,
              end_time: 1794999001.37,
              not_drawn: [],
              not_followed: [],
            },
            progress: null,
            details: null,
            preview: null,
          },
        },
      ],
    }),
  },
})

/** Returns status and body of an error. The body has the member `detail`, which the family's
 *  clients read (docs/vendors/bfl.md#errors), and the gateway's own `error` object. For an
 *  invalid field, the status is 422 and `detail` is a list. */
function failure(error: GatewayError, requestId: string): Failure {
  const body = { error: errorObject(error, requestId) }
  if (error.code === 'task_not_found')
    return {
      status: 404,
      schema: failures.noTask,
      body: { id: error.subject ?? null, status: 'Task not found', result: null, detail: error.message, ...body },
    }
  if (error.code === 'invalid_request' && error.issues.length > 0) {
    return {
      status: 422,
      schema: failures.invalid,
      body: { detail: error.issues.map(issue => ({ loc: issue.path, msg: issue.message, type: issue.rule })), ...body },
    }
  }
  return { status: error.status, schema: failures.plain, body: { detail: error.message, ...body } }
}

function isRatioAllowed(ratio: string): boolean {
  const [width = 0, height = 1] = ratio.split(':').map(Number)
  return width / height >= ratios.least && width / height <= ratios.most
}

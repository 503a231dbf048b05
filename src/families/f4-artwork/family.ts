/** Family F4 (docs/interface/pictures.md#f4): artwork jobs of four pictures, redraws of a region of
 *  one of them, and upscales. */

import { type ErrorCode, errorCatalogue, type GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, hourMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { linkLimits, modelField, notDrawnField, notFollowedField, promptField } from '../shared/common-fields.ts'
import { promptParameter } from './flags.ts'

const needs = 'the id of a job of yours that has succeeded.'

const common = {
  callback: optional.string({
    ...linkLimits,
    source: 'ours',
    description: 'Called with the job record when the job has ended; signed after Standard Webhooks.',
  }),
  model: modelField(),
}

const diffusionBody = Type.Object({
  text: promptField(
    'What to draw, and behind it inline flags: `--version` or `-v` (5 to 8.1, usually 7), `--aspect W:H`, `--draft` (half the sides), `--fast`, `--turbo`, `--no`, `--seed`; others of the dialect (`--stylize`, `--chaos`, `--style raw`, ...; short and long spellings mean the same) are passed to targets that know them, and named in `x-gateway-warning` where none does. The last of a kind wins.',
    { examples: ['a copper kettle, ink sketch --aspect 3:2'] },
  ),
  ...common,
})

const ofJob = {
  jobId: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A job that has succeeded. It is done by the same model, unless another one is named.',
  }),
  imageNo: Type.Integer({ minimum: 0, maximum: 3, description: 'Which of its pictures, from 0.' }),
}

/** Largest number of areas in a mask. The interface defines only the length of a mask's sides
 *  (docs/interface/pictures.md#f4); the limits on the number of areas and coordinates are the
 *  gateway's own. */
const mostAreas = 16
const mostNumbers = 2000
const side = { minimum: 500, maximum: 4096, unit: 'px' } as const

const area = Type.Object({
  width: Type.Integer({ ...side, description: 'Width of the picture as the points see it; it is scaled to the real one.' }),
  height: Type.Integer({ ...side, description: 'The same of the height.' }),
  points: Type.Array(Type.Integer({ minimum: 0, maximum: side.maximum }), {
    minItems: 6,
    maxItems: mostNumbers,
    description: 'Corners of a polygon: x, y, x, y, ... Within width and height.',
  }),
})
export type Area = Type.Static<typeof area>

const inpaintBody = Type.Object({
  ...ofJob,
  mask: Type.Object({
    areas: Type.Array(area, {
      minItems: 1,
      maxItems: mostAreas,
      description: 'The part that is drawn again; the rest of the picture stays unchanged.',
    }),
  }),
  remixPrompt: Type.Optional(promptField('What is to be seen there, with flags like `text`. Absent: the text of the job.')),
  ...common,
})

type MaskFields = { mask: { areas: Area[] } }

const wholePolygon: Rule<MaskFields> = {
  id: 'points-even',
  says: 'mask.areas[].points has as many x as y.',
  field: 'mask',
  source: 'ours',
  holds: ({ mask }) => mask.areas.every(({ points }) => points.length % 2 === 0),
  explain: ({ mask }) =>
    `mask.areas[].points has ${mask.areas.find(({ points }) => points.length % 2 !== 0)?.points.length} numbers; it must have as many x as y.`,
}

const insidePicture: Rule<MaskFields> = {
  id: 'points-inside',
  says: 'Every point lies within width and height of its area.',
  field: 'mask',
  source: 'ours',
  holds: ({ mask }) => mask.areas.every(each => outsideOf(each) === undefined),
  explain: ({ mask }) => {
    const outside = mask.areas.findIndex(each => outsideOf(each) !== undefined)
    const { width, height, points } = mask.areas[outside]!
    const at = outsideOf(mask.areas[outside]!)!
    return `mask.areas[${outside}].points[${at}] is ${points[at]}; at most ${at % 2 === 0 ? width : height}.`
  },
}

function outsideOf({ width, height, points }: Area): number | undefined {
  const at = points.findIndex((value, index) => value > (index % 2 === 0 ? width : height))
  return at < 0 ? undefined : at
}

/** Types of upscales; the index in this list is the number by which callers choose a type. Each
 *  type exists for the model versions from `least` to below `most`. Types 0 and 1 come from
 *  docs/interface/pictures.md#f4; types 2 and 3 from docs/vendors/youchuan.md#operations. */
export const upscales = [
  { factor: 2, mode: 'subtle', least: 6, most: 9 },
  { factor: 2, mode: 'creative', least: 6, most: 9 },
  { factor: 2, mode: 'subtle', least: 5, most: 6 },
  { factor: 4, mode: 'subtle', least: 5, most: 6 },
] as const

const upscaleBody = Type.Object({
  ...ofJob,
  type: Type.Integer({
    minimum: 0,
    maximum: upscales.length - 1,
    default: 0,
    description:
      '0: subtle, 1: creative, both of versions from 6 on and to twice the sides. 2: twice the sides, 3: four times, both of version 5.',
  }),
  ...common,
})

/** The values of `comment` (docs/vendors/youchuan.md#job-record). */
const comments = [
  'Queued',
  'Running',
  'Success',
  'Error',
  'Reject',
  'TextReject',
  'BadPrompt',
  'InvalidParameter',
  'Timeout',
  'MaxConcurrentLimited',
  'Canceled',
] as const
export type JobComment = (typeof comments)[number]

const job = namedObject('ArtworkJob', {
  id: Type.String({ description: 'Id of the job.' }),
  text: Type.String({ description: 'The prompt, as it was given.' }),
  seed: Type.Integer({ description: 'Of the first picture; picture i has the seed + i.' }),
  status: Type.Integer({ minimum: 0, maximum: 3, description: '0 created, 1 in progress, 2 successful, 3 failed. 2 and 3 are final.' }),
  comment: words(comments, { description: 'The state in more detail.' }),
  urls: Type.Array(Type.String(), {
    description:
      'Signed URLs of the pictures once the job has ended, valid for 24 hours; every query gives fresh ones. Empty for a picture that was rejected; a single empty one: all were.',
  }),
  audits: Type.Array(Type.String(), { description: 'Aligned with `urls`: empty for an approved picture, else why it is not there.' }),
  message: optional.string({ source: 'ours', description: 'Why the job failed.' }),
  not_drawn: Type.Optional(notDrawnField()),
  not_followed: Type.Optional(notFollowedField('What the model did not follow: `flags` (those of the dialect), `--seed`, ...')),
})

const failureBody = namedObject('ArtworkError', {
  code: Type.Integer({ description: 'The HTTP status.' }),
  reason: Type.String({ description: 'The word that clients of the dialect read.' }),
  message: Type.String(),
  error: gatewayError,
})

/** Ids of the two rules for upscales whose errors have a reason of their own (a word in the error
 *  body) in this family. */
export const upscaleRules = { wrongVersion: 'upscale-version', again: 'upscale-again' } as const

const id = '01kb2v0f5w9h3t8m6q4y7z1xcd'
const text = 'a copper kettle, ink sketch --aspect 3:2 --seed 11'
const queued = { id, text, seed: 11, status: 0, comment: 'Queued', urls: [], audits: [] }
const links = [0, 1, 2, 3].map(index => `https://gateway.example/files/01kb2v0g${index}?exp=1795000000&kid=k1&sig=abc`)
const path = (operation: string) => `/v1/ai/{endpoint}/tob/${operation}`

export const f4 = defineFamily({
  id: 'F4',
  title: 'Artwork jobs',
  source: 'docs/interface/pictures.md#f4',
  description:
    'Asynchronous: a submit answers with a job record, and a query gives it again as it then is. A job draws four pictures of about one megapixel; one of them can then be redrawn within polygons, or upscaled.',
  models: [{ id: 'MaaS_Art_v7', title: 'Artwork', capability: 'image.generate' }],
  fieldNames: {
    ...{ prompt: 'text', negativePrompt: '--no', seed: '--seed', aspectRatio: '--aspect', width: '--aspect', height: '--aspect' },
    ...{ image: 'imageNo', regions: 'mask', factor: 'type', mode: 'type' },
  },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: 7 * dayMs,
  failure,
  operations: {
    diffusion: operation({
      operationId: 'createArtwork',
      method: 'POST',
      path: path('diffusion'),
      summary: 'Draw four pictures of a text',
      choosesModel: true,
      body: { schema: diffusionBody },
      needs: ['notFollowed'],
      reply: { schema: job },
      examples: [{ title: 'Four pictures', body: { text }, reply: queued }],
    }),
    inpaint: operation({
      operationId: 'redrawArtwork',
      method: 'POST',
      path: path('inpaint'),
      summary: 'Redraw regions of a picture, four times',
      choosesModel: true,
      continuesTask: 'jobId',
      body: { schema: inpaintBody },
      rules: [wholePolygon, insidePicture],
      neutralForm: neutralForm({
        capabilities: ['image.edit'],
        rules: [wholePolygon, insidePicture],
        bodyOf: ({ request: { regions } }) => regions && { mask: { areas: regions } },
      }),
      needs: ['files', 'notFollowed'],
      reply: { schema: job },
      examples: [
        {
          title: 'A blue door',
          body: {
            ...{ jobId: id, imageNo: 2, remixPrompt: 'a blue door' },
            mask: { areas: [{ width: 1248, height: 832, points: [40, 60, 400, 60, 400, 300, 40, 300] }] },
          },
          needs,
          reply: { ...queued, id: '01kb2v0f5w9h3t8m6q4y7z1xce', text: 'a blue door' },
        },
      ],
    }),
    upscale: operation({
      operationId: 'upscaleArtwork',
      method: 'POST',
      path: path('upscale'),
      summary: 'Make a picture larger',
      choosesModel: true,
      continuesTask: 'jobId',
      body: { schema: upscaleBody },
      needs: ['files'],
      reply: { schema: job },
      examples: [
        { title: 'Subtle', body: { jobId: id, imageNo: 0, type: 0 }, needs, reply: { ...queued, id: '01kb2v0f5w9h3t8m6q4y7z1xcf' } },
      ],
    }),
    query: operation({
      operationId: 'getArtwork',
      method: 'GET',
      path: path('job/{jobId}'),
      summary: 'State and pictures of a job',
      readsTask: { parameter: 'jobId', in: 'path' },
      reply: { schema: job },
      examples: [
        {
          title: 'Three of four approved',
          path: { jobId: id },
          needs: 'the id of a job that a submit was answered with.',
          reply: {
            ...queued,
            status: 2,
            comment: 'Success',
            urls: links.with(2, ''),
            audits: ['', '', 'violence', ''],
            not_drawn: [],
            not_followed: [],
          },
        },
      ],
    }),
  },
})

/** Values of `reason` in error bodies, in the vendor's spelling (docs/vendors/youchuan.md#errors),
 *  by the gateway's error codes. For all other codes, the HTTP status determines the reason. */
const reasonsByCode: Partial<Record<ErrorCode, string>> = {
  request_moderated: 'Msg_Sensitive',
  invalid_signature: 'Permission_Denied',
  quota_exceeded: 'Account_Fee_Not_Enough',
}
const reasonsByStatus: Readonly<Record<number, string>> = {
  401: 'Invalid_App_Identifier',
  403: 'Permission_Denied',
  404: 'Not_Found',
  405: 'Not_Support',
  408: 'Request_Timout',
  429: 'Max_Concurrent_Limited',
  501: 'Not_Support',
  503: 'Server_Busy',
  504: 'Request_Timout',
}

function failure(error: GatewayError, requestId: string): Failure {
  const { status, reason } = verdictOf(error)
  return { status, schema: failureBody, body: { code: status, reason, message: error.message, error: errorObject(error, requestId) } }
}

function verdictOf({ code, issues, status }: GatewayError): { status: number; reason: string } {
  switch (issues[0]?.rule) {
    case promptParameter:
      return { status, reason: 'Invalid_Prompt_Parameter' }
    case upscaleRules.again:
      return { status, reason: 'Job_ReUpscale_Not_Support' }
    case upscaleRules.wrongVersion:
      return { status: 403, reason: 'Upscale_Not_Support' }
    default: {
      const usual = errorCatalogue[code].status >= 500 ? 'Internal_Server_Error' : 'Invalid_Argument'
      return { status, reason: reasonsByCode[code] ?? reasonsByStatus[status] ?? usual }
    }
  }
}

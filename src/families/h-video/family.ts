/** Family H (docs/interface/videos.md#h): videos of 6 or 10 seconds from a prompt, frames or a
 *  person, as tasks. */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { callbackField, modelField, notFollowedField } from '../shared/common-fields.ts'
import { exampleFrame } from '../shared/example-frame.ts'
import { baseCodeOf, baseCodes } from './codes.ts'
import { aliases, resolutions, variants, variantsWith } from './variants.ts'

/** Allowed frames: the short side is longer than 300 px, and the ratio is between 2:5 and 5:2
 *  (docs/interface/videos.md#h). */
const frameShape = { minSide: 301, ratio: { least: 2 / 5, most: 5 / 2 } } as const
const firstFrame = {
  role: 'first-frame',
  needsDataUrl: true,
  mediaTypes: ['image/jpeg', 'image/png'],
  maxBytes: 20 * MiB,
  ...frameShape,
} as const
/** Largest size in bytes of a file that must be smaller than 20 MB: a last frame, a subject. */
const belowBytes = 20 * MiB - 1
const lastFrame = {
  ...firstFrame,
  role: 'last-frame',
  mediaTypes: ['image/jpeg', 'image/png', 'image/webp'],
  maxBytes: belowBytes,
} as const
const subject = { role: 'subject', needsDataUrl: true, mediaTypes: ['image/jpeg', 'image/png'], maxBytes: belowBytes } as const

/** Variants whose length and size the caller can choose. */
const choosing = variantsWith(({ choosesSize }) => choosesSize)

const createBody = Type.Object({
  prompt: Type.String({
    maxLength: 2000,
    default: '',
    description:
      'What happens. In 02 and the director variants, words in square brackets move the camera: `[Push In, Pan Left]` at once, `[Push In] ... [Fixed]` one after another.',
    examples: ['A kite over dunes, the wind picks up [Push In], then a gull comes by [Follow]'],
  }),
  promptOptimizer: Type.Boolean({ default: true, description: 'False: the prompt is followed more strictly.' }),
  fastPretreatment: Type.Boolean({ default: false, groups: choosing, description: 'Shortens the work of the optimizer.' }),
  duration: Type.Unsafe<6 | 10>({ enum: [6, 10], default: 6, unit: 's', groups: choosing, description: '10 only with 768P.' }),
  resolution: words(['768P', '1080P'], { default: '768P', groups: choosing, description: 'Short side of the video.' }),
  firstFrameImage: optional.string({
    minLength: 1,
    file: firstFrame,
    groups: variantsWith(({ frames }) => frames !== 'none'),
    description: 'A data URL or an http(s) URL. The video has its shape.',
  }),
  lastFrameImage: optional.string({
    minLength: 1,
    file: lastFrame,
    groups: variantsWith(({ frames }) => frames === 'both'),
    description: 'The same of the end; of another shape it is cut to that of the first frame.',
  }),
  subjectReference: optional.array(
    Type.Object({
      type: words(['character']),
      image: Type.Array(Type.String({ minLength: 1, file: subject }), { minItems: 1, maxItems: 1, description: 'The face of a person.' }),
    }),
    { minItems: 1, maxItems: 1, groups: variantsWith(({ hasSubject }) => hasSubject), description: 'Who is in the video.' },
  ),
  callbackUrl: callbackField('Called with the state when the task has ended.'),
  model: modelField(),
})

type CreateBody = Type.Static<typeof createBody>

interface RuleFields extends Pick<CreateBody, 'prompt' | 'firstFrameImage' | 'lastFrameImage'> {
  duration: number
  resolution: string
}

const rules: Rule<RuleFields>[] = [
  {
    id: 'ten-seconds',
    says: 'duration 10 goes with resolution 768P only.',
    field: 'duration',
    groups: choosing,
    holds: ({ duration, resolution }) => duration === 6 || resolution === '768P',
    explain: ({ resolution }) => `duration is 10 and resolution ${resolution}; 10 seconds are made in 768P only.`,
  },
  {
    id: 'last-needs-first',
    says: 'lastFrameImage goes with firstFrameImage.',
    field: 'lastFrameImage',
    holds: ({ firstFrameImage, lastFrameImage }) => lastFrameImage === undefined || firstFrameImage !== undefined,
    explain: () => 'lastFrameImage needs firstFrameImage beside it.',
  },
  {
    id: 'prompt-needed',
    says: 'prompt is required.',
    field: 'prompt',
    groups: variantsWith(({ needsPrompt }) => needsPrompt),
    holds: hasWords,
    explain: () => 'prompt is required and has to have words.',
  },
  {
    id: 'prompt-or-frame',
    says: 'There is a prompt or a firstFrameImage.',
    field: 'prompt',
    groups: choosing,
    holds: body => hasWords(body) || body.firstFrameImage !== undefined,
    explain: () => 'prompt is required, or firstFrameImage in its place.',
  },
]

const videoForm = neutralForm({
  capabilities: ['video.generate'],
  rules,
  bodyOf: call => {
    const { prompt, seconds, width, height } = call.request
    const resolution = Math.min(width, height) <= resolutions['768P'].short ? '768P' : '1080P'
    const [first] = inputsOf(call, 'first-frame')
    const [last] = inputsOf(call, 'last-frame')
    return { prompt, duration: seconds, resolution, ...defined({ firstFrameImage: first?.mediaType, lastFrameImage: last?.mediaType }) }
  },
})

function hasWords({ prompt }: RuleFields): boolean {
  return /\S/.test(prompt)
}

const statuses = ['Preparing', 'Queueing', 'Processing', 'Success', 'Fail'] as const
export type VideoStatus = (typeof statuses)[number]

const baseResponse = namedObject('ClipBaseResponse', {
  status_code: Type.Integer({
    description: `0: nothing is wrong. ${Object.entries(baseCodes)
      .map(([code, says]) => `${code}: ${says}`)
      .join(', ')}.`,
  }),
  status_msg: Type.String({ description: '`success`, or what is wrong.' }),
})

const created = namedObject('ClipAccepted', { taskId: Type.String({ description: 'Id of the task.' }), base_resp: baseResponse })

const inBothSpellings = (description: string) => ({ description: `${description} Both spellings say the same.` })
const task = namedObject('ClipTask', {
  taskId: Type.String(inBothSpellings('Id of the task.')),
  task_id: Type.String(),
  status: words(statuses, {
    description: '`Preparing` until a free worker had the time to take it, then `Queueing`. `Success` and `Fail` are final.',
  }),
  fileId: Type.String(inBothSpellings('What the file operation takes; empty until `Success`.')),
  file_id: Type.String(),
  videoWidth: Type.Integer({ ...inBothSpellings('Pixels; 0 until `Success`.'), unit: 'px' }),
  video_width: Type.Integer({ unit: 'px' }),
  videoHeight: Type.Integer({ ...inBothSpellings('Pixels; 0 until `Success`.'), unit: 'px' }),
  video_height: Type.Integer({ unit: 'px' }),
  base_resp: baseResponse,
  not_followed: Type.Optional(notFollowedField()),
})

const file = namedObject('ClipFile', {
  taskId: Type.String(),
  createdAt: Type.String({ description: 'Unix seconds.' }),
  filename: Type.String(),
  purpose: Type.Integer({ description: 'Always 1: a generated video.' }),
  mediaUrl: Type.String({
    format: 'http-url',
    description: 'Signed URL of the video, valid for 24 hours; every query gives a fresh one.',
  }),
  fileId: Type.String({ source: 'ours' }),
  bytes: Type.Integer({ source: 'ours', unit: 'bytes' }),
  base_resp: baseResponse,
})

const ok = { status_code: 0, status_msg: 'success' }
const taskId = '01kb2v0f5w9h3t8m6q4y7z1xcd'
const fileId = '01kb2v0g6x0j4v9n7r5z8a2ydf'
const needs = 'the id of a task that a submit was answered with.'
const accepted = { taskId, base_resp: ok }

export const h = defineFamily({
  id: 'H',
  title: 'Video from words, frames and faces',
  source: 'docs/interface/videos.md#h',
  description:
    'Asynchronous: a submit answers with the id of a task, a query tells its state and the id of its file, and the file operation the signed URL of the video. The model is the one of the endpoint, or `model`; without either it is 02, or the one of persons where a subject is given.',
  models: Object.entries(variants).map(([group, { id, title }]) => ({ id, title, capability: 'video.generate' as const, group })),
  aliases,
  groupOf: ({ fields }) => (fields.has('subjectReference') ? 's2v' : '02'),
  requiredByGroup: {
    ...Object.fromEntries(variantsWith(({ frames }) => frames === 'first').map(name => [name, ['firstFrameImage']])),
    ...Object.fromEntries(variantsWith(({ hasSubject }) => hasSubject).map(name => [name, ['subjectReference']])),
  },
  fieldNames: {
    expandPrompt: 'promptOptimizer',
    promptMode: 'fastPretreatment',
    seconds: 'duration',
    width: 'resolution',
    height: 'resolution',
    camera: 'prompt',
    'first-frame': 'firstFrameImage',
    'last-frame': 'lastFrameImage',
    subject: 'subjectReference',
  },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: 7 * dayMs,
  failure,
  operations: {
    create: operation({
      operationId: 'generateClip',
      method: 'POST',
      path: '/v1/ai/{endpoint}/vidh/video/generate',
      summary: 'Generate a video',
      choosesModel: true,
      body: { schema: createBody },
      rules,
      neutralForm: videoForm,
      reply: { schema: created },
      examples: [
        {
          title: 'From words, with camera',
          body: { prompt: 'A kite over dunes [Push In], then a gull comes by [Follow]', duration: 6, resolution: '768P' },
          reply: accepted,
        },
        {
          title: 'From a picture',
          body: { prompt: 'the sun goes down', firstFrameImage: `data:image/png;base64,${exampleFrame}` },
          reply: accepted,
        },
      ],
    }),
    query: operation({
      operationId: 'getClip',
      method: 'GET',
      path: '/v1/ai/{endpoint}/vidh/video/task/{task_id}',
      summary: 'State of a video task',
      readsTask: { parameter: 'task_id', in: 'path' },
      reply: { schema: task },
      examples: [
        {
          title: 'Success',
          path: { task_id: taskId },
          needs,
          reply: {
            ...{ taskId, task_id: taskId, status: 'Success', fileId, file_id: fileId },
            ...{ videoWidth: 1366, video_width: 1366, videoHeight: 768, video_height: 768, base_resp: ok },
          },
        },
      ],
    }),
    file: operation({
      operationId: 'getClipFile',
      method: 'GET',
      path: '/v1/ai/{endpoint}/vidh/video/file',
      summary: 'Link of a video',
      query: Type.Object({
        taskId: Type.String({ minLength: 1, maxLength: 200, description: 'Id of the task.' }),
        fileId: Type.String({ minLength: 1, maxLength: 200, description: 'Id of the file, from the answer of the query.' }),
      }),
      reply: { schema: file },
      failsWith: ['task_not_found'],
      examples: [
        {
          title: 'A video',
          query: { taskId, fileId },
          needs: 'the ids of a task that has succeeded and of its file.',
          reply: {
            ...{ taskId, createdAt: '1794999001', filename: `${taskId}.mp4`, purpose: 1 },
            mediaUrl: 'https://gateway.example/files/01kb2v0g6x0j4v9n7r5z8a2ydf?exp=1795000000&kid=k1&sig=abc',
            ...{ fileId, bytes: 5_120_345, base_resp: ok },
          },
        },
      ],
    }),
  },
})

const failed = namedObject('ClipError', {
  taskId: Type.String({ description: 'The id of a task that does not exist; else empty.' }),
  base_resp: baseResponse,
  error: gatewayError,
})

/** Returns status and body of an error. In addition to the HTTP status, `base_resp` in the body
 *  contains the vendor's code for the error (docs/interface/videos.md#h,
 *  docs/vendors/minimax.md#error-codes). */
function failure(error: GatewayError, requestId: string): Failure {
  const base_resp = { status_code: baseCodeOf(error.code), status_msg: error.message }
  return { status: error.status, schema: failed, body: { taskId: error.subject ?? '', base_resp, error: errorObject(error, requestId) } }
}

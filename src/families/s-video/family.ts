/** Family S (docs/interface/videos.md#s): videos in the protocol of OpenAI's clients. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FileFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { PictureSize } from '@generation-gateway/kit/requests/image.ts'
import { dayMs, minuteMs } from '@generation-gateway/kit/units.ts'
import Type, { type Static } from 'typebox'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import type { BrokenRule } from '../../contract/neutral-call.ts'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional, orNull, words } from '../../contract/schemas.ts'
import { inputImageLimits, modelField, promptField } from '../shared/common-fields.ts'
import { openaiFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'

/** Sizes in pixels (docs/interface/videos.md#s). */
export const sizes = { '720x1280': { width: 720, height: 1280 }, '1280x720': { width: 1280, height: 720 } } as const
export type Size = keyof typeof sizes
export const lengths = ['4', '8', '12'] as const

/** A video can be downloaded for this many milliseconds after its completion
 *  (docs/interface/videos.md#s). */
export const contentMs = dayMs

/** The variants of a video that can be downloaded, each with the role of its output file. */
export const variants = { video: 'video', thumbnail: 'thumbnail', spritesheet: 'spritesheet' } as const
export type Variant = keyof typeof variants

const picture = (description: string, source: 'interface' | 'ours') =>
  Type.String({
    minLength: 1,
    source,
    file: { role: 'first-frame', ...inputImageLimits, mediaTypes: ['image/jpeg', 'image/png', 'image/webp'] },
    description,
  })

const createBody = Type.Object({
  prompt: promptField('What is to be seen: subject, setting, camera, light.', {
    maxLength: 32_000,
    examples: ['a paper boat drifts down a rainy street, low camera'],
  }),
  size: words(['720x1280', '1280x720'], { default: '720x1280', description: 'Width x height in pixels.' }),
  seconds: words(lengths, { default: '4', unit: 's', description: 'Length of the video.' }),
  input_reference: Type.Optional(
    Type.Union(
      [
        picture('A file part, or in JSON base64, a data URL or an http(s) URL.', 'interface'),
        Type.Object({ image_url: picture('A data URL or an http(s) URL.', 'ours') }, { source: 'ours' }),
      ],
      { description: 'A picture that is the first frame: exactly of the size of the video.' },
    ),
  ),
  remix_video_id: optional.string({
    maxLength: 200,
    description: 'Not supported, as the interface documents it: a request that has it is refused. A remix has an operation of its own.',
  }),
  model: modelField(),
})

const remixBody = Type.Object({
  prompt: promptField('What is to be different; the rest stays as it is.', {
    maxLength: 32_000,
    examples: ['the same street at night, in snow'],
  }),
  model: modelField(),
})

const noRemix: Rule<Static<typeof createBody>> = {
  id: 'remix-parameter',
  says: 'remix_video_id is not supported yet.',
  field: 'remix_video_id',
  holds: ({ remix_video_id: remixed }) => remixed === undefined,
}

/** Returns the problem of a frame whose size differs from the video's; undefined when they are
 *  equal. */
export function frameProblem(
  frame: Pick<FileFacts, 'width' | 'height'>,
  { width, height }: PictureSize,
  field: string,
): BrokenRule | undefined {
  if (frame.width === width && frame.height === height) return undefined
  const message = `${field} is ${frame.width}x${frame.height}; it has to be ${width}x${height}, the size of the video.`
  return { id: 'same-size', field, message }
}

const statuses = ['queued', 'in_progress', 'completed', 'failed'] as const
export type VideoStatus = (typeof statuses)[number]

const video = namedObject('Video', {
  id: Type.String({ description: 'Begins with `video_`.' }),
  object: Type.Literal('video'),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  status: words(statuses, { description: '`completed` and `failed` are final.' }),
  completed_at: orNull<number>('integer', { description: 'Unix seconds, once it is completed.' }),
  error: Type.Union(
    [
      namedObject('VideoError', {
        code: Type.String({ description: '`moderation_blocked`, `timeout`, `cancelled`, `internal_error`, ...' }),
        message: Type.String({ description: 'What went wrong, with the field, its value and its limit where there is one.' }),
      }),
      Type.Null(),
    ],
    { description: 'The reason why the video has failed.' },
  ),
  expires_at: orNull<number>('integer', { description: 'Unix seconds: until then its content can be had, for 24 hours.' }),
  model: Type.String(),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: '100 only when it is completed; never falls.' }),
  prompt: orNull<string>('string', { source: 'ours', description: 'As it was given; null for one that is very long.' }),
  remixed_from_video_id: orNull<string>('string', { description: 'The video that this remix was made from.' }),
  seconds: Type.String({ unit: 's', description: 'The requested length.' }),
  size: Type.String({ description: 'Width x height in pixels.' }),
})
export type Video = Static<typeof video>

const videoList = namedObject('VideoList', {
  object: Type.Literal('list'),
  data: Type.Array(video),
  first_id: orNull<string>('string'),
  last_id: orNull<string>('string', { description: '`after` of the next page.' }),
  has_more: Type.Boolean(),
})

const deletedVideo = namedObject('DeletedVideo', {
  id: Type.String({ description: 'Begins with `video_`.' }),
  object: Type.Literal('video.deleted'),
  deleted: Type.Boolean({ description: 'Always true.' }),
})

/** Ids of the rules that refuse a request. Each id is also the error code in the answer;
 *  OpenAI's clients know these codes (docs/interface/videos.md#s). */
export const refusals = {
  notReady: 'video_not_ready',
  failed: 'video_failed',
  expired: 'video_expired',
  noVariant: 'video_variant_not_available',
} as const
const wordOfRule: Readonly<Record<string, string>> = {
  [noRemix.id]: 'unsupported_parameter',
  ...Object.fromEntries(Object.values(refusals).map(word => [word, word])),
}

function failure(error: GatewayError, requestId: string): Failure {
  const code = wordOfRule[error.issues[0]?.rule ?? '']
  if (code === undefined) return openaiFailure(error, requestId)
  const wire = { code, type: 'invalid_request_error', param: error.field ?? null }
  return openaiFailure(new GatewayError(error.code, error.message, { wire }), requestId)
}

const id = 'video_01kb2v0f5w9h3t8m6q4y7z1xcd'
const queued = {
  ...{ id, object: 'video', created_at: 1_795_000_000, status: 'queued', completed_at: null, error: null, expires_at: null },
  ...{ model: 'MaaS_VidS_2', progress: 0, prompt: 'a paper boat drifts down a rainy street, low camera', remixed_from_video_id: null },
  ...{ seconds: '8', size: '1280x720' },
}
const completed = { ...queued, status: 'completed', progress: 100, completed_at: 1_795_000_093, expires_at: 1_795_086_493 }
const remixed = {
  ...queued,
  id: 'video_01kb2v9q3e7n5r1d8w2f6h4yjk',
  prompt: 'the same street at night, in snow',
  remixed_from_video_id: id,
}
const needs = 'the id of a video that a submit was answered with.'

export const s = defineFamily({
  id: 'S',
  title: 'Videos',
  source: 'docs/interface/videos.md#s',
  description:
    'Asynchronous, as the videos interface of OpenAI: a submit answers with a video object, a query tells its state, and its content can be had for 24 hours once it is completed. With sound.',
  models: [{ id: 'MaaS_VidS_2', title: 'Videos with sound', capability: 'video.generate' }],
  aliases: { 'sora-2': 'MaaS_VidS_2', 'sora-2-pro': 'MaaS_VidS_2' },
  fieldNames: { width: 'size', height: 'size', 'first-frame': 'input_reference' },
  taskPrefix: 'video_',
  deadlineMs: 30 * minuteMs,
  linkLifetimeMs: contentMs,
  keepMs: 7 * dayMs,
  failure,
  operations: {
    create: operation({
      operationId: 'createVideo',
      method: 'POST',
      ...atEndpoint('videos'),
      summary: 'Create a video',
      choosesModel: true,
      body: { kinds: ['multipart', 'json'], schema: createBody },
      rules: [noRemix],
      neutralForm: neutralForm({
        capabilities: ['video.generate'],
        rules: [],
        bodyOf: () => ({}),
        problem: call => {
          const [frame] = inputsOf(call, 'first-frame')
          return frame && frameProblem(frame, call.request, 'input_reference')
        },
      }),
      reply: { schema: video },
      examples: [
        {
          title: 'Eight seconds',
          body: { prompt: queued.prompt, seconds: '8', size: '1280x720' },
          reply: queued,
        },
      ],
    }),
    list: operation({
      operationId: 'listVideos',
      method: 'GET',
      ...atEndpoint('videos'),
      summary: 'List videos',
      source: 'ours',
      query: Type.Object({
        after: optional.string({ minLength: 1, maxLength: 200, description: 'Begins behind this id: the last one of the page before.' }),
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Videos of a page.' }),
        order: words(['asc', 'desc'], { default: 'desc', description: 'By age: the newest first, or last.' }),
      }),
      needs: ['accountTasks'],
      reply: { schema: videoList },
      examples: [
        {
          title: 'The newest',
          query: { limit: '2' },
          reply: { object: 'list', data: [completed], first_id: id, last_id: id, has_more: false },
        },
      ],
    }),
    query: operation({
      operationId: 'getVideo',
      method: 'GET',
      ...atEndpoint('videos/{video_id}'),
      summary: 'State of a video',
      readsTask: { parameter: 'video_id', in: 'path' },
      reply: { schema: video },
      examples: [{ title: 'Completed', path: { video_id: id }, needs, reply: completed }],
    }),
    remove: operation({
      operationId: 'deleteVideo',
      method: 'DELETE',
      ...atEndpoint('videos/{video_id}'),
      summary: 'Delete a video',
      description:
        'One that is not made yet is cancelled. From then on it is not found: neither its object nor its content, and no list has it. To cancel one and still see it, delete it as a task.',
      source: 'ours',
      failsWith: ['task_not_found'],
      needs: ['taskEnding'],
      reply: { schema: deletedVideo },
      examples: [{ title: 'A video', path: { video_id: id }, needs, reply: { id, object: 'video.deleted', deleted: true } }],
    }),
    remix: operation({
      operationId: 'remixVideo',
      method: 'POST',
      ...atEndpoint('videos/{video_id}/remix'),
      summary: 'Make a video anew with other words',
      description:
        'A video of the same size and length, made from one that is completed. 400 `video_not_ready` before that, `video_failed` where it never will be, 404 `video_expired` 24 hours after it.',
      source: 'ours',
      choosesModel: true,
      continuesTask: { parameter: 'video_id', in: 'path' },
      body: { kinds: ['multipart', 'json'], schema: remixBody },
      failsWith: ['not_found', 'gone'],
      needs: ['files'],
      reply: { schema: video },
      examples: [{ title: 'Another weather', path: { video_id: id }, body: { prompt: remixed.prompt }, needs, reply: remixed }],
    }),
    content: operation({
      operationId: 'downloadVideo',
      method: 'GET',
      ...atEndpoint('videos/{video_id}/content'),
      summary: 'The video, or a picture of it',
      description:
        'Bytes; a part of them with `Range`. 400 `video_not_ready` before it is completed, `video_failed` where it never will be, 404 `video_expired` 24 hours after that.',
      query: Type.Object({
        variant: words(['video', 'thumbnail', 'spritesheet'], {
          default: 'video',
          source: 'ours',
          description: 'The video itself, or a picture of it where the target makes one.',
        }),
      }),
      failsWith: ['task_not_found', 'not_found', 'gone'],
      reply: {
        others: [{ kind: 'file', mediaTypes: ['video/mp4', 'image/webp', 'image/png', 'image/jpeg'], says: 'The bytes.' }],
        headers: { 'content-disposition': Type.String({ description: '`attachment`, with a file name.' }) },
      },
      examples: [{ title: 'The video', path: { video_id: id }, needs }],
    }),
  },
})

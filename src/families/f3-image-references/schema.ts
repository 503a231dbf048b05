/** Fields of a request and of its answers in family F3 (docs/interface/pictures.md#f3). */
import { MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { base64Field } from '../../contract/replies.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { modelField, notDrawnField, notFollowedField, promptField } from '../shared/common-fields.ts'

const newer = ['N1', 'N2', 'N3'] as const

export const mostReferences = 14
/** Largest number of references and generated pictures together. */
export const mostPictures = 15

const picture = () =>
  Type.String({
    minLength: 1,
    file: {
      role: 'image',
      needsDataUrl: true,
      mediaTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/bmp', 'image/tiff', 'image/gif'],
      maxBytes: 10 * MiB,
      maxPixels: 36_000_000,
      // Each side must be longer than 14 px (docs/interface/pictures.md#f3).
      minSide: 15,
      ratio: { least: 1 / 16, most: 16 },
      groups: { O2: { mediaTypes: ['image/jpeg', 'image/png'], ratio: { least: 1 / 3, most: 3 } } },
    },
    description: 'An http(s) URL, or a data URL with the format in lower case.',
  })

export const requestBody = Type.Object({
  prompt: promptField(
    'What to draw, or how to change the first image; the others are what it speaks of. Chinese or English, best at most 300 characters or 600 words.',
    { examples: ['a lighthouse on a cliff at dusk, watercolor'] },
  ),
  image: Type.Optional(
    Type.Union([picture(), Type.Array(picture(), { minItems: 1, maxItems: mostReferences })], {
      groups: [...newer, 'O2'],
      description: 'One reference image or up to 14; O2 takes and needs one.',
    }),
  ),
  size: optional.string({
    pattern: '^([1-4][kK]|adaptive|[1-9][0-9]{1,4}x[1-9][0-9]{1,4})$',
    mustBe: 'a tier like 2K, width x height in pixels like 2048x2048, or adaptive',
    examples: ['2K', '2048x2048'],
    description:
      'A tier: the shape follows from the prompt. Or width x height in pixels. Default 2048x2048; of O2 adaptive, the preset nearest to the image.',
  }),
  seed: Type.Integer({
    minimum: -1,
    maximum: 2_147_483_647,
    default: -1,
    groups: ['O2'],
    description: 'The same seed gives the same picture; -1: a random one.',
  }),
  sequential_image_generation: words(['auto', 'disabled'], {
    default: 'disabled',
    groups: newer,
    description: '`auto`: the model decides whether pictures that belong together are returned, and how many.',
  }),
  sequential_image_generation_options: optional.object(
    {
      max_images: optional.integer({
        minimum: 1,
        maximum: mostPictures,
        description: 'The most pictures of a group. Default 15 less the reference images.',
      }),
    },
    { groups: newer, description: 'Only looked at when sequential_image_generation is auto.' },
  ),
  stream: Type.Boolean({ default: false, groups: newer, description: 'Each picture as soon as it is made, as events.' }),
  tools: optional.array(Type.Object({ type: words(['web_search']) }), {
    maxItems: 16,
    groups: ['N1'],
    description: '`web_search`: the model may search the web.',
  }),
  guidance_scale: optional.number({
    minimum: 1,
    maximum: 10,
    groups: ['O1', 'O2'],
    description: 'How closely the picture keeps to the prompt. Default 2.5 of O1, 5.5 of O2.',
  }),
  response_format: words(['url', 'b64_json'], { default: 'url', description: 'Signed links that are valid for 24 hours, or base64.' }),
  watermark: Type.Boolean({ default: true, description: 'A text mark in the bottom right corner.' }),
  output_format: words(['jpeg', 'png'], { default: 'jpeg', groups: ['N1'], description: 'File format of the pictures.' }),
  optimize_prompt_options: optional.object(
    {
      mode: words(['standard', 'fast'], { default: 'standard', description: '`standard`: better and slower. `fast`: of N3 and O1.' }),
    },
    { groups: [...newer, 'O1'], description: 'How the model rewrites the prompt.' },
  ),
  model: modelField(),
})

export const pictureError = namedObject('ImageGroupItemError', {
  code: Type.String({ description: '`OutputImageSensitiveContentDetected`, `InternalServiceError`, ...' }),
  message: Type.String(),
})

const ours = {
  id: Type.String({ source: 'ours', description: 'Of the task that made them (`/v1/tasks/{id}`).' }),
  not_drawn: notDrawnField(),
  not_followed: notFollowedField('Fields that the model did not follow.'),
}

const place = {
  url: optional.string({ format: 'http-url', description: 'Signed link to the file, valid for 24 hours.' }),
  b64_json: Type.Optional(base64Field('The file in base64.')),
}

export const usage = namedObject('ImageGroupUsage', {
  generated_images: Type.Integer({ description: 'Pictures that were made.' }),
  output_tokens: Type.Integer({ description: 'The sum of width x height / 256, rounded.' }),
  total_tokens: Type.Integer({ description: 'The same.' }),
})

export const shapeR2 = namedObject('ImageGroup', {
  model: Type.String(),
  created: Type.Integer({ description: 'Unix seconds.' }),
  data: Type.Array(
    Type.Object({
      ...place,
      size: optional.string({ description: 'Width x height in pixels.' }),
      error: Type.Optional(pictureError),
    }),
    { description: 'In the place of a picture that could not be made: why.' },
  ),
  usage,
  ...ours,
})

export const shapeR1 = namedObject('ImageGroupEnvelope', {
  code: Type.Literal(0),
  message: Type.Literal('success'),
  data: Type.Object({
    images: Type.Array(
      Type.Object({
        ...place,
        width: Type.Integer({ unit: 'px' }),
        height: Type.Integer({ unit: 'px' }),
        size: Type.String({ description: 'The requested tier, else width x height.' }),
        format: words(['jpeg', 'png']),
      }),
    ),
    parameters: Type.Object({
      prompt: Type.String(),
      size: Type.String(),
      watermark: Type.Boolean(),
      model: Type.String(),
      endpoint: Type.String(),
    }),
    usage: Type.Object({ total_tokens: Type.Integer(), image_count: Type.Integer() }),
    failed: Type.Array(pictureError, { source: 'ours', description: 'Pictures that could not be made.' }),
  }),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  request_id: Type.String(),
  ...ours,
})

const eventHead = { model: Type.String(), created: Type.Integer({ description: 'Unix seconds.' }) }
const index = Type.Integer({ minimum: 0, description: 'Which picture of the request, from 0.' })

export const imageEvent = Type.Union(
  [
    namedObject('ImageGroupPictureEvent', {
      type: Type.Literal('image_generation.partial_succeeded'),
      ...eventHead,
      image_index: index,
      ...place,
      size: Type.String(),
    }),
    namedObject('ImageGroupRefusalEvent', {
      type: Type.Literal('image_generation.partial_failed'),
      ...eventHead,
      image_index: index,
      error: pictureError,
    }),
    namedObject('ImageGroupCompletedEvent', { type: Type.Literal('image_generation.completed'), ...eventHead, usage, ...ours }),
  ],
  { name: 'ImageGroupEvent' },
)

/** Fields of OpenAI's images interface (reference of the Images API, November 2026), and two of the
 *  gateway's own. Nearly all may be null, which means absent. */
import Type, { type TSchemaOptions } from 'typebox'
import { base64Field } from '../../contract/replies.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { inputImageLimits, namedModelField, notDrawnField, notFollowedField, promptField } from '../shared/common-fields.ts'

const word = <T extends string>(values: readonly T[], keywords: TSchemaOptions) =>
  optional.unsafe<T | null>({ ...keywords, type: ['string', 'null'], enum: [...values, null] })
const integer = (minimum: number, maximum: number, keywords: TSchemaOptions) =>
  optional.orNull<number>('integer', { minimum, maximum, ...keywords })

export const formats = ['png', 'jpeg', 'webp'] as const

const common = {
  model: Type.Optional(namedModelField('A model of this family; absent: the route of the endpoint, else the built-in engine.')),
  n: integer(1, 10, { default: 1, description: 'Number of pictures; picture i has the seed + i.' }),
  size: optional.orNull<string>('string', {
    pattern: '^(auto|[1-9][0-9]{1,4}x[1-9][0-9]{1,4})$',
    mustBe: 'auto or width x height in pixels, like 1536x1024',
    default: 'auto',
    examples: ['1536x1024'],
    description: 'auto: 1024x1024, or the shape of the picture that is edited.',
  }),
  output_format: word(formats, { default: 'png', description: 'File format of the pictures.' }),
  response_format: word(['b64_json', 'url'], {
    description:
      '`url`: signed links, valid for 24 hours. Default b64_json; `url` where `model` is dall-e-2, dall-e-3 or another name that begins with dall-e-. A stream carries base64 only.',
  }),
  stream: optional.orNull<boolean>('boolean', { default: false, description: 'Each picture as soon as it is made, as events.' }),
  partial_images: integer(0, 3, { default: 0, description: 'Looks at each picture on its way, in a stream. There may be fewer.' }),
  quality: word(['auto', 'low', 'medium', 'high', 'xhigh', 'max', 'standard', 'hd'], {
    description: 'On a target that speaks this interface; others draw as they do.',
  }),
  background: word(['auto', 'opaque', 'transparent'], {
    description: 'On a target that speaks this interface; others draw opaque pictures.',
  }),
  output_compression: integer(0, 100, { description: 'Compression of JPEG and WebP, on a target that speaks this interface.' }),
  moderation: word(['auto', 'low'], { description: 'low: fewer refusals, where the target leaves that to callers.' }),
  user: optional.orNull<string>('string', { maxLength: 512, description: 'Taken and not used.' }),
  seed: integer(0, Number.MAX_SAFE_INTEGER, {
    source: 'ours',
    description: 'The same seed gives the same pictures, on targets that take one.',
  }),
}

export const generationBody = Type.Object({
  prompt: promptField('What to draw.', { maxLength: 32_000, examples: ['a lighthouse on a cliff at dusk, watercolor'] }),
  ...common,
  style: word(['vivid', 'natural'], { description: 'On a target that speaks this interface.' }),
  negative_prompt: optional.orNull<string>('string', { maxLength: 8192, source: 'ours', description: 'What must not be in the pictures.' }),
})

const mostImages = 16
const picture = (description: string) => Type.String({ minLength: 1, file: { role: 'image', ...inputImageLimits }, description })

export const editBody = Type.Object({
  image: optional.array(picture('A file part, or in JSON base64, a data URL or an http(s) URL.'), {
    maxItems: mostImages,
    description: 'The picture to edit, and others that it is made with: parts named `image` or `image[]`.',
  }),
  images: optional.array(Type.Object({ image_url: picture('A data URL or an http(s) URL.') }), {
    maxItems: mostImages,
    description: 'The same in JSON, as newer clients write it.',
  }),
  mask: optional.string({
    minLength: 1,
    file: { role: 'mask', ...inputImageLimits, mediaTypes: ['image/png'] },
    description: 'Where the picture may change: transparent. On a target that takes one.',
  }),
  prompt: promptField('How to change the picture.', { maxLength: 32_000, examples: ['make it winter'] }),
  ...common,
  input_fidelity: word(['low', 'high'], { description: 'On a target that speaks this interface.' }),
})

const tokens = namedObject('ImagesUsage', {
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
})

const ofAll = {
  background: optional.words(['auto', 'opaque', 'transparent']),
  output_format: words(formats),
  quality: optional.string(),
  size: Type.String({ description: 'Width x height in pixels.' }),
  usage: Type.Optional(tokens),
}

export const imagesReply = namedObject('ImagesResponse', {
  created: Type.Integer({ description: 'Unix seconds.' }),
  data: Type.Array(
    Type.Object({
      b64_json: Type.Optional(base64Field('The file in base64.')),
      url: optional.string({ format: 'http-url', description: 'Signed link to the file.' }),
      revised_prompt: optional.string({ description: 'The prompt that was drawn, if it differs from that of the request.' }),
    }),
    { description: 'Fewer than wanted when the safety rules refused some.' },
  ),
  ...ofAll,
  id: Type.String({ source: 'ours', description: 'Of the task that made them (`/v1/tasks/{id}`).' }),
  not_drawn: notDrawnField(),
  not_followed: notFollowedField('Fields that the model did not follow.'),
})

export const imageEvent = namedObject('ImageStreamEvent', {
  type: words(['image_generation.partial_image', 'image_generation.completed', 'image_edit.partial_image', 'image_edit.completed']),
  b64_json: base64Field('The picture, or a preview of it.'),
  partial_image_index: optional.integer({ description: 'Index of a preview, from 0.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  ...ofAll,
})

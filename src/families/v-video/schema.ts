/** Fields of family V (docs/interface/videos.md#v). */
import { MiB } from '@generation-gateway/kit/units.ts'
import Type, { type Static, type TSchema } from 'typebox'
import type { FileLimits, FileRule } from '../../contract/file-rule.ts'
import { base64Field } from '../../contract/replies.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { inputImageLimits, modelField, notFollowedField } from '../shared/common-fields.ts'

const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
const videoTypes = ['video/mov', 'video/mpeg', 'video/mp4', 'video/mpg', 'video/avi', 'video/wmv', 'video/mpegps', 'video/flv'] as const

/** Note for fields whose words are also accepted in capitals, because Google's Python client
 *  sends them in capitals. */
const anyCase = { anyCase: true } as const

const image = { ...inputImageLimits, mediaTypes: imageTypes }
/** Limits of videos: the containers that the gateway reads. The interface names no maximum size. */
const video = { mediaTypes: ['video/mp4', 'video/quicktime', 'video/mp2t', 'video/mpeg'], maxBytes: 64 * MiB } as const

/** Limits for input files that a request names by a `gs://` URI. */
export const mediaLimits: { readonly image: FileLimits; readonly video: FileLimits } = { image, video }

const media = (description: string, mimeTypes: readonly string[], file: FileRule) =>
  Type.Object(
    {
      bytesBase64Encoded: optional.string({ minLength: 1, file, description: 'The file in base64. This or `gcsUri`.' }),
      gcsUri: optional.string({
        minLength: 1,
        maxLength: 2083,
        examples: ['gs://clips-out/run9/01kb2v0f5w9h3t8m6q4y7z1xcd/sample_0.mp4'],
        description:
          'A file in a bucket of this gateway (`buckets`): a video that an operation has put there, or any picture or video in a bucket with a `url`.',
      }),
      mimeType: optional.words(mimeTypes, { description: 'The type of the file; required.' }),
    },
    { description },
  )

const reference = Type.Object({
  image: Type.Optional(media('The picture.', imageTypes, { role: 'reference', ...image })),
  referenceType: words(['asset', 'style'], {
    ...anyCase,
    description:
      '`asset`: a scene, an object or a character that is to be seen. `style`: colors, lighting, texture; not of the 3.1 models.',
  }),
})

const instance = Type.Object({
  prompt: optional.string({
    maxLength: 8192,
    description: 'What is to be seen in the first eight seconds. Required without a picture or a video.',
  }),
  image: Type.Optional(media('The first frame.', imageTypes, { role: 'first-frame', ...image })),
  lastFrame: Type.Optional(media('The last frame, of the 3.1 models.', imageTypes, { role: 'last-frame', ...image })),
  video: Type.Optional(media('A video that is gone on with.', videoTypes, { role: 'earlier', ...video })),
  referenceImages: optional.array(reference, {
    maxItems: 3,
    description:
      'Up to three assets, or one style, for a video of 8 seconds. `MaaS_VidV_3.1_generate_preview` takes assets, `MaaS_VidV_2_generate` both.',
  }),
})
export type Instance = Static<typeof instance>
/** Media with its type. */
export type Media = (NonNullable<Instance['image']> | NonNullable<Instance['video']>) & { mimeType: string }

export const mostSamples = 4
/** Bounds of counts and seconds in the schema. According to the interface, a request with an
 *  invalid number is accepted, and a later query of the operation reports the error. The schema
 *  therefore excludes only absurd numbers. */
const anyCount = { minimum: -1_000_000, maximum: 1_000_000 } as const

const parameters = Type.Object({
  aspectRatio: words(['16:9', '9:16'], { default: '16:9', description: 'Shape of the video.' }),
  compressionQuality: words(['optimized', 'lossless'], {
    ...anyCase,
    default: 'optimized',
    description: '`lossless`: larger files, where the target follows that.',
  }),
  durationSeconds: Type.Integer({
    ...anyCount,
    default: 8,
    unit: 's',
    description:
      '4, 6 or 8; of `MaaS_VidV_2_generate` 5 to 8; 8 with `referenceImages`. Another number is accepted, and the operation fails.',
  }),
  enhancePrompt: Type.Boolean({ default: true, description: 'A language model rewrites the prompt, if the target has one.' }),
  generateAudio: optional.boolean({ description: 'With sound; absent: yes. Not of `MaaS_VidV_2_generate`, which has none.' }),
  negativePrompt: optional.string({ maxLength: 8192, description: 'What must not be seen.' }),
  personGeneration: words(['allow_adult', 'dont_allow'], {
    ...anyCase,
    default: 'allow_adult',
    description: 'Whether people may be seen.',
  }),
  resizeMode: optional.words(['pad', 'crop'], {
    ...anyCase,
    description: 'A picture of another shape gets a border (as without this field) or is cut. Not of `MaaS_VidV_2_generate`.',
  }),
  resolution: words(['720p', '1080p', '4k'], {
    default: '720p',
    description: '`4k` for the 3.1 models; `MaaS_VidV_2_generate` has 720p only, and so has an extension of a video.',
  }),
  sampleCount: Type.Integer({
    ...anyCount,
    default: 1,
    description: `Videos, 1 to ${mostSamples}; video i has the seed + i. Another number is accepted, and the operation fails.`,
  }),
  seed: optional.integer({
    minimum: 0,
    maximum: 4_294_967_295,
    description: 'The same seed gives the same videos, on targets that take one.',
  }),
  storageUri: optional.string({
    minLength: 1,
    maxLength: 1024,
    examples: ['gs://clips-out/run9'],
    description:
      'A bucket of this gateway (`buckets`) and a folder in it: the videos are named there instead of coming as base64. Another one is accepted, and the operation fails.',
  }),
})
export type Parameters = Static<typeof parameters>

/** The default value of each parameter. */
export const usualParameters: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(parameters.properties).map(([name, field]) => [name, Object(field).default]),
)

export const createBody = Type.Object({
  instances: Type.Array(instance, { minItems: 1, maxItems: 1, description: 'The input of the video: exactly one instance.' }),
  parameters: Type.Unsafe<Parameters>({ ...parameters, default: {}, description: 'How it is made.' } as TSchema),
  model: modelField(),
})
export type CreateBody = Static<typeof createBody>

export const queryBody = Type.Object({
  operationName: Type.String({
    minLength: 1,
    maxLength: 400,
    description: 'The `name` of a create, or what stands behind its last slash.',
  }),
})

export const created = namedObject('VideoOperationName', { name: Type.String({ description: 'Name of the operation.' }) })

const made = namedObject('VideoSample', {
  gcsUri: optional.string({ description: 'With `storageUri`: its name there.' }),
  bytesBase64Encoded: Type.Optional(base64Field('Without `storageUri`: the file in base64.')),
  mimeType: Type.String(),
  url: optional.string({
    format: 'http-url',
    source: 'ours',
    description: 'With `storageUri`: a signed link to the file, valid for an hour.',
  }),
})

const response = namedObject('GenerateVideoResponse', {
  '@type': Type.String(),
  raiMediaFilteredCount: Type.Integer({ description: 'Videos that a safety review kept back. They cost nothing.' }),
  raiMediaFilteredReasons: optional.array(Type.String(), {
    description: 'Why, with support codes. Absent when nothing was kept back, or no reason was given.',
  }),
  videos: optional.array(made, { description: 'Fewer than wanted when some were kept back; absent when all were.' }),
  notFollowed: Type.Optional(notFollowedField('Parameters that the model did not follow.')),
})

export const operationReply = namedObject('VideoOperation', {
  name: Type.String(),
  done: Type.Boolean({ description: 'True once it has ended, however it did: then there is an `error` or a `response`.' }),
  error: optional.object(
    {
      code: Type.Integer({
        description:
          '3 a value that does not hold, 7 a bucket that may not be used, 1 cancelled, 4 a deadline, 8 a limit, 13 a fault, 14 overload.',
      }),
      message: Type.String(),
    },
    { name: 'VideoOperationError' },
  ),
  response: Type.Optional(response),
})
export type OperationReply = Static<typeof operationReply>

const bucketName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$',
  mustBe: '3 to 63 lower-case letters, digits, dots, dashes or underscores',
  examples: ['clips-out'],
  description: 'Name of a bucket.',
})

const variableName = Type.Optional(Type.String({ minLength: 1, description: 'Environment variable with a key of the bucket.' }))

/** Section `buckets` of the configuration file. */
export const buckets = Type.Array(
  Type.Union([
    bucketName,
    Type.Object(
      {
        name: bucketName,
        url: Type.String({
          pattern: '^s3://',
          mustBe: 'the URL of a bucket like s3://bucket/prefix?endpoint=https://s3.example.com',
          examples: ['s3://clips-out?endpoint=https://storage.googleapis.com&region=auto'],
          description: 'Bucket of an S3-compatible service into which the videos are written as well.',
        }),
        access_key_env: variableName,
        secret_key_env: variableName,
      },
      { additionalProperties: false },
    ),
  ]),
  {
    maxItems: 100,
    description:
      'Buckets that `storageUri` of family V may name: `gs://<bucket>/<folder>`. The gateway keeps the files itself; an operation answers with their names there and signed links. For an entry with a `url` they are written into that bucket as well, before a query reports the end of the operation.',
  },
)
export type BucketEntries = Static<typeof buckets>

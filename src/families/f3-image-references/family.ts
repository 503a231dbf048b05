/** Family F3 (docs/interface/pictures.md#f3): pictures from words and reference images, in the
 *  answer itself or as events. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import type { PictureSize } from '@generation-gateway/kit/requests/image.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import Type, { type Static } from 'typebox'
import { runFailures } from '../../contract/description/error-answers.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { optional } from '../../contract/schemas.ts'
import { failure } from './failure.ts'
import { imageEvent, mostPictures, requestBody, shapeR1, shapeR2 } from './schema.ts'
import { type Group, groupNames, sizeProblem, sizeSays, usualSize } from './sizes.ts'

type RuleFields = Pick<
  Static<typeof requestBody>,
  'image' | 'optimize_prompt_options' | 'sequential_image_generation' | 'sequential_image_generation_options' | 'size'
>

function referencesIn({ image = [] }: Pick<RuleFields, 'image'>): number {
  return [image].flat().length
}

const rules: Rule<RuleFields>[] = [
  ...groupNames.map(
    (group): Rule<RuleFields> => ({
      id: `size-${group.toLowerCase()}`,
      says: sizeSays(group),
      field: 'size',
      source: group === 'O1' ? 'ours' : 'interface',
      groups: [group],
      holds: ({ size }) => size === undefined || sizeProblem(group, size) === undefined,
      explain: ({ size = '' }) => sizeProblem(group, size) ?? '',
    }),
  ),
  {
    id: 'one-image',
    says: 'O2 takes one image.',
    field: 'image',
    groups: ['O2'],
    holds: body => referencesIn(body) <= 1,
    explain: body => `image has ${referencesIn(body)} images; O2 takes one.`,
  },
  {
    id: 'pictures-in-all',
    says: 'Reference images and max_images are at most 15 together.',
    field: 'sequential_image_generation_options.max_images',
    holds: body => body.sequential_image_generation !== 'auto' || referencesIn(body) + (maxImagesIn(body) ?? 1) <= mostPictures,
    explain: body =>
      `sequential_image_generation_options.max_images is ${maxImagesIn(body)} beside ${referencesIn(body)} reference images; at most ${mostPictures} together.`,
  },
  {
    id: 'no-fast-mode',
    says: 'optimize_prompt_options.mode is standard.',
    field: 'optimize_prompt_options.mode',
    groups: ['N1', 'N2'],
    holds: ({ optimize_prompt_options: options }) => options?.mode !== 'fast',
    explain: () => 'optimize_prompt_options.mode is fast; N1 and N2 take standard only.',
  },
]

/** Checks the rules on requests in neutral form. For a request with a tier (a class of sizes
 *  such as 2K), the target may choose any size of the tier, so all of them are checked. */
const pictureForm = neutralForm({
  capabilities: ['image.generate', 'image.edit'],
  rules,
  bodyOf: call => {
    const { request } = call
    const { width, height, tier, series, promptMode } = request
    const most = 'count' in request ? request.count : request.variants
    const words = [
      ...(tier ? [tier.name, ...tier.sizes.map(wordOf)] : []),
      ...(width === undefined || height === undefined ? [] : [wordOf({ width, height })]),
    ]
    const body: RuleFields = {
      image: inputsOf(call, 'image').map(({ mediaType }) => mediaType),
      sequential_image_generation: series ? 'auto' : 'disabled',
      sequential_image_generation_options: defined({ max_images: most }),
      ...(promptMode ? { optimize_prompt_options: { mode: promptMode } } : {}),
    }
    return words.length === 0 ? [body] : words.map(size => ({ ...body, size }))
  },
})

function wordOf({ width, height }: PictureSize): string {
  return `${width}x${height}`
}

export function maxImagesIn({ sequential_image_generation_options: options }: Pick<RuleFields, 'sequential_image_generation_options'>) {
  return options?.max_images
}

const fieldNames: FieldNames = {
  width: 'size',
  height: 'size',
  aspectRatio: 'size',
  tier: 'size',
  count: 'sequential_image_generation_options.max_images',
  variants: 'sequential_image_generation_options.max_images',
  series: 'sequential_image_generation',
  format: 'output_format',
  guidance: 'guidance_scale',
  webSearch: 'tools',
  promptMode: 'optimize_prompt_options',
}

const id = '01kb2v0f5w9h3t8m6q4y7z1xcd'
const url = 'https://gateway.example/files/01kb2v0g?exp=1795000000&kid=k1&sig=abc'

/** Returns the newest model group that accepts the fields of the request. */
function groupOf(fields: ReadonlySet<string>, { size, optimize_prompt_options: options }: JsonObject): Group {
  if (fields.has('seed') || size === 'adaptive') return 'O2'
  if (fields.has('guidance_scale')) return fields.has('image') ? 'O2' : 'O1'
  const isFast = isObject(options) && options.mode === 'fast'
  const takers = groupNames.filter(group => (isFast ? group === 'N3' || group === 'O1' : true) && !(group === 'O1' && fields.has('image')))
  return takers.find(group => typeof size !== 'string' || sizeProblem(group, size) === undefined) ?? takers[0] ?? 'N1'
}

/** Returns the names that the vendor gives a model in its two regions, each mapped to the
 *  gateway's model. */
function ofSeedream(version: string, model: string): Record<string, string> {
  return { [`seedream-${version}`]: model, [`doubao-seedream-${version}`]: model }
}

export const f3 = defineFamily({
  id: 'F3',
  title: 'Images from references',
  source: 'docs/interface/pictures.md#f3',
  description:
    'Pictures from words and up to 14 reference images, one or a group, in the answer itself or as a stream. Each call is a task behind its answer: with an `Idempotency-Key` a repeat finds it. Without a model it is the newest group that takes the fields and the size that were sent.',
  models: [
    { id: 'MaaS_ImgS_N1', title: 'Images from references, newest', capability: 'image.generate', group: 'N1' },
    { id: 'MaaS_ImgS_N2', title: 'Images from references, second', capability: 'image.generate', group: 'N2' },
    { id: 'MaaS_ImgS_N3', title: 'Images from references, third', capability: 'image.generate', group: 'N3' },
    { id: 'MaaS_ImgS_O1', title: 'Text to image, older', capability: 'image.generate', group: 'O1' },
    { id: 'MaaS_ImgS_O2', title: 'Image edit, older', capability: 'image.edit', group: 'O2' },
  ],
  aliases: {
    ...ofSeedream('5-0', 'MaaS_ImgS_N1'),
    ...ofSeedream('5-0-lite', 'MaaS_ImgS_N1'),
    ...ofSeedream('4-5', 'MaaS_ImgS_N2'),
    ...ofSeedream('4-0', 'MaaS_ImgS_N3'),
    ...ofSeedream('3-0-t2i', 'MaaS_ImgS_O1'),
    'seededit-3-0-i2i': 'MaaS_ImgS_O2',
    'doubao-seededit-3-0-i2i': 'MaaS_ImgS_O2',
  },
  groupOf: ({ fields, body }) => groupOf(fields, body),
  requiredByGroup: { O2: ['image'] },
  fieldNames,
  routeOptions: Type.Object(
    {
      response_shape: optional.words(['R1', 'R2'], { description: 'Of answers in one piece; default R2.' }),
    },
    { additionalProperties: false },
  ),
  deadlineMs: 30 * 60_000,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure,
  operations: {
    generate: operation({
      operationId: 'generateImageGroup',
      method: 'POST',
      path: '/v1/ai/{endpoint}/imgs/image/generations',
      summary: 'Generate images, also from reference images',
      choosesModel: true,
      body: { schema: requestBody },
      rules,
      neutralForm: pictureForm,
      failsWith: runFailures,
      reply: {
        schema: Type.Union([shapeR2, shapeR1], { name: 'ImageGroupAnswer' }),
        stream: {
          says: 'With `stream` true: `image_generation.partial_succeeded` for each picture as soon as it is made, `image_generation.partial_failed` for one that is not, `image_generation.completed` at the end, and `[DONE]`. After a picture that the safety rules withheld the next one is made; after another failure no more are.',
          event: imageEvent,
        },
      },
      examples: [
        {
          title: 'A picture in a given size',
          body: { prompt: 'a lighthouse on a cliff at dusk, watercolor', size: usualSize },
          reply: {
            model: 'MaaS_ImgS_N1',
            created: 1_795_000_000,
            data: [{ url, size: usualSize }],
            usage: { generated_images: 1, output_tokens: 16_384, total_tokens: 16_384 },
            id,
            not_drawn: [],
            not_followed: ['watermark'],
          },
        },
      ],
    }),
  },
})

/** OpenAI's images interface. The gateway offers it in addition to the families F1 to F4, for
 *  clients that already speak it. */

import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import { runFailures } from '../../contract/description/error-answers.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { pictureMostPixels, pictureSide } from '../shared/common-fields.ts'
import { openaiError, openaiFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'
import { examplePicture } from './example-picture.ts'
import { editBody, generationBody, imageEvent, imagesReply } from './schema.ts'

/** OpenAI's models of this interface. */
const openaiNames = [
  'gpt-image-1',
  'gpt-image-1-mini',
  'gpt-image-1.5',
  'gpt-image-2',
  'gpt-image-2-mini',
  'gpt-image-2.5-sunburst',
  'gpt-image-2.5-flare',
  'chatgpt-image-latest',
  'dall-e-2',
  'dall-e-3',
]

/** Returns the sides in `size`, in pixels; undefined for `auto`, and when there is none. */
export function sizeIn({ size }: { size?: string | null }): { width: number; height: number } | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
  return width === undefined ? undefined : { width: Number(width), height: Number(height) }
}

const rules: Rule<{ size?: string | null }>[] = [
  {
    id: 'sides',
    says: `Sides are from ${pictureSide.minimum} to ${pictureSide.maximum} pixels.`,
    field: 'size',
    source: 'ours',
    holds: body => Object.values(sizeIn(body) ?? {}).every(side => side >= pictureSide.minimum && side <= pictureSide.maximum),
    explain: ({ size }) => `size is ${size}; each side has from ${pictureSide.minimum} to ${pictureSide.maximum} pixels.`,
  },
  {
    id: 'area',
    says: 'width x height is at most 16,777,216 pixels.',
    field: 'size',
    source: 'ours',
    holds: body => {
      const { width, height } = sizeIn(body) ?? { width: 0, height: 0 }
      return width * height <= pictureMostPixels
    },
    explain: ({ size }) => `size is ${size}; at most ${pictureMostPixels} pixels.`,
  },
]

const editRules: Rule<{ size?: string | null; image?: unknown[]; images?: unknown[] }>[] = [
  ...rules,
  {
    id: 'image-required',
    says: 'image is required.',
    field: 'image',
    source: 'ours',
    holds: ({ image = [], images: others = [] }) => image.length + others.length > 0,
  },
]

const pictureForm = neutralForm({
  capabilities: ['image.generate', 'image.edit'],
  rules,
  bodyOf: ({ request: { width, height } }) => (width === undefined || height === undefined ? {} : { size: `${width}x${height}` }),
})

export const fieldNames: FieldNames = {
  count: 'n',
  variants: 'n',
  width: 'size',
  height: 'size',
  aspectRatio: 'size',
  format: 'output_format',
  previews: 'partial_images',
  safetyTolerance: 'moderation',
  negativePrompt: 'negative_prompt',
}

const stream = {
  says: 'With `stream` true: for each picture as many `*.partial_image` events as `partial_images` asks for, or fewer, and `*.completed`. A failure after the first event is an event `error`.',
  event: imageEvent,
}
const drawn = { created: 1_795_000_000, output_format: 'png', size: '1024x1024', not_drawn: [], not_followed: [] }
const file = `${examplePicture.slice(0, 44)}...`

export const images = defineFamily({
  id: 'images',
  title: 'Images, as OpenAI speaks',
  source: 'ours',
  description:
    "OpenAI's images interface for clients that speak it: pictures from words, and edits of pictures, in the answer itself or as a stream. Each call is a task behind its answer: with an `Idempotency-Key` a repeat finds it.",
  models: [{ id: 'studio', title: 'Images', capability: 'image.generate' }],
  aliases: Object.fromEntries(openaiNames.map(name => [name, 'studio'])),
  fieldNames,
  deadlineMs: 15 * 60_000,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure: openaiFailure,
  streamFailure: (error, requestId) => [{ event: 'error', data: { type: 'error', error: openaiError(error, requestId) } }],
  operations: {
    generate: operation({
      operationId: 'createImage',
      method: 'POST',
      ...atEndpoint('images/generations'),
      summary: 'Create images',
      source: 'ours',
      choosesModel: true,
      body: { schema: generationBody },
      rules,
      neutralForm: pictureForm,
      failsWith: runFailures,
      needs: ['accountTasks'],
      reply: { schema: imagesReply, stream },
      examples: [
        {
          title: 'A picture as a link',
          body: { prompt: 'a lighthouse on a cliff at dusk, watercolor', size: '512x512', response_format: 'url', seed: 7 },
          reply: {
            ...{ ...drawn, size: '512x512', id: '01kb2v0f5w9h3t8m6q4y7z1xcd' },
            data: [{ url: 'https://gateway.example/files/01kb2v0g?exp=1795000000&kid=k1&sig=abc' }],
          },
        },
      ],
    }),
    edit: operation({
      operationId: 'editImage',
      method: 'POST',
      ...atEndpoint('images/edits'),
      summary: 'Edit an image',
      source: 'ours',
      choosesModel: true,
      body: { kinds: ['multipart', 'json'], schema: editBody },
      rules: editRules,
      failsWith: runFailures,
      needs: ['accountTasks'],
      reply: { schema: imagesReply, stream },
      examples: [
        {
          title: 'A picture in winter',
          body: { image: [examplePicture], prompt: 'make it grey' },
          reply: { ...drawn, size: '64x64', id: '01kb2v0f5w9h3t8m6q4y7z1xce', data: [{ b64_json: file }] },
        },
      ],
    }),
  },
})

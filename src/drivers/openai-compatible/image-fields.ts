/** A neutral request in the fields of the images interface. What a model cannot do is refused by name: nothing is rounded or clamped. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import {
  type ImageEditRequest,
  type ImageField,
  type ImageFormat,
  type ImageGenerateRequest,
  sizeFields,
} from '@generation-gateway/kit/requests/image.ts'
import { type AskedJob, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import { type Size, sizeProblem } from './image-dialects.ts'
import { furtherFields, type ImageFacts, imageFactsOf } from './image-settings.ts'

export type ImageRequest = ImageGenerateRequest | ImageEditRequest
type Asked = AskedJob<ImageRequest>

/** Sides of an edit whose request names none are those of its input, rounded to this (`kit/requests/image.ts`). */
const sideStep = 32
/** What the rounding of the sides may change of a shape. */
const shapeTolerance = 0.05

/** How many pictures the request asks for. */
export function countOf(request: ImageRequest): number {
  return 'count' in request ? request.count : 1
}

/** Why the target's model cannot do this; undefined when it can.
 *  A seed and a safety tolerance are in every request, so they are no reason (docs/openai-images.md). */
export function refusalOf(asked: Asked): Required<Refusal> | undefined {
  const { request, settings, model } = asked
  const facts = imageFactsOf(settings, model)
  const { mostImages, mostPrompt } = facts
  const count = countOf(request)
  const size = 'count' in request ? sizeProblem(request, facts.sizes) : editSizeProblem(request, facts)
  const found: [field: FieldName, says: string | undefined][] = [
    [
      'count',
      count > mostImages
        ? `draws ${mostImages === 1 ? 'one picture' : `up to ${mostImages} pictures`} per request, not ${count}`
        : undefined,
    ],
    ['negativePrompt', negativePromptOf(request) !== undefined && !facts.takesNegativePrompt ? 'takes no negative prompt' : undefined],
    ['prompt', request.prompt.length > mostPrompt ? `takes a prompt of at most ${mostPrompt} characters` : undefined],
    ['expandPrompt', request.expandPrompt ? 'cannot be told to enhance a prompt' : undefined],
    [sizeFields(request)[0], size],
    ['image', 'count' in request ? undefined : inputProblem(asked, facts)],
  ]
  const refused = found.find(([, says]) => says !== undefined)
  return refused && refusal(refused[0], `the model ${model} ${refused[1]}.`)
}

/** The fields of a request that `refusalOf` has nothing against, without its seed and its picture. */
export function fieldsOf(asked: Asked): JsonObject {
  const { request, settings, model } = asked
  const facts = imageFactsOf(settings, model)
  const size = sizeAsked(asked, facts)
  const count = countOf(request)
  const negativePrompt = negativePromptOf(request)
  const format = formatAsked(request, facts)
  return {
    ...furtherFields(settings),
    model,
    prompt: request.prompt,
    ...(negativePrompt === undefined ? {} : { negative_prompt: negativePrompt }),
    ...(size === undefined ? {} : { size: `${size.width}x${size.height}` }),
    ...(count === 1 ? {} : { n: count }),
    ...(format === undefined ? {} : { output_format: format }),
    ...(facts.hasResponseFormat ? { response_format: 'b64_json' } : {}),
  }
}

/** The seed as a field, where the model takes one. */
export function seedOf({ request, settings, model }: Asked): string | undefined {
  return imageFactsOf(settings, model).takesSeed ? request.seed : undefined
}

/** What of the request a picture does not keep to: its size, or the ratio of the input where the model chose the size. Nothing when it does. */
export function sizeMissed(asked: Asked, picture: Size): ImageField[] {
  const size = sizeAsked(asked, imageFactsOf(asked.settings, asked.model))
  if (size === undefined) return hasShapeOf(picture, asked.inputs[0]) ? [] : ['aspectRatio']
  return size.width === picture.width && size.height === picture.height ? [] : sizeFields(asked.request)
}

function negativePromptOf(request: ImageRequest): string | undefined {
  return 'negativePrompt' in request ? request.negativePrompt : undefined
}

/** Another one that the service gives, where it does not give this one: that is converted. */
function formatAsked({ format }: ImageRequest, { formats }: ImageFacts): ImageFormat | undefined {
  return formats.includes(format) ? format : formats[0]
}

function editSizeProblem({ width, height }: ImageEditRequest, { sizes }: ImageFacts): string | undefined {
  return width === undefined || height === undefined ? undefined : sizeProblem({ width, height }, sizes)
}

function inputProblem({ inputs }: Asked, { editTypes }: ImageFacts): string | undefined {
  const [input] = inputs
  if (input === undefined) return 'needs a picture to edit'
  if (editTypes === undefined || editTypes.includes(input.mediaType)) return undefined
  return editTypes.length === 0 ? 'cannot edit a picture' : `edits ${editTypes.join(', ')}, not ${input.mediaType}`
}

/** An edit that names none gets that of its input where the model draws it; else the model chooses one. */
function sizeAsked({ request, inputs }: Asked, { sizes }: ImageFacts): Size | undefined {
  const { width, height } = request
  if (width !== undefined && height !== undefined) return { width, height }
  const [input] = inputs
  if (input?.width === undefined || input.height === undefined) return undefined
  const own = { width: rounded(input.width), height: rounded(input.height) }
  return sizeProblem(own, sizes) === undefined ? own : undefined
}

function rounded(side: number): number {
  return Math.max(sideStep, Math.round(side / sideStep) * sideStep)
}

function hasShapeOf(picture: Size, input: Partial<Size> | undefined): boolean {
  if (input?.width === undefined || input.height === undefined) return true
  const change = (picture.width * input.height) / (picture.height * input.width)
  return Math.abs(Math.log(change)) <= shapeTolerance
}

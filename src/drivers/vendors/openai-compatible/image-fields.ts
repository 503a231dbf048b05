/** Translates a neutral request into the fields of the images interface. A request that a model
 *  cannot serve is refused with the field's name; nothing is rounded or clamped. */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import {
  type ImageEditRequest,
  type ImageField,
  type ImageFormat,
  type ImageOptions,
  sizeFields,
} from '@generation-gateway/kit/requests/image.ts'
import { pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import {
  countOf,
  haveSameShape,
  type ImageJobFacts,
  type ImageRequest,
  isNewPicture,
  negativePromptOf,
  sidesOf,
} from '../../shared/image/image-job.ts'
import { type Size, sizeProblem } from './image-dialects.ts'
import { furtherFields, type ImageFacts, imageFactsOf } from './image-settings.ts'

/** Allowed deviation between two aspect ratios, as a natural logarithm; rounded sides cause smaller
 *  deviations. */
const shapeTolerance = 0.05

/** Returns the refusal of a request that the target's model cannot serve; undefined when it can.
 *  Seed and safety tolerance never cause a refusal, because every request has them, even when the
 *  caller did not set them (docs/openai-images.md). */
export function refusalOf(jobFacts: ImageJobFacts): Refusal | undefined {
  const { request, settings, model } = jobFacts
  const facts = imageFactsOf(settings, model)
  const { mostImages, mostPrompt } = facts
  const count = countOf(request)
  const size = isNewPicture(request) ? sizeProblem(request, facts.sizes) : editSizeProblem(request, facts)
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
    ...(isNewPicture(request) ? [] : inputProblems(jobFacts, facts)),
  ]
  const who = `the model ${model}`
  const refused = found.find(([, says]) => says !== undefined)
  return refused && refusal(refused[0], `${who} ${refused[1]}.`)
}

/** Returns the fields of a request that `refusalOf` accepts, without its seed and its pictures. */
export function fieldsOf(jobFacts: ImageJobFacts): JsonObject {
  const { request, settings, model } = jobFacts
  const facts = imageFactsOf(settings, model)
  const size = requestedSize(jobFacts, facts)
  const count = countOf(request)
  return {
    ...Object.fromEntries(grantedOf(jobFacts).map(name => [name, request.wishes?.[name] ?? null])),
    ...furtherFields(settings),
    model,
    prompt: request.prompt,
    ...defined({
      negative_prompt: negativePromptOf(request),
      size: size && `${size.width}x${size.height}`,
      n: count === 1 ? undefined : count,
      output_format: requestedFormat(request, facts),
      response_format: facts.hasResponseFormat ? 'b64_json' : undefined,
    }),
  }
}

/** Returns the seed to send; undefined when the model accepts none. */
export function seedOf({ request, settings, model }: ImageJobFacts): string | undefined {
  return imageFactsOf(settings, model).takesSeed ? request.seed : undefined
}

/** Returns the names of the caller's image options that are sent. An option is not sent when the
 *  operator's settings already contain that field; `output_compression` is not sent for PNG. */
export function grantedOf({ request, settings, model }: ImageJobFacts): (keyof ImageOptions)[] {
  const { wishes } = imageFactsOf(settings, model)
  const ours = furtherFields(settings)
  const isKnown = (name: keyof ImageOptions): boolean =>
    request.wishes?.[name] !== undefined && !(name in ours) && !(name === 'output_compression' && request.format === 'png')
  return wishes.filter(isKnown)
}

/** Returns the size fields that a picture does not match. When the model chose the size of an edit,
 *  only the aspect ratio of the input is compared, and the result is `aspectRatio`. Empty when the
 *  picture matches. */
export function sizeMissed(jobFacts: ImageJobFacts, picture: Size): ImageField[] {
  const size = requestedSize(jobFacts, imageFactsOf(jobFacts.settings, jobFacts.model))
  if (size === undefined) return haveSameShape(picture, pictureOf(jobFacts.inputs), shapeTolerance) ? [] : ['aspectRatio']
  return size.width === picture.width && size.height === picture.height ? [] : sizeFields(jobFacts.request)
}

/** Returns the value of `output_format`: the caller's format when the model has it, otherwise
 *  the model's best format, from which the gateway then converts the picture. Undefined when the
 *  model has no such field. */
function requestedFormat({ format }: ImageRequest, { formats }: ImageFacts): ImageFormat | undefined {
  return formats.includes(format) ? format : formats[0]
}

function editSizeProblem({ width, height }: ImageEditRequest, { sizes }: ImageFacts): string | undefined {
  return width === undefined || height === undefined ? undefined : sizeProblem({ width, height }, sizes)
}

function inputProblems({ inputs }: ImageJobFacts, facts: ImageFacts): [field: FieldName, says: string | undefined][] {
  const { editTypes, mostInputs, takesMask } = facts
  if (editTypes?.length === 0) return [['image', 'cannot edit a picture']]
  const pictures = inputs.filter(({ role }) => role === 'image')
  const masks = inputs.filter(({ role }) => role === 'mask')
  const wrong = editTypes && pictures.find(({ mediaType }) => !editTypes.includes(mediaType))
  return [
    ['image', wrong && `edits ${editTypes.join(', ')}, not ${wrong.mediaType}`],
    ['image', pictures.length === 0 ? 'needs a picture to edit' : undefined],
    [
      'image',
      pictures.length > mostInputs
        ? `takes ${mostInputs === 1 ? 'one picture' : `up to ${mostInputs} pictures`}, not ${pictures.length}`
        : undefined,
    ],
    ['mask', masks.length > (takesMask ? 1 : 0) ? `takes ${takesMask ? 'one mask' : 'no mask'}` : undefined],
  ]
}

/** Returns the size to request. An edit without a size gets the size of its input when the model
 *  can draw it; otherwise undefined, so that the model chooses. */
function requestedSize(jobFacts: ImageJobFacts, { sizes }: ImageFacts): Size | undefined {
  const sides = sidesOf(jobFacts)
  const isOpen = jobFacts.request.width === undefined && sides !== undefined
  return isOpen && sizeProblem(sides, sizes) !== undefined ? undefined : sides
}

/** Plans the vendor requests for a job. A request that the model cannot serve is refused here,
 *  before anything is sent. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { ImageField } from '@generation-gateway/kit/requests/image.ts'
import { countOf, type ImageJobFacts, isNewPicture, plainFormat } from '../../shared/image/image-job.ts'
import { refused } from '../../shared/refusal.ts'
import { leastInputSide, type ModelGroup, mostInputPixels, mostPictures, mostSeed } from './models.ts'
import { models, owner, settings } from './settings.ts'
import { sizeOf } from './sizes.ts'

export interface Plan {
  /** Fields that all requests of the job share; seed and input pictures are added per request. */
  fields: JsonObject
  /** Number of requests, which are sent one after another. Independent pictures need one request
   *  each, because the vendor has no field for their number. */
  requests: number
  /** Largest number of pictures that one request may produce. */
  mostEach: number
  /** Seed of the first picture; each further picture adds 1. Undefined when the model accepts no
   *  seed, or when the seed is outside the vendor's range. */
  seed: bigint | undefined
  /** Fields of the request that the model ignores. */
  missed: ImageField[]
}

/** Returns the plan. Throws a `RefusedError` for a request that the model cannot serve, so that
 *  another target may be tried. */
export function planOf(jobFacts: ImageJobFacts): Plan {
  const { request, model } = jobFacts
  const group = models.known(jobFacts.settings, model)
  const who = `the model ${model} of ${owner}`
  refuseFields(jobFacts, group, who)
  refuseInputs(jobFacts, group, who)
  const { guidance, promptMode, webSearch } = request
  const knowsMode = promptMode !== undefined && group.promptModes.includes(promptMode)
  const seed = group.hasSeed ? seedOf(jobFacts) : undefined
  const count = countOf(request)
  const isSeries = request.series === true && count > 1
  const leftOut: [field: ImageField, isLeftOut: boolean][] = [
    ['seed', seed === undefined],
    ['guidance', guidance !== undefined && !group.hasGuidance],
    ['webSearch', webSearch === true && !group.hasWebSearch],
    ['promptMode', promptMode !== undefined && !knowsMode],
  ]
  return {
    fields: defined({
      model,
      prompt: request.prompt,
      size: sizeOf(jobFacts, group, who),
      response_format: 'url',
      // The field is always sent, because the vendor's default is to add a watermark.
      watermark: request.watermark === true,
      output_format: group.hasFormat ? plainFormat(request) : undefined,
      guidance_scale: group.hasGuidance ? guidance : undefined,
      tools: webSearch && group.hasWebSearch ? [{ type: 'web_search' }] : undefined,
      optimize_prompt_options: knowsMode ? { mode: promptMode } : undefined,
      ...(isSeries ? seriesFields(count) : {}),
    }),
    requests: isSeries ? 1 : count,
    mostEach: isSeries ? count : 1,
    seed,
    missed: leftOut.flatMap(([field, isLeftOut]) => (isLeftOut ? [field] : [])),
  }
}

function seriesFields(count: number): JsonObject {
  return { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: count }, stream: true }
}

/** Returns the seed of the first picture; undefined when the vendor's range does not contain the
 *  seeds of all pictures. Such a seed is not refused: every request has one, so the gateway may
 *  have chosen it instead of the caller. */
function seedOf({ request }: ImageJobFacts): bigint | undefined {
  const first = BigInt(request.seed)
  return first >= 0n && first + BigInt(countOf(request) - 1) <= mostSeed ? first : undefined
}

function refuseFields({ request, inputs }: ImageJobFacts, { hasSeries }: ModelGroup, who: string): void {
  const count = countOf(request)
  const all = count + inputs.length
  const countField: FieldName = isNewPicture(request) ? 'count' : 'variants'
  if (request.negativePrompt !== undefined) throw refused('negativePrompt', `${who} takes no negative prompt.`)
  if (request.expandPrompt) throw refused('expandPrompt', `${who} cannot be told to enhance a prompt.`)
  if (!request.series) return
  if (!hasSeries) throw refused('series', `${who} draws no pictures that belong together.`)
  if (all > mostPictures)
    throw refused(countField, `${who} takes up to ${mostPictures} pictures, those to draw and those to draw from, not ${all}.`)
}

function refuseInputs({ request, inputs, settings: given }: ImageJobFacts, group: ModelGroup, who: string): void {
  const { mostInputs, needsInput } = group
  if (inputs.some(({ role }) => role !== 'image')) throw refused('mask', `${who} takes no mask.`)
  if (inputs.length === 0 && (needsInput || !isNewPicture(request))) throw refused('image', `${who} needs a picture to edit.`)
  if (inputs.length > 0 && mostInputs === 0) throw refused('image', `${who} cannot edit a picture.`)
  if (inputs.length > mostInputs)
    throw refused('image', `${who} takes ${mostInputs === 1 ? 'one picture' : `up to ${mostInputs} pictures`}, not ${inputs.length}.`)
  const { mostInputBytes } = settings.targetOf(given)
  for (const input of inputs) {
    const problem = inputProblem(input, group, mostInputBytes)
    if (problem !== undefined) throw refused('image', `${who} takes ${problem}.`)
  }
}

function inputProblem({ mediaType, bytes, width, height }: InputFacts, group: ModelGroup, mostBytes: number): string | undefined {
  const { inputTypes, mostInputRatio } = group
  if (!inputTypes.includes(mediaType)) return `pictures as ${inputTypes.join(', ')}, not ${mediaType}`
  if (bytes > mostBytes) return `pictures of at most ${mostBytes} bytes, not ${bytes}`
  if (width === undefined || height === undefined) return undefined
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  if (shorter < leastInputSide) return `pictures with sides of at least ${leastInputSide} pixels, not ${width}x${height}`
  if (width * height > mostInputPixels) return `pictures of at most ${mostInputPixels} pixels, not ${width * height}`
  if (longer > mostInputRatio * shorter) return `pictures in ratios up to ${mostInputRatio}:1, not ${width}x${height}`
  return undefined
}

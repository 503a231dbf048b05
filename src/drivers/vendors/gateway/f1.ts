/** What F1 of another gateway is sent (docs/interface/pictures.md#f1): one picture, and all fine
 *  control. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { sizeFields } from '@generation-gateway/kit/requests/image.ts'
import { pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import { fluxBody } from '../../shared/image/flux-body.ts'
import { type AskedImage, countOf, type ImageRequest, isNewPicture, onlyPicture, plainFormat } from '../../shared/image/image-job.ts'
import { fluxWords } from '../../shared/image/image-words.ts'
import { ratioOfSize } from '../../shared/image/ratio-of-size.ts'
import { refused } from '../../shared/refusal.ts'
import { type SizeForm, settings } from './settings.ts'
import { groupOf, type Way, whoOf } from './way.ts'

const who = whoOf('F1')
/** Pixels that F1 draws for a ratio (docs/vendors/bfl.md#pixels-of-a-ratio). */
const ratioSizes = { kind: 'ratio', pixels: 2 ** 20, step: 32 } as const

export const f1: Way<ImageRequest> = {
  family: 'F1',
  path: '/v1/ai/{endpoint}/imgf/image/generate',
  words: fluxWords,
  idIn: 'id',
  follows: () => [],
  check: asked => void fieldsOf(asked),
  body: job => fluxBody(fieldsOf(job), job.request.seed, pictureOf(job.inputs)),
}

/** Fields of the request, without its seed and the picture. */
function fieldsOf(asked: AskedImage): JsonObject {
  const { request, inputs, model } = asked
  const isNew = isNewPicture(request)
  if (countOf(request) !== 1) throw refused(isNew ? 'count' : 'variants', `${who} draws one picture per task, not ${countOf(request)}.`)
  if (request.negativePrompt !== undefined) throw refused('negativePrompt', `${who} takes no negative prompt.`)
  if (!isNew) onlyPicture(inputs, who)
  return {
    model,
    prompt: request.prompt,
    prompt_upsampling: request.expandPrompt,
    safety_tolerance: request.safetyTolerance,
    output_format: plainFormat(request),
    ...sizeOf(request, isNew ? sizeFormOf(asked) : 'aspect_ratio'),
  }
}

function sizeFormOf(asked: AskedImage): SizeForm {
  return settings.targetOf(asked.settings).imageSize ?? (groupOf(asked) === 'KG' ? 'aspect_ratio' : 'pixels')
}

function sizeOf(request: ImageRequest, form: SizeForm): JsonObject {
  const { width, height } = request
  if (width === undefined || height === undefined) return {}
  if (form === 'pixels') return { width, height }
  const ratio = ratioOfSize(width, height, ratioSizes)
  if (ratio !== undefined) return { aspect_ratio: ratio }
  throw refused(sizeFields(request)[0], `the model of the other gateway takes an aspect ratio, and none gives ${width}x${height}.`)
}

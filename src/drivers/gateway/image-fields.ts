/** What F1 of another gateway is sent (Part A, F1). */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { sizeFields } from '@generation-gateway/kit/requests/image.ts'
import {
  type AskedImage,
  countOf,
  type ImageRequest,
  isNewPicture,
  negativePromptOf,
  onlyPicture,
  plainFormat,
} from '../image/image-job.ts'
import { ratioOfSize } from '../image/ratio-of-size.ts'
import { refused } from '../refusal.ts'
import { type SizeForm, settings } from './settings.ts'

const ratioModel = 'MaaS_ImgF_KG'
/** What F1 makes of a ratio (`vendors-media.md` 2.2). */
const ratioSizes = { kind: 'ratio', pixels: 2 ** 20, step: 32 } as const

/** Fields of the request, without its seed and the picture. Throws a `RefusedError` for what F1 has no field for. */
export function fieldsOf({ request, inputs, model, settings: given }: AskedImage): JsonObject {
  if (countOf(request) !== 1) throw refused('count', `another gateway draws one picture per task (F1), not ${countOf(request)}.`)
  if (negativePromptOf(request) !== undefined) throw refused('negativePrompt', 'another gateway takes no negative prompt (F1).')
  if (!isNewPicture(request)) onlyPicture(inputs, 'another gateway (F1)')
  const form = isNewPicture(request)
    ? (settings.targetOf(given).imageSize ?? (model === ratioModel ? 'aspect_ratio' : 'pixels'))
    : 'aspect_ratio'
  return {
    model,
    prompt: request.prompt,
    prompt_upsampling: request.expandPrompt,
    safety_tolerance: request.safetyTolerance,
    output_format: plainFormat(request),
    ...sizeOf(request, form),
  }
}

function sizeOf(request: ImageRequest, form: SizeForm): JsonObject {
  const { width, height } = request
  if (width === undefined || height === undefined) return {}
  if (form === 'pixels') return { width, height }
  const ratio = ratioOfSize(width, height, ratioSizes)
  if (ratio !== undefined) return { aspect_ratio: ratio }
  throw refused(sizeFields(request)[0], `the model of the other gateway takes an aspect ratio, and none gives ${width}x${height}.`)
}

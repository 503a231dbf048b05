/** What F4 of another gateway is sent (docs/interface/pictures.md#f4): four pictures of a text with
 *  flags; what it has drawn is drawn anew in regions, or enlarged. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import {
  type ImageEditRequest,
  type ImageGenerateRequest,
  type ImageUpscaleRequest,
  sizeFields,
} from '@generation-gateway/kit/requests/image.ts'
import { artworkAreas, artworkPicture, artworkText, picturesPerArtwork, upscaleType } from '../../shared/image/artwork.ts'
import { onlyPicture } from '../../shared/image/image-job.ts'
import type { ImageWords } from '../../shared/image/image-words.ts'
import { ratioOfSize, sizeOfRatio } from '../../shared/image/ratio-of-size.ts'
import { refused } from '../../shared/refusal.ts'
import { type SentBody, sentBody } from '../../shared/upstream/sent-body.ts'
import { refuseFineControl, type Way, whoOf } from './way.ts'

const who = whoOf('F4')
/** Member of what is kept with the pictures of a job. */
export const keptAs = 'gateway'
/** What F4 makes of a ratio, and half of it as a draft. */
const ratioSizes = { kind: 'ratio', pixels: 2 ** 20, step: 32 } as const

const words: ImageWords = new Map([
  ['text', 'prompt'],
  ['remixPrompt', 'prompt'],
  ['--no', 'negativePrompt'],
  ['--seed', 'seed'],
  ['--aspect', 'size'],
  ['imageNo', 'image'],
  ['jobId', 'image'],
  ['mask', 'regions'],
  ['type', 'factor'],
  ['flags', 'flags'],
])

const common = { family: 'F4', words, idIn: 'id', continues: true } as const

export const f4: Way<ImageGenerateRequest> = {
  ...common,
  path: '/v1/ai/{endpoint}/tob/diffusion',
  follows: () => ['flags'],
  check: ({ request }) => void textOf(request),
  body: ({ model, request }) => jsonBody({ model, text: textOf(request) }),
}

export const f4Redraw: Way<ImageEditRequest> = {
  ...common,
  path: '/v1/ai/{endpoint}/tob/inpaint',
  follows: () => ['flags', 'regions'],
  check: ({ request, inputs }) => {
    const picture = onlyPicture(inputs, who)
    const { regions = [], variants = 1, width, height } = request
    if (regions.length === 0) throw refused('image', `${who} changes a picture within regions only, and there are none.`)
    if (variants !== picturesPerArtwork) throw refused('variants', `${who} draws ${picturesPerArtwork} pictures per job, not ${variants}.`)
    if ((width ?? picture.width) !== picture.width || (height ?? picture.height) !== picture.height)
      throw refused(sizeFields(request)[0], `${who} keeps the size of the picture.`)
    refuseFineControl('F4', request)
    artworkAreas(who, regions)
    remixOf(request)
  },
  body: ({ model, request, inputs }) => {
    const { jobId, imageNo } = artworkPicture(who, keptAs, onlyPicture(inputs, who))
    return jsonBody({ model, jobId, imageNo, mask: { areas: artworkAreas(who, request.regions ?? []) }, remixPrompt: remixOf(request) })
  },
}

export const f4Upscale: Way<ImageUpscaleRequest> = {
  ...common,
  path: '/v1/ai/{endpoint}/tob/upscale',
  follows: () => [],
  check: ({ request, inputs }) => {
    onlyPicture(inputs, who)
    refuseFineControl('F4', request)
  },
  body: ({ model, request, inputs }) => {
    const { jobId, imageNo, version } = artworkPicture(who, keptAs, onlyPicture(inputs, who))
    return jsonBody({ model, jobId, imageNo, type: upscaleType(who, request, version) })
  },
}

function textOf(request: ImageGenerateRequest): string {
  if (request.count !== picturesPerArtwork)
    throw refused('count', `${who} draws ${picturesPerArtwork} pictures per job, not ${request.count}.`)
  refuseFineControl('F4', request)
  return artworkText(who, request, [`--aspect ${aspectOf(request)}`, `--seed ${request.seed}`])
}

function remixOf(request: ImageEditRequest): string {
  return artworkText(who, request, [`--seed ${request.seed}`])
}

/** The ratio that the caller gave, where it makes this very size, else one that does. */
function aspectOf(request: ImageGenerateRequest): string {
  const times = /(^|\s)--draft(\s|$)/.test(request.flags ?? '') ? 2 : 1
  const [width, height] = [request.width * times, request.height * times]
  const [wide = 0, high = 0] = request.aspectRatio?.split(':').map(Number) ?? []
  const made = wide > 0 && high > 0 ? sizeOfRatio([wide, high], ratioSizes) : undefined
  if (made?.width === width && made.height === height) return `${wide}:${high}`
  const ratio = ratioOfSize(width, height, ratioSizes)
  if (ratio !== undefined) return ratio
  throw refused(sizeFields(request)[0], `${who} takes an aspect ratio, and none gives ${request.width}x${request.height}.`)
}

function jsonBody(fields: JsonObject): SentBody {
  return sentBody({ contentType: 'application/json', tail: Buffer.from(JSON.stringify(fields)) })
}

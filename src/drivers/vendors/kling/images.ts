/** Runs `image.generate` and `image.edit` with the vendor's endpoint omni-image. A request that it
 *  cannot serve is refused before anything is sent. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest, ImageField, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { countOf, type ImageRequest, isNewPicture } from '../../shared/image/image-job.ts'
import { doneWithPictures } from '../../shared/image/image-outcome.ts'
import { fetchPicture } from '../../shared/image/picture-file.ts'
import { RefusedError, refused } from '../../shared/refusal.ts'
import { assertRoles, hasRatio } from '../../shared/video/video-request.ts'
import { models, owner, settings } from './settings.ts'
import type { Kind, RunTools } from './task-runs.ts'

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'] as const
const tiers = { '1k': 1024, '2k': 2048, '4k': 4096 } as const
const mostPictures = 9
const mostReferences = 10
/** Largest picture in bytes: four bytes for each of the 16,777,216 pixels of the largest picture,
 *  times three as a reserve for the file format. */
const maxPictureBytes = 192 * 1024 * 1024
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

function imageKind<Request extends ImageRequest>(): Kind<Request> {
  return {
    call: ({ request, model, settings: given }, inputs, written) => {
      const who = `the model ${model} of ${owner}`
      const path = models.of(given, model)?.path
      if (path === 'plain') throw new RefusedError({ message: `${who} makes videos, no pictures.` })
      assertRoles(inputs, ['image'], who)
      if (!isNewPicture(request) && inputs.length === 0) throw refused('image', `${who} needs a picture to edit.`)
      if (inputs.length > mostReferences) throw refused('image', `${who} takes ${mostReferences} pictures, not ${inputs.length}.`)
      if (request.negativePrompt !== undefined) throw refused('negativePrompt', `${who} takes no negative prompt.`)
      const list = inputs.length > 0 ? { image_list: inputs.map(input => ({ image: written.base64(input) })) } : {}
      const body = { prompt: byNumber(request.prompt, inputs.length), ...list, ...sizeOf(request, inputs, who), ...numberOf(request, who) }
      return { path: '/images/omni-image', body: { ...body, ...(request.markedCopy ? { watermark_info: { enabled: true } } : {}) } }
    },
    outcomeOf,
  }
}

export const newImages = imageKind<ImageGenerateRequest>()
export const editedImages = imageKind<ImageEditRequest>()

/** Returns the prompt in which references to input pictures ("the first picture") are replaced by
 *  the vendor's notation (`<<<image_1>>>`). */
function byNumber(prompt: string, pictures: number): string {
  return prompt.replace(/\bthe (\w+) (?:picture|image)\b/gi, (whole, ordinal: string) => {
    const index = ordinals.indexOf(ordinal.toLowerCase())
    return index >= 0 && index < pictures ? `<<<image_${index + 1}>>>` : whole
  })
}

function numberOf(request: ImageRequest, who: string): JsonObject {
  const count = countOf(request)
  if (count > mostPictures)
    throw refused('count' in request ? 'count' : 'variants', `${who} makes ${mostPictures} pictures per request, not ${count}.`)
  if (!request.series) return { result_type: 'single', n: count }
  if (count < 2) throw refused('series', `${who} makes a series of 2 pictures at least, not ${count}.`)
  return { result_type: 'series', series_amount: count }
}

/** Returns the size as the vendor's tier (a class of sizes such as 2K) and aspect ratio. An edit
 *  without a size keeps the aspect ratio of its picture. */
function sizeOf({ width, height, aspectRatio }: ImageRequest, [first]: readonly InputFacts[], who: string): JsonObject {
  if (width === undefined || height === undefined) return { resolution: '1k', aspect_ratio: 'auto' }
  const size = { width, height }
  const side = Math.sqrt(width * height)
  const tier = Object.entries(tiers).find(([, each]) => Math.abs(side / each - 1) < 0.1)?.[0]
  if (tier === undefined)
    throw refused(
      'width',
      `${who} makes pictures of about the pixels of ${Object.values(tiers).join(', ')} squared, not ${width}x${height}.`,
    )
  const hasOwnShape = aspectRatio === undefined && first?.width && first.height && hasRatio(size, first.width / first.height)
  const ratio = hasOwnShape ? 'auto' : (ratios.find(each => each === aspectRatio) ?? ratios.find(each => hasRatio(size, numberIn(each))))
  if (ratio !== undefined) return { resolution: tier, aspect_ratio: ratio }
  throw refused('width', `${who} makes pictures of ${ratios.join(', ')}, not ${width}x${height}.`)
}

function numberIn(ratio: string): number {
  const [wide = 1, high = 1] = ratio.split(':').map(Number)
  return wide / high
}

async function outcomeOf(tools: RunTools, job: Job<ImageRequest>, result: JsonObject): Promise<Outcome> {
  const { request } = job
  const { origin, route } = settings.targetOf(job.settings).upstream
  const reported = objectsOf(result.images)
  const listed = reported.length > 0 ? reported : objectsOf(result.series_images)
  if (listed.length === 0) throw new GatewayError('upstream_error', `${owner} calls the task done and gives no picture.`)
  const files: OutputFile[] = []
  const marked: OutputFile[] = []
  for (const [index, { url, watermark_url }] of listed.slice(0, mostPictures).entries()) {
    const { guard, inspection } = tools
    const fetching = { guard, inspection, job, origin, route, owner, maxBytes: maxPictureBytes }
    const picture = await fetchPicture({ ...fetching, name: `picture-${index}` }, textOf(url) ?? '')
    if ('state' in picture) return picture
    files.push(picture)
    if (!request.markedCopy || textOf(watermark_url) === undefined) continue
    const copy = await fetchPicture({ ...fetching, name: `marked-${index}` }, textOf(watermark_url) ?? '')
    if ('state' in copy) return copy
    marked.push({ ...copy, role: 'watermarked' })
  }
  const notFollowed: ImageField[] = ['seed']
  if (request.expandPrompt) notFollowed.push('expandPrompt')
  if (request.markedCopy && marked.length < files.length) notFollowed.push('markedCopy')
  const done = doneWithPictures(files, { seed: request.seed, prompt: request.prompt, notDrawn: [], notFollowed })
  return { ...done, files: [...files, ...marked] }
}

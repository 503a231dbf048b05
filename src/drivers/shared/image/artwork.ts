/** Requests in the artwork dialect (family F4, Midjourney) for drivers whose upstream speaks it.
 *  `who` names the upstream in messages. */
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest, PictureRegion } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { refused } from '../refusal.ts'

/** Where an upstream stores a picture that further pictures can be derived from. */
export interface ArtworkPicture {
  jobId: string
  /** The upstream's number of the picture in its job. */
  imageNo: number
  /** Model version without its fraction; version 5 has other upscale types. */
  version: number
}

/** The facts about a job that are stored with its pictures. */
export type ArtworkRecord = {
  jobId: string
  /** The upstream's number for each picture. */
  pictures: number[]
  version: number
}

type PromptedRequest = ImageGenerateRequest | ImageEditRequest

export const usualArtworkVersion = 7
/** Number of pictures that a text job and a redraw give. */
export const picturesPerArtwork = 4
const mostText = 8192
const mostSeed = 4_294_967_295n
const side = { least: 500, most: 4096 }
/** Text that an upstream would read as a flag. Phones turn two hyphens into a long dash. */
const flagLike = /(^|\s)((--|[\u2012-\u2015])[a-z]|-v(\s|$))/i

/** The prompt with its flags: the `own` ones, the negative prompt and those of the request. Throws
 *  the refusal of words that cannot be sent this way. */
export function artworkText(who: string, request: PromptedRequest, own: readonly string[]): string {
  const { prompt, negativePrompt, flags, seed, expandPrompt } = request
  if (flagLike.test(prompt)) throw refused('prompt', `${who} would read words that begin with two hyphens, or a long dash, as flags.`)
  if (flagLike.test(negativePrompt ?? '')) throw refused('negativePrompt', `${who} would read words of it as flags.`)
  if (expandPrompt) throw refused('expandPrompt', `${who} has no such thing.`)
  const value = BigInt(seed)
  if (value < 0n || value > mostSeed) throw refused('seed', `${who} takes a seed of 0 to ${mostSeed}, not ${seed}.`)
  const negative = negativePrompt === undefined ? [] : [`--no ${negativePrompt}`]
  const text = [prompt, ...own, ...negative, ...(flags === undefined ? [] : [flags])].join(' ')
  if (text.length > mostText) throw refused('prompt', `${who} takes ${mostText} characters with all flags, not ${text.length}.`)
  return text
}

/** The regions in the form of a redraw. Throws the refusal of side lengths outside the range. */
export function artworkAreas(who: string, regions: readonly PictureRegion[]): PictureRegion[] {
  for (const length of regions.flatMap(({ width, height }) => [width, height])) {
    if (length < side.least || length > side.most)
      throw refused('regions', `${who} takes regions on a picture of ${side.least} to ${side.most} pixels a side, not ${length}.`)
  }
  return regions.map(({ width, height, points }) => ({ width, height, points }))
}

/** The picture's place at the upstream, read from `member` of the facts stored with it. Throws a
 *  refusal for a picture that this upstream did not draw. */
export function artworkPicture(who: string, member: string, { origin }: Pick<InputFile, 'origin'>): ArtworkPicture {
  const kept: JsonObject = objectOf(origin?.detail[member])
  const { jobId, pictures, version } = kept
  const imageNo = Array.isArray(pictures) && origin ? pictures[origin.index] : undefined
  if (typeof jobId === 'string' && typeof imageNo === 'number' && typeof version === 'number') return { jobId, imageNo, version }
  throw refused('image', `${who} takes only pictures that it has drawn itself.`)
}

/** The upstream's number of the upscale type: 0 and 1 exist from version 6 on, 2 and 3 in version
 *  5. */
export function upscaleType(who: string, { factor, mode }: Pick<ImageUpscaleRequest, 'factor' | 'mode'>, version: number): number {
  if (version >= 6 && factor === 2) return mode === 'subtle' ? 0 : 1
  if (version < 6 && mode === 'subtle') return factor === 2 ? 2 : 3
  throw refused('factor', `${who} enlarges pictures of version ${version} ${version < 6 ? 'subtly only' : 'to twice their sides only'}.`)
}

/** The version that the flags name, without its fraction. */
export function versionIn(flags = ''): number | undefined {
  const named = [...flags.matchAll(/--(?:v|version|niji) (\d+)/gi)].at(-1)?.[1]
  return named === undefined ? undefined : Number(named)
}

/** The artwork dialect (family F4, Midjourney), as drivers of upstreams that speak it need it. `who` is the upstream, in sentences. */
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest, PictureRegion } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { refused } from '../refusal.ts'

/** Where an upstream has a picture, so that more can be made of it. */
export interface ArtworkPicture {
  jobId: string
  /** The upstream's number of the picture in its job. */
  imageNo: number
  /** Model version without its fraction: an upscale has other types for 5. */
  version: number
}

/** What is kept of a job with its pictures. */
export type ArtworkMade = {
  jobId: string
  /** The upstream's number of each picture. */
  pictures: number[]
  version: number
}

type Described = ImageGenerateRequest | ImageEditRequest

export const usualArtworkVersion = 7
/** Pictures of a text job and of a redraw. */
export const picturesPerArtwork = 4
const mostText = 8192
const mostSeed = 4_294_967_295n
const side = { least: 500, most: 4096 }
/** What would be read as a flag; phones make a long dash of two hyphens. */
const flagLike = /(^|\s)((--|[\u2012-\u2015])[a-z]|-v(\s|$))/i

/** The prompt with its flags: `own` ones, what must not be there, and those of the request. Throws the refusal of words that cannot be told this way. */
export function artworkText(who: string, request: Described, own: readonly string[]): string {
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

/** The regions as a redraw takes them. Throws the refusal of sides it does not take. */
export function artworkAreas(who: string, regions: readonly PictureRegion[]): PictureRegion[] {
  for (const length of regions.flatMap(({ width, height }) => [width, height])) {
    if (length < side.least || length > side.most)
      throw refused('regions', `${who} takes regions on a picture of ${side.least} to ${side.most} pixels a side, not ${length}.`)
  }
  return regions.map(({ width, height, points }) => ({ width, height, points }))
}

/** Where the upstream has the picture, as `member` of what was kept with it says. Throws a refusal for a picture that it has not drawn. */
export function artworkPicture(who: string, member: string, { origin }: Pick<InputFile, 'origin'>): ArtworkPicture {
  const kept: JsonObject = objectOf(origin?.detail[member])
  const { jobId, pictures, version } = kept
  const imageNo = Array.isArray(pictures) && origin ? pictures[origin.index] : undefined
  if (typeof jobId === 'string' && typeof imageNo === 'number' && typeof version === 'number') return { jobId, imageNo, version }
  throw refused('image', `${who} takes only pictures that it has drawn itself.`)
}

/** Types 0 and 1 are of versions from 6 on, 2 and 3 of version 5. */
export function upscaleType(who: string, { factor, mode }: Pick<ImageUpscaleRequest, 'factor' | 'mode'>, version: number): number {
  if (version >= 6 && factor === 2) return mode === 'subtle' ? 0 : 1
  if (version < 6 && mode === 'subtle') return factor === 2 ? 2 : 3
  throw refused('factor', `${who} enlarges pictures of version ${version} ${version < 6 ? 'subtly only' : 'to twice their sides only'}.`)
}

/** The version that flags name, without its fraction. */
export function versionIn(flags = ''): number | undefined {
  const named = [...flags.matchAll(/--(?:v|version|niji) (\d+)/gi)].at(-1)?.[1]
  return named === undefined ? undefined : Number(named)
}

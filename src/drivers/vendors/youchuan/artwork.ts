/** Translates parts of a request into the vendor's parameters
 *  (docs/vendors/youchuan.md#operations). */
import { objectOf } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest, PictureRegion } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { refused } from '../../shared/refusal.ts'
import { owner } from './settings.ts'

/** Where the vendor stores a picture from which further pictures can be derived. */
interface ArtworkPicture {
  jobId: string
  /** The vendor's number of the picture in its job. */
  imageNo: number
  /** Major version of the model. Version 5 has other types of upscaling than later versions. */
  version: number
}

/** The facts that are stored with the pictures of a job. */
export type ArtworkRecord = {
  jobId: string
  /** The vendor's number of each picture. */
  pictures: number[]
  version: number
}

type PromptedRequest = ImageGenerateRequest | ImageEditRequest

export const usualArtworkVersion = 7
/** Number of pictures that one text job or redraw produces. */
export const picturesPerArtwork = 4
const mostText = 8192
const mostSeed = 4_294_967_295n
const side = { least: 500, most: 4096 }
/** Matches text that the vendor would read as a flag, such as `--ar`. A long dash is matched, too,
 *  because phones replace two hyphens by one. */
const flagLike = /(^|\s)((--|[\u2012-\u2015])[a-z]|-v(\s|$))/i

/** Returns the prompt followed by flags: those in `own`, the negative prompt, and the caller's
 *  flags. Throws the refusal of a text that the vendor would read as a flag, and of values that
 *  flags cannot express. */
export function artworkText(request: PromptedRequest, own: readonly string[]): string {
  const { prompt, negativePrompt, flags, seed, expandPrompt } = request
  if (flagLike.test(prompt)) throw refused('prompt', `${owner} would read words that begin with two hyphens, or a long dash, as flags.`)
  if (flagLike.test(negativePrompt ?? '')) throw refused('negativePrompt', `${owner} would read words of it as flags.`)
  if (expandPrompt) throw refused('expandPrompt', `${owner} has no such thing.`)
  const value = BigInt(seed)
  if (value < 0n || value > mostSeed) throw refused('seed', `${owner} takes a seed of 0 to ${mostSeed}, not ${seed}.`)
  const negative = negativePrompt === undefined ? [] : [`--no ${negativePrompt}`]
  const text = [prompt, ...own, ...negative, ...(flags === undefined ? [] : [flags])].join(' ')
  if (text.length > mostText) throw refused('prompt', `${owner} takes ${mostText} characters with all flags, not ${text.length}.`)
  return text
}

/** Returns the regions in the form that a redraw requires. Throws the refusal when a side of the
 *  picture is outside the vendor's range. */
export function artworkAreas(regions: readonly PictureRegion[]): PictureRegion[] {
  for (const length of regions.flatMap(({ width, height }) => [width, height])) {
    if (length < side.least || length > side.most)
      throw refused('regions', `${owner} takes regions on a picture of ${side.least} to ${side.most} pixels a side, not ${length}.`)
  }
  return regions.map(({ width, height, points }) => ({ width, height, points }))
}

/** Returns where the vendor stores the picture, read from the `detail` that the gateway stored with
 *  it. Throws the refusal of a picture that this vendor did not draw. */
export function artworkPicture({ origin }: Pick<InputFile, 'origin'>): ArtworkPicture {
  const { jobId, pictures, version } = objectOf(origin?.detail.youchuan)
  const imageNo = Array.isArray(pictures) && origin ? pictures[origin.index] : undefined
  if (typeof jobId === 'string' && typeof imageNo === 'number' && typeof version === 'number') return { jobId, imageNo, version }
  throw refused('image', `${owner} takes only pictures that it has drawn itself.`)
}

/** Returns the vendor's number for a type of upscaling: 0 and 1 exist from version 6 on, 2 and 3
 *  only in version 5. */
export function upscaleType({ factor, mode }: Pick<ImageUpscaleRequest, 'factor' | 'mode'>, version: number): number {
  if (version >= 6 && factor === 2) return mode === 'subtle' ? 0 : 1
  if (version < 6 && mode === 'subtle') return factor === 2 ? 2 : 3
  throw refused('factor', `${owner} enlarges pictures of version ${version} ${version < 6 ? 'subtly only' : 'to twice their sides only'}.`)
}

/** Returns the major version that the flags state; undefined when they state none. */
export function versionIn(flags = ''): number | undefined {
  const named = [...flags.matchAll(/--(?:v|version|niji) (\d+)/gi)].at(-1)?.[1]
  return named === undefined ? undefined : Number(named)
}

/** The neutral requests and the result of the image capabilities. A type alias, not an interface, where it is stored as JSON. */
import { capability, type FileFacts, type Look, type UsageUnits } from './capability.ts'

export type ImageFormat = 'jpeg' | 'png' | 'webp'

/** Wishes in the words of OpenAI's images interface, as the caller gave them. Targets that speak it pass them on; others draw without them. */
export type ImageWishes = {
  quality?: string
  background?: string
  style?: string
  output_compression?: number
  input_fidelity?: string
}

/** `image.generate`: one or more pictures from words. Sizes are pixels. */
export type ImageGenerateRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  prompt: string
  negativePrompt?: string
  width: number
  height: number
  /** The ratio that the caller gave and the size was made of: `16:9`. */
  aspectRatio?: string
  /** Pictures wanted; picture i uses seed + i. */
  count: number
  /** Decimal digits of a signed 64-bit integer. */
  seed: string
  /** The engine enriches the prompt and reports the one it used. */
  expandPrompt: boolean
  /** 0 strictest to 6 most lenient. */
  safetyTolerance: number
  format: ImageFormat
  /** Steps of a diffusion model; others have none. */
  steps?: number
  /** Looks at each picture on its way that the caller wants to see, 0 to 3: as many events, or fewer. */
  previews?: number
  wishes?: ImageWishes
}

/** `image.edit`: a picture changed as the instruction says. Inputs: `image`, the first of them is the one that is changed; `mask`, where it may be (white or transparent). */
export type ImageEditRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  prompt: string
  /** Absent: the shape of the input, sides rounded to multiples of 32. */
  width?: number
  height?: number
  /** As in a request for a new picture. */
  aspectRatio?: string
  /** Pictures wanted; absent: one. Picture i uses seed + i. */
  variants?: number
  seed: string
  expandPrompt: boolean
  safetyTolerance: number
  format: ImageFormat
  /** As in a request for a new picture. */
  previews?: number
  wishes?: ImageWishes
}

/** How a picture looks so far: an encoded file that nobody keeps. */
export type ImageEvent = {
  type: 'preview'
  /** Which picture of the request, from 0. */
  picture: number
  /** Which look at it, from 0. */
  step: number
  mediaType: string
  width: number
  height: number
  bytes: Uint8Array
}

/** What an image driver reports beside the files. */
export type ImageResult = {
  /** Of the first picture. */
  seed: string
  /** The prompt that was drawn, after expansion. */
  prompt: string
  /** Words of the prompt that could not be drawn or followed, as written; empty when all were. */
  notDrawn: string[]
  /** Fields of the request that the upstream did not follow: `seed`, those of `sizeFields`, ...; absent or empty when all were. */
  notFollowed?: ImageField[]
  /** Names of the wishes that were passed on; absent: none. */
  granted?: (keyof ImageWishes)[]
  /** Pictures of the request that are not among the files: the safety rules of the target refused them. Absent: none. */
  refused?: number
}

/** A part of an image request by name: a field, or an input by its role. */
export type ImageField = keyof ImageGenerateRequest | keyof ImageEditRequest | 'image' | 'mask'

/** What the caller gave the size by: a refusal of it is about the first one. Of an edit that names none it is the ratio: that of its input. */
export function sizeFields({ width, aspectRatio }: Pick<ImageEditRequest, 'width' | 'aspectRatio'>): ['width', 'height'] | ['aspectRatio'] {
  return width === undefined || aspectRatio !== undefined ? ['aspectRatio'] : ['width', 'height']
}

export const imageGenerate = capability<ImageGenerateRequest, ImageResult, ImageEvent>({
  failover: 'paid',
  expectedUnits: ({ count, width, height }) => pictures(count, width * height),
  unitsOf: unitsOfPicture,
  lookAt,
})

export const imageEdit = capability<ImageEditRequest, ImageResult, ImageEvent>({
  failover: 'paid',
  expectedUnits: ({ width, height, variants = 1 }, inputs) => {
    const input = inputs.find(({ role }) => role === 'image')
    return pictures(variants, (width ?? input?.width ?? 0) * (height ?? input?.height ?? 0))
  },
  unitsOf: unitsOfPicture,
  lookAt,
})

function lookAt({ picture, mediaType, width, height, bytes }: ImageEvent): Look {
  return { index: picture, mediaType, width, height, bytes: bytes.length }
}

function unitsOfPicture({ width = 0, height = 0 }: FileFacts): UsageUnits[] {
  return pictures(1, width * height)
}

function pictures(count: number, pixels: number): UsageUnits[] {
  return [
    { unit: 'images', units: count },
    { unit: 'pixels', units: count * pixels },
  ]
}

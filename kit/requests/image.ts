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

/** Sides of a picture in pixels. */
export type PictureSize = { width: number; height: number }

/** What both a new picture and an edit can be asked for. */
type PictureRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  prompt: string
  /** Things that must not be there. */
  negativePrompt?: string
  /** The ratio that the caller gave and the size was made of: `16:9`. */
  aspectRatio?: string
  /** A tier in place of a size: the target takes the one of `sizes` that the prompt asks for, or the size of the request. `name` is the caller's word for it: `2K`. */
  tier?: { name: string; sizes: PictureSize[] }
  /** The pictures belong together, as the prompt tells it: the same subjects, step after step. The target decides how many; the number of pictures is the most. */
  series?: true
  /** Of a series: as many pictures as are wanted, whatever the words say. */
  exactCount?: true
  /** Decimal digits of a signed 64-bit integer; picture i uses seed + i. */
  seed: string
  /** The engine enriches the prompt and reports the one it used. */
  expandPrompt: boolean
  /** 0 strictest to 6 most lenient. */
  safetyTolerance: number
  format: ImageFormat
  /** A mark in the bottom right corner says that the picture was generated. */
  watermark?: true
  /** Wanted beside each picture: the same with such a mark, as `watermarked`. */
  markedCopy?: true
  /** How closely a diffusion model keeps to the prompt, 1 to 10; others have no such thing. */
  guidance?: number
  /** The target may search the web for what the prompt names. */
  webSearch?: true
  /** How a target that rewrites prompts itself does it. */
  promptMode?: 'standard' | 'fast'
  /** Flags of the artwork dialect as the caller wrote them, for targets that speak it: `--v 7 --s 250`. */
  flags?: string
  /** Looks at each picture on its way that the caller wants to see, 0 to 3: as many events, or fewer. */
  previews?: number
  wishes?: ImageWishes
}

/** `image.generate`: one or more pictures from words. */
export type ImageGenerateRequest = PictureRequest &
  PictureSize & {
    /** Pictures wanted. */
    count: number
    /** Steps of a diffusion model; others have none. */
    steps?: number
  }

/** A polygon on a picture of this size: x, y, x, y, ... */
export type PictureRegion = PictureSize & { points: number[] }

/** `image.edit`: a picture changed as the instruction says. Without a size it is the shape of the input, sides rounded to multiples of 32. Inputs: `image`, the first of them is the one that is changed, the others are what the prompt speaks of ("the second picture");
 *  `mask`, where it may be (white or transparent). */
export type ImageEditRequest = PictureRequest &
  Partial<PictureSize> & {
    /** Pictures wanted; absent: one. */
    variants?: number
    /** The inputs are references: a picture is made of them whatever the words say. Absent: of one input, an edit that follows none of the words may fail. */
    references?: true
    /** Only in these regions is anything changed, as with a mask; the prompt then says what is to be seen there. */
    regions?: PictureRegion[]
  }

/** `image.upscale`: the input `image`, larger. */
export type ImageUpscaleRequest = {
  hops?: number
  /** Of each side. */
  factor: 2 | 4
  /** `subtle` keeps to the picture, `creative` adds detail. */
  mode: 'subtle' | 'creative'
  /** What the picture shows, where it is known. */
  prompt?: string
  seed: string
  safetyTolerance: number
  format: ImageFormat
}

/** What is told while pictures are made. `picture`: which of the request, from 0. */
export type ImageEvent =
  | {
      /** How a picture looks so far: an encoded file that nobody keeps. */
      type: 'preview'
      picture: number
      /** Which look at it, from 0. */
      step: number
      mediaType: string
      width: number
      height: number
      bytes: Uint8Array
    }
  | ({ type: 'refused' } & RefusedPicture)

/** A picture that the safety rules of the target withheld; no file is given for it. */
export type RefusedPicture = { picture: number; reasons: string[] }

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
  /** Pictures of the request that are not among the files, in order. Absent: none. */
  refused?: RefusedPicture[]
}

/** A part of an image request by name: a field, or an input by its role. */
export type ImageField = keyof ImageGenerateRequest | keyof ImageEditRequest | keyof ImageUpscaleRequest | 'image' | 'mask'

/** What the caller gave the size by: a refusal of it is about the first one. Of an edit that names none it is the ratio: that of its input. */
export function sizeFields({ width, aspectRatio }: Pick<ImageEditRequest, 'width' | 'aspectRatio'>): ['width', 'height'] | ['aspectRatio'] {
  return width === undefined || aspectRatio !== undefined ? ['aspectRatio'] : ['width', 'height']
}

/** What few models know. A tier alone is never left out: the size of the request is one of its own. */
const extras = {
  series: 'refused',
  watermark: 'told',
  markedCopy: 'told',
  guidance: 'told',
  webSearch: 'told',
  promptMode: 'told',
  flags: 'told',
} as const

export const imageGenerate = capability<ImageGenerateRequest, ImageResult, ImageEvent>({
  failover: 'paid',
  extras,
  expectedUnits: ({ count, width, height, tier }) => pictures(count, largestArea(width * height, tier)),
  unitsOf: unitsOfPicture,
  lookAt,
  keptEvents,
})

export const imageEdit = capability<ImageEditRequest, ImageResult, ImageEvent>({
  failover: 'paid',
  extras: { ...extras, regions: 'refused' },
  expectedUnits: ({ width, height, tier, variants = 1 }, inputs) => {
    const input = inputs.find(({ role }) => role === 'image')
    return pictures(variants, largestArea((width ?? roundedUp(input?.width)) * (height ?? roundedUp(input?.height)), tier))
  },
  unitsOf: unitsOfPicture,
  lookAt,
  keptEvents,
})

export const imageUpscale = capability<ImageUpscaleRequest, ImageResult, ImageEvent>({
  failover: 'paid',
  expectedUnits: ({ factor }, inputs) => {
    const input = inputs.find(({ role }) => role === 'image')
    return pictures(1, factor ** 2 * (input?.width ?? 0) * (input?.height ?? 0))
  },
  unitsOf: unitsOfPicture,
  lookAt,
  keptEvents,
})

function lookAt(event: ImageEvent): Look | undefined {
  if (event.type !== 'preview') return undefined
  const { picture, mediaType, width, height, bytes } = event
  return { index: picture, mediaType, width, height, bytes: bytes.length }
}

function keptEvents({ refused = [] }: ImageResult): ImageEvent[] {
  return refused.map(picture => ({ type: 'refused', ...picture }))
}

function unitsOfPicture({ width = 0, height = 0 }: FileFacts): UsageUnits[] {
  return pictures(1, width * height)
}

/** The side of an edit that names none is that of its input, rounded to a multiple of 32. */
function roundedUp(side = 0): number {
  return Math.ceil(side / 32) * 32
}

/** Pixels of what may be drawn: of a tier the target takes any size. */
function largestArea(area: number, tier: PictureRequest['tier']): number {
  return Math.max(area, ...(tier?.sizes ?? []).map(({ width, height }) => width * height))
}

function pictures(count: number, pixels: number): UsageUnits[] {
  return [
    { unit: 'images', units: count },
    { unit: 'pixels', units: count * pixels },
  ]
}

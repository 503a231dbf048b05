/** Neutral requests and result of the image capabilities. Types that are stored as JSON are type
 *  aliases, not interfaces. */
import { capability, type FileFacts, type OutputPreview, type UsageUnits } from './capability.ts'

export type ImageFormat = 'jpeg' | 'png' | 'webp'

/** Options of OpenAI's images interface, as the caller wrote them. Targets with this interface
 *  receive them; other targets ignore them. */
export type ImageOptions = {
  quality?: string
  background?: string
  style?: string
  output_compression?: number
  input_fidelity?: string
}

/** Sides of a picture in pixels. */
export type PictureSize = { width: number; height: number }

/** Fields that a new picture and an edit share. */
type PictureRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  prompt: string
  /** Description of things that must not appear. */
  negativePrompt?: string
  /** The aspect ratio from which the size was derived, as the caller gave it: `16:9`. */
  aspectRatio?: string
  /** A size tier (a class of sizes), whose name in the caller's request is `name`, such as `2K`.
   *  From `sizes`, the target picks the size that the prompt names, or else the size of the
   *  request. */
  tier?: { name: string; sizes: PictureSize[] }
  /** True when the pictures form a series that the prompt describes: the same subjects, step after
   *  step. The target decides how many; the requested number is the maximum. */
  series?: true
  /** True when a series must have exactly the requested number of pictures, whatever the prompt
   *  says. */
  exactCount?: true
  /** Seed as a signed 64-bit integer in decimal digits; picture i uses seed + i. */
  seed: string
  /** True when the engine expands the prompt and reports the expanded one. */
  expandPrompt: boolean
  /** Tolerance of the safety rules, from 0 (strictest) to 6 (most lenient). */
  safetyTolerance: number
  format: ImageFormat
  /** True to draw a mark in the bottom right corner that says that the picture was generated. */
  watermark?: true
  /** True to create, in addition, a copy of each picture with such a mark, as `watermarked`. */
  markedCopy?: true
  /** How closely a diffusion model follows the prompt, 1 to 10; other models ignore it. */
  guidance?: number
  /** True when the target may search the web for things that the prompt mentions. */
  webSearch?: true
  /** The mode in which a target rewrites the prompt; for targets that rewrite prompts
   *  themselves. */
  promptMode?: 'standard' | 'fast'
  /** Flags of an artwork prompt that have no field in this request, in their short spelling:
   *  `--v 7 --s 250`. Only targets that support such flags use them. */
  flags?: string
  /** Number of previews of each picture that the caller wants, 0 to 3; the target may send
   *  fewer. */
  previews?: number
  wishes?: ImageOptions
}

/** `image.generate`: one or more pictures from a prompt. */
export type ImageGenerateRequest = PictureRequest &
  PictureSize & {
    /** Number of pictures. */
    count: number
    /** Steps of a diffusion model; other models ignore it. */
    steps?: number
  }

/** A polygon on a picture of this size; points are x, y, x, y, ... */
export type PictureRegion = PictureSize & { points: number[] }

/** `image.edit`: changes a picture as an instruction says. Without a size, the result has the shape
 *  of the input, with sides rounded to multiples of 32. Inputs: `image` and `mask`. The first
 *  `image` is changed; the prompt may refer to the others ("the second picture"). In `mask`, the
 *  area to change is white or transparent. */
export type ImageEditRequest = PictureRequest &
  Partial<PictureSize> & {
    /** Number of pictures; one when absent. */
    variants?: number
    /** True when the inputs are only references, from which a new picture is created in any case.
     *  When absent, the edit of a single input may fail if the target cannot follow any word of the
     *  prompt. */
    references?: true
    /** Restricts the change to these regions, as a mask does; the prompt then describes their new
     *  contents. */
    regions?: PictureRegion[]
  }

/** `image.upscale`: enlarges the input `image`. */
export type ImageUpscaleRequest = {
  hops?: number
  /** Factor for each side. */
  factor: 2 | 4
  /** `subtle` preserves the picture, `creative` adds detail. */
  mode: 'subtle' | 'creative'
  /** Description of the picture, when known. */
  prompt?: string
  seed: string
  safetyTolerance: number
  format: ImageFormat
}

/** Events while pictures are being drawn. `picture` is the index in the request, from 0. */
export type ImageEvent =
  | {
      /** A preview of an unfinished picture: an encoded file that is not stored. */
      type: 'preview'
      picture: number
      /** Index of the preview, from 0. */
      step: number
      mediaType: string
      width: number
      height: number
      bytes: Uint8Array
    }
  | ({ type: 'refused' } & RefusedPicture)

/** A picture that the target's safety rules withheld; it has no file. */
export type RefusedPicture = { picture: number; reasons: string[] }

/** The report of an image driver in addition to the files. */
export type ImageResult = {
  /** Seed of the first picture. */
  seed: string
  /** The prompt that was used, after expansion. */
  prompt: string
  /** Words of the prompt that could not be drawn or followed, as written; empty when there were
   *  none, or when the driver cannot tell. */
  notDrawn: string[]
  /** Request fields that the upstream ignored: `seed`, those of `sizeFields`, ...; absent or empty
   *  when it ignored none. */
  notFollowed?: ImageField[]
  /** Names of the image options (`wishes`) that were forwarded; absent when there were none. */
  granted?: (keyof ImageOptions)[]
  /** The requested pictures that were withheld and have no file, in order; absent when there are
   *  none. */
  refused?: RefusedPicture[]
}

/** Name of a part of an image request: a field, or an input by its role. */
export type ImageField = keyof ImageGenerateRequest | keyof ImageEditRequest | keyof ImageUpscaleRequest | 'image' | 'mask'

/** Returns the fields that determine the size. When the size is refused, the error names the first
 *  of them. For an edit without a size this is the aspect ratio, because the result has the shape
 *  of the input picture. */
export function sizeFields({ width, aspectRatio }: Pick<ImageEditRequest, 'width' | 'aspectRatio'>): ['width', 'height'] | ['aspectRatio'] {
  return width === undefined || aspectRatio !== undefined ? ['aspectRatio'] : ['width', 'height']
}

/** Extras, which are fields that only some models support. `tier` is not listed, because a
 *  request with a tier also has a size, and targets without tiers use this size. */
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
  previewOf,
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
  previewOf,
  keptEvents,
})

export const imageUpscale = capability<ImageUpscaleRequest, ImageResult, ImageEvent>({
  failover: 'paid',
  expectedUnits: ({ factor }, inputs) => {
    const input = inputs.find(({ role }) => role === 'image')
    return pictures(1, factor ** 2 * (input?.width ?? 0) * (input?.height ?? 0))
  },
  unitsOf: unitsOfPicture,
  previewOf,
  keptEvents,
})

function previewOf(event: ImageEvent): OutputPreview | undefined {
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

/** Returns the side of an input rounded up to a multiple of 32, for an edit without a size. */
function roundedUp(side = 0): number {
  return Math.ceil(side / 32) * 32
}

/** Returns the largest area in pixels that the target may draw: in a request with a tier, the
 *  target may choose any of the tier's sizes. */
function largestArea(area: number, tier: PictureRequest['tier']): number {
  return Math.max(area, ...(tier?.sizes ?? []).map(({ width, height }) => width * height))
}

function pictures(count: number, pixels: number): UsageUnits[] {
  return [
    { unit: 'images', units: count },
    { unit: 'pixels', units: count * pixels },
  ]
}

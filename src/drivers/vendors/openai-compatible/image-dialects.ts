/** Features and limits of image models, from OpenAI's reference of the Images API (generations and
 *  edits), November 2026. */
import type { ImageFormat, ImageOptions } from '@generation-gateway/kit/requests/image.ts'

export interface Size {
  width: number
  height: number
}

/** The sizes, in pixels, that a model can draw. */
type SizeRule = { kind: 'any' } | { kind: 'listed'; sizes: readonly Size[] } | SteppedSizes

interface SteppedSizes {
  kind: 'stepped'
  step: number
  mostSide: number
  /** Highest aspect ratio: the longer side divided by the shorter side. */
  mostRatio: number
  leastPixels: number
  mostPixels: number
}

export interface ImageDialect {
  sizes: SizeRule
  /** Values that the field `output_format` may have, best first; empty when the model has no such
   *  field. A picture that arrives in another format than the caller requested is converted. */
  formats: readonly ImageFormat[]
  /** True when the model has the field `response_format`; the driver then requests base64 in
   *  this field. Models without the field always answer with base64. */
  hasResponseFormat: boolean
  /** The caller's image options that the model supports. */
  wishes: readonly (keyof ImageOptions)[]
  /** Largest number of pictures per request. */
  mostImages: number
  /** Longest prompt, characters. */
  mostPrompt: number
  /** Largest number of input pictures per edit. `takesMask` is true when an edit may also have a
   *  mask. */
  mostInputs: number
  takesMask: boolean
  /** Media types that a picture to edit may have. Empty when the model cannot edit by instruction;
   *  undefined when the accepted types are unknown. */
  editTypes: readonly string[] | undefined
}

export const dialectNames = ['gpt-image-1', 'gpt-image-2', 'dall-e-3', 'dall-e-2', 'open'] as const
export type DialectName = (typeof dialectNames)[number]

const gptImage: Omit<ImageDialect, 'sizes'> = {
  formats: ['png', 'jpeg', 'webp'],
  hasResponseFormat: false,
  wishes: ['quality', 'background', 'output_compression', 'input_fidelity'],
  mostImages: 10,
  mostPrompt: 32_000,
  mostInputs: 16,
  takesMask: true,
  editTypes: ['image/png', 'image/jpeg', 'image/webp'],
}
const dallE: Omit<ImageDialect, 'sizes'> = {
  ...gptImage,
  formats: [],
  hasResponseFormat: true,
  // Empty, because dall-e-2 only fills masked or transparent areas and does not follow an
  // instruction.
  editTypes: [],
}

export const dialects: Readonly<Record<DialectName, ImageDialect>> = {
  'gpt-image-1': { ...gptImage, sizes: listed('1024x1024', '1536x1024', '1024x1536') },
  'gpt-image-2': {
    ...gptImage,
    sizes: { kind: 'stepped', step: 16, mostSide: 3840, mostRatio: 3, leastPixels: 655_360, mostPixels: 8_294_400 },
  },
  'dall-e-3': {
    ...dallE,
    wishes: ['quality', 'style'],
    sizes: listed('1024x1024', '1792x1024', '1024x1792'),
    mostImages: 1,
    mostPrompt: 4_000,
  },
  'dall-e-2': { ...dallE, wishes: [], sizes: listed('256x256', '512x512', '1024x1024'), mostPrompt: 1_000 },
  // Features that all self-hosted servers have. A target's settings state what else its server can
  // do.
  open: {
    sizes: { kind: 'any' },
    formats: [],
    hasResponseFormat: true,
    wishes: [],
    mostImages: 1,
    mostPrompt: Number.POSITIVE_INFINITY,
    mostInputs: 1,
    takesMask: false,
    editTypes: undefined,
  },
}

const knownModels: readonly [name: RegExp, dialect: DialectName][] = [
  [/^(gpt-image-1(\.5|-mini)?(-\d{4}-\d{2}-\d{2})?|chatgpt-image-latest)$/, 'gpt-image-1'],
  [/^gpt-image-2/, 'gpt-image-2'],
  [/^dall-e-3$/, 'dall-e-3'],
  [/^dall-e-2$/, 'dall-e-2'],
]

/** Returns the dialect that belongs to a model's name. A prefix that a proxy adds
 *  (`openai/gpt-image-1`) is ignored. */
export function dialectOfModel(model: string): DialectName {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return knownModels.find(([pattern]) => pattern.test(name))?.[1] ?? 'open'
}

/** Returns a rule that allows only these sizes, written as `1024x1536`. */
export function listed(...sizes: string[]): SizeRule {
  return { kind: 'listed', sizes: sizes.map(sizeOf) }
}

function sizeOf(text: string): Size {
  const [width = 0, height = 0] = text.split('x').map(Number)
  return { width, height }
}

/** Returns the reason why the model cannot draw this size; undefined when it can. The text has no
 *  subject (`draws ...`), so that the caller can put the model's name before it. */
export function sizeProblem({ width, height }: Size, sizes: SizeRule): string | undefined {
  switch (sizes.kind) {
    case 'any':
      return undefined
    case 'listed': {
      if (sizes.sizes.some(size => size.width === width && size.height === height)) return undefined
      return `draws ${sizes.sizes.map(size => `${size.width}x${size.height}`).join(', ')}, not ${width}x${height}`
    }
    case 'stepped':
      return stepProblem({ width, height }, sizes)
  }
}

function stepProblem({ width, height }: Size, { step, mostSide, mostRatio, leastPixels, mostPixels }: SteppedSizes): string | undefined {
  const longer = Math.max(width, height)
  const pixels = width * height
  if (width % step !== 0 || height % step !== 0) return `draws sides that are multiples of ${step}, not ${width}x${height}`
  if (longer > mostSide) return `draws sides of at most ${mostSide} pixels, not ${longer}`
  if (longer > mostRatio * Math.min(width, height)) return `draws ratios up to ${mostRatio}:1, not ${width}x${height}`
  if (pixels < leastPixels || pixels > mostPixels) return `draws ${leastPixels} to ${mostPixels} pixels, not ${pixels}`
  return undefined
}

/** Fields and limits of the vendor's models (docs/vendors/bfl.md#models). */
import type { RatioSizes } from '../../shared/image/ratio-of-size.ts'

/** Allows any width and height within these limits, in pixels. */
interface PixelSizes {
  kind: 'pixels'
  leastSide: number
  mostSide: number
  step: number
  mostPixels: number
}

export interface ModelGroup {
  /** Matches the vendor's names of the models. */
  models: RegExp
  sizes: PixelSizes | RatioSizes
  /** Highest `safety_tolerance` for a new picture; the lowest is always 0. */
  mostTolerance: number
  /** Highest `safety_tolerance` for an edit; undefined when the models cannot edit a picture by
   *  instruction. */
  mostEditTolerance: number | undefined
  /** True when the models have the field `prompt_upsampling`. */
  hasUpsampling: boolean
}

const flux2 = {
  sizes: { kind: 'pixels', leastSide: 64, mostSide: 65_536, step: 16, mostPixels: 2 ** 22 },
  mostTolerance: 5,
  mostEditTolerance: 5,
} as const

export const groups: Readonly<Record<string, ModelGroup>> = {
  // These models cannot edit: their field `image_prompt` mixes a picture into a new one and does
  // not follow an instruction.
  'flux-1.1': {
    models: /^flux-(pro-1\.1|pro|dev)$/,
    sizes: { kind: 'pixels', leastSide: 256, mostSide: 1440, step: 32, mostPixels: 1440 * 1440 },
    mostTolerance: 6,
    mostEditTolerance: undefined,
    hasUpsampling: true,
  },
  // These models draw about four megapixels. The vendor does not document how sides are rounded; a
  // step of 64 explains that 16:9 gives 2752x1536.
  'flux-1.1-ultra': {
    models: /^flux-pro-1\.1-ultra$/,
    sizes: { kind: 'ratio', pixels: 2 ** 22, step: 64 },
    mostTolerance: 6,
    mostEditTolerance: undefined,
    hasUpsampling: true,
  },
  kontext: {
    models: /^flux-kontext(-pro|-max)?$/,
    sizes: { kind: 'ratio', pixels: 2 ** 20, step: 32 },
    mostTolerance: 6,
    mostEditTolerance: 2,
    hasUpsampling: true,
  },
  'flux-2': { ...flux2, models: /^flux-2-(pro|max|flex)$/, hasUpsampling: true },
  'flux-2-klein': { ...flux2, models: /^flux-2-klein-[0-9]+b$/, hasUpsampling: false },
}

/** Fields and limits of the vendor's models (docs/vendors/bfl.md#models). */
import type { RatioSizes } from '../../shared/image/ratio-of-size.ts'

/** Any width and height within these limits; pixels. */
interface PixelSizes {
  kind: 'pixels'
  leastSide: number
  mostSide: number
  step: number
  mostPixels: number
}

export interface ModelGroup {
  sizes: PixelSizes | RatioSizes
  /** Highest `safety_tolerance`; the lowest is always 0. */
  mostTolerance: number
  /** The same for an edit; undefined when the models of the group cannot edit by instruction. */
  mostEditTolerance: number | undefined
  /** True when the models have the field `prompt_upsampling`. */
  hasUpsampling: boolean
}

export const groupNames = ['flux-1.1', 'flux-1.1-ultra', 'kontext', 'flux-2', 'flux-2-klein'] as const
export type GroupName = (typeof groupNames)[number]

const flux2Sizes: PixelSizes = { kind: 'pixels', leastSide: 64, mostSide: 65_536, step: 16, mostPixels: 2 ** 22 }

export const groups: Readonly<Record<GroupName, ModelGroup>> = {
  // `image_prompt` of these models remixes a picture; it is not an edit by instruction.
  'flux-1.1': {
    sizes: { kind: 'pixels', leastSide: 256, mostSide: 1440, step: 32, mostPixels: 1440 * 1440 },
    mostTolerance: 6,
    mostEditTolerance: undefined,
    hasUpsampling: true,
  },
  // Four megapixels; the rounding step is inferred from 16:9 giving 2752x1536.
  'flux-1.1-ultra': {
    sizes: { kind: 'ratio', pixels: 2 ** 22, step: 64 },
    mostTolerance: 6,
    mostEditTolerance: undefined,
    hasUpsampling: true,
  },
  kontext: { sizes: { kind: 'ratio', pixels: 2 ** 20, step: 32 }, mostTolerance: 6, mostEditTolerance: 2, hasUpsampling: true },
  'flux-2': { sizes: flux2Sizes, mostTolerance: 5, mostEditTolerance: 5, hasUpsampling: true },
  'flux-2-klein': { sizes: flux2Sizes, mostTolerance: 5, mostEditTolerance: 5, hasUpsampling: false },
}

const knownModels: readonly [name: RegExp, group: GroupName][] = [
  [/^flux-(pro-1\.1|pro|dev)$/, 'flux-1.1'],
  [/^flux-pro-1\.1-ultra$/, 'flux-1.1-ultra'],
  [/^flux-kontext(-pro|-max)?$/, 'kontext'],
  [/^flux-2-(pro|max|flex)$/, 'flux-2'],
  [/^flux-2-klein-[0-9]+b$/, 'flux-2-klein'],
]

/** The group of a model, by the vendor's name; undefined for an unknown name. */
export function groupOfModel(model: string): GroupName | undefined {
  return knownModels.find(([name]) => name.test(model))?.[1]
}

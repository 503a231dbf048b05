/** Fields and limits of the vendor's models (docs/vendors/ark.md#image-models). The groups are the
 *  parameter sets N1, N2, N3, O1 and O2 of interface F3, in this order
 *  (docs/interface/pictures.md#f3). */

/** For models that accept any width and height: the limits of the number of pixels (width x
 *  height), inclusive. */
interface FreeSizes {
  kind: 'free'
  /** Names of size classes, such as 2K, for which the model chooses the aspect ratio. */
  tiers: readonly string[]
  leastPixels: number
  mostPixels: number
}

interface SideSizes {
  kind: 'sides'
  leastSide: number
  mostSide: number
}

export interface ModelGroup {
  /** Matches the names of the models at the vendor's services in China and abroad. */
  models: RegExp
  /** `adaptive` means that the picture gets the aspect ratio of the input picture. */
  sizes: FreeSizes | SideSizes | { kind: 'adaptive' }
  /** Largest number of input pictures per request; 0 when the model cannot edit. */
  mostInputs: number
  /** True when the model requires an input picture. */
  needsInput: boolean
  inputTypes: readonly string[]
  /** Highest aspect ratio of an input: its longer side divided by its shorter side. */
  mostInputRatio: number
  /** True when one request can produce several pictures; their answer can be streamed. */
  hasSeries: boolean
  hasSeed: boolean
  hasGuidance: boolean
  hasWebSearch: boolean
  /** True when the model has the field `output_format`; otherwise its pictures are JPEG. */
  hasFormat: boolean
  promptModes: readonly ('standard' | 'fast')[]
}

/** Largest number of pictures of one request: input pictures and new pictures together. */
export const mostPictures = 15
/** Highest aspect ratio of a new picture: its longer side divided by its shorter side. */
export const mostRatio = 16
export const mostInputPixels = 36_000_000
/** Shortest side of an input in pixels. The interface says "above 14 px", so this is 15
 *  (docs/interface/pictures.md#f3). */
export const leastInputSide = 15
/** Highest seed; the lowest is 0. The vendor reads -1 as "choose any seed". */
export const mostSeed = 2_147_483_647n

const oldTypes = ['image/jpeg', 'image/png']

const newer: Omit<ModelGroup, 'models' | 'sizes'> = {
  mostInputs: 14,
  needsInput: false,
  inputTypes: [...oldTypes, 'image/webp', 'image/bmp', 'image/tiff', 'image/gif'],
  mostInputRatio: 16,
  hasSeries: true,
  hasSeed: false,
  hasGuidance: false,
  hasWebSearch: false,
  hasFormat: false,
  promptModes: ['standard'],
}
const older: Omit<ModelGroup, 'models' | 'sizes'> = {
  ...newer,
  mostInputs: 0,
  inputTypes: oldTypes,
  mostInputRatio: 3,
  hasSeries: false,
  hasSeed: true,
  hasGuidance: true,
}

export const groups: Readonly<Record<string, ModelGroup>> = {
  'seedream-5.0': {
    ...{ ...newer, models: named('seedream-5-0(-lite)?'), sizes: free(['2K', '3K'], 3_686_400, 10_404_496) },
    ...{ hasWebSearch: true, hasFormat: true },
  },
  'seedream-4.5': { ...newer, models: named('seedream-4-5'), sizes: free(['2K', '4K'], 3_686_400, 16_777_216) },
  'seedream-4.0': {
    ...{ ...newer, models: named('seedream-4-0'), sizes: free(['1K', '2K', '4K'], 921_600, 16_777_216) },
    promptModes: ['standard', 'fast'],
  },
  'seedream-3.0': {
    ...{ ...older, models: named('seedream-3-0-t2i'), sizes: { kind: 'sides', leastSide: 512, mostSide: 2048 } },
    promptModes: ['standard', 'fast'],
  },
  'seededit-3.0': {
    ...{ ...older, models: named('seededit-3-0-i2i'), sizes: { kind: 'adaptive' } },
    ...{ mostInputs: 1, needsInput: true, promptModes: [] },
  },
}

/** Returns a pattern for the name of a model at the vendor's services in China and abroad, with or
 *  without the date of a version. */
function named(name: string): RegExp {
  return new RegExp(`^(doubao-)?${name}(-\\d{6})?$`)
}

function free(tiers: readonly string[], leastPixels: number, mostPixels: number): FreeSizes {
  return { kind: 'free', tiers, leastPixels, mostPixels }
}

/** Sizes of each model group in family F3. The tiers `1K` and `4K`, and all sizes of group O1, are
 *  the gateway's own (docs/interface/pictures.md#f3). */
import type { PictureSize } from '@generation-gateway/kit/requests/image.ts'

export const groupNames = ['N1', 'N2', 'N3', 'O1', 'O2'] as const
export type Group = (typeof groupNames)[number]

/** Sizes in pixels of each tier, one for each aspect ratio in this order: 1:1 4:3 3:4 16:9 9:16 3:2
 *  2:3 21:9. */
const tiers = {
  '1K': '1024x1024 1152x864 864x1152 1280x720 720x1280 1248x832 832x1248 1512x648',
  '2K': '2048x2048 2304x1728 1728x2304 2848x1600 1600x2848 2496x1664 1664x2496 3136x1344',
  '3K': '3072x3072 3456x2592 2592x3456 4096x2304 2304x4096 3744x2496 2496x3744 4704x2016',
  '4K': '4096x4096 4704x3520 3520x4704 5504x3040 3040x5504 4992x3328 3328x4992 6240x2656',
} as const
type Tier = keyof typeof tiers

/** Allowed width / height of a free size, inclusive. */
const freeRatio = { least: 1 / 16, most: 16 } as const

/** The values that a group accepts in `size`. Bounds are in pixels and inclusive. */
type SizesOfGroup =
  | { kind: 'free'; tiers: readonly Tier[]; leastPixels: number; mostPixels: number }
  | { kind: 'sides'; leastSide: number; mostSide: number }
  | { kind: 'presets' }

const sizesOfGroup: Readonly<Record<Group, SizesOfGroup>> = {
  N1: { kind: 'free', tiers: ['2K', '3K'], leastPixels: 3_686_400, mostPixels: 10_404_496 },
  N2: { kind: 'free', tiers: ['2K', '4K'], leastPixels: 3_686_400, mostPixels: 16_777_216 },
  N3: { kind: 'free', tiers: ['1K', '2K', '4K'], leastPixels: 921_600, mostPixels: 16_777_216 },
  O1: { kind: 'sides', leastSide: 512, mostSide: 2048 },
  O2: { kind: 'presets' },
}

const presetText = `512x1536 544x1536 576x1536 608x1536 640x1536 640x1376 672x1312 704x1280 736x1312 768x1280 768x1216 800x1216 832x1248
832x1184 832x1152 864x1152 896x1152 896x1088 928x1088 960x1088 992x1088 1024x1088 1024x1056 1024x1024 1056x992 1088x992 1120x960
1152x928 1152x896 1152x864 1144x832 1216x832 1248x832 1248x800 1248x768 1280x768 1280x736 1312x736 1280x704 1312x704 1312x672
1344x672 1376x672 1408x672 1408x640 1440x640 1472x640 1504x640 1536x640 1536x608 1560x576 1536x544 1536x512`

/** The preset sizes of model group O2. */
const presets: readonly PictureSize[] = presetText.split(/\s+/).flatMap(text => sidesIn(text) ?? [])

export const usualSize = '2048x2048'

/** Returns the sides in a word such as `2048x1024`; undefined for other words. */
export function sidesIn(size: string): PictureSize | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? []
  return width === undefined ? undefined : { width: Number(width), height: Number(height) }
}

/** Returns the tier that a word names, in upper or lower case; undefined for other words. */
export function tierIn(size: string): Tier | undefined {
  const name = size.toUpperCase()
  return Object.hasOwn(tiers, name) ? (name as Tier) : undefined
}

export function sizesOfTier(tier: Tier): PictureSize[] {
  return tiers[tier].split(' ').flatMap(text => sidesIn(text) ?? [])
}

/** Returns the preset whose ratio is nearest to the picture's; among equally near presets, the
 *  largest. */
export function nearestPreset({ width, height }: PictureSize): PictureSize {
  const off = (preset: PictureSize) => Math.abs(preset.width / preset.height - width / height)
  const [nearest] = presets.toSorted((a, b) => off(a) - off(b) || b.width * b.height - a.width * a.height)
  if (!nearest) throw new TypeError('there are no presets')
  return nearest
}

/** Returns the reason why the group refuses the size, as a sentence that begins with the field;
 *  undefined when the group accepts it. */
export function sizeProblem(group: Group, size: string): string | undefined {
  const taken = sizesOfGroup[group]
  const sides = sidesIn(size)
  const says = `size is ${size}; ${group} takes`
  if (taken.kind === 'presets') {
    const isPreset = presets.some(({ width, height }) => width === sides?.width && height === sides.height)
    return isPreset || size === 'adaptive' ? undefined : `${says} adaptive or the size of a preset.`
  }
  if (taken.kind === 'sides') {
    const { leastSide, mostSide } = taken
    const fits = sides && [sides.width, sides.height].every(side => side >= leastSide && side <= mostSide)
    return fits ? undefined : `${says} width x height with sides from ${leastSide} to ${mostSide} pixels.`
  }
  if (!sides) {
    const tier = tierIn(size)
    return tier && taken.tiers.includes(tier) ? undefined : `${says} ${taken.tiers.join(', ')} or width x height.`
  }
  const { leastPixels, mostPixels } = taken
  const pixels = sides.width * sides.height
  if (pixels < leastPixels || pixels > mostPixels)
    return `size is ${size}, ${pixels} pixels; ${group} takes from ${leastPixels} to ${mostPixels}.`
  const ratio = sides.width / sides.height
  if (ratio < freeRatio.least || ratio > freeRatio.most) return `size is ${size}; width / height has to be from 1/16 to 16.`
  return undefined
}

/** Returns the sizes that the group accepts, as a sentence for the docs. */
export function sizeSays(group: Group): string {
  const taken = sizesOfGroup[group]
  if (taken.kind === 'presets') return 'size is adaptive or the size of a preset.'
  if (taken.kind === 'sides') return `size is width x height with sides from ${taken.leastSide} to ${taken.mostSide} pixels.`
  return `size is ${taken.tiers.join(', ')}, or width x height with from ${taken.leastPixels} to ${taken.mostPixels} pixels in a ratio from 1/16 to 16.`
}

/** Fields and limits of each variant of family H (docs/interface/videos.md#h), one row per
 *  model. */

/** The frames, prompt and subject that a variant accepts. */
interface Variant {
  id: string
  title: string
  /** `first`: a first frame is required. `may`: a first frame is optional. `both`: a first frame
   *  is optional, and a last frame may be sent with it. */
  frames: 'none' | 'may' | 'first' | 'both'
  needsPrompt: boolean
  hasSubject: boolean
  /** True when instructions in brackets move the camera. */
  hasCamera: boolean
  /** True when the caller chooses the length and size of the video. */
  choosesSize: boolean
}

const plain = { needsPrompt: false, hasSubject: false, hasCamera: false, choosesSize: false } as const

export const variants = {
  '02': {
    ...plain,
    id: 'MaaS_VidH_02',
    title: 'Video from words, a picture, or its first and last frame',
    frames: 'both',
    hasCamera: true,
    choosesSize: true,
  },
  t2v: { ...plain, id: 'MaaS_VidH_Video_t2v', title: 'Video from words', frames: 'may', needsPrompt: true },
  i2v: { ...plain, id: 'MaaS_VidH_Video_i2v', title: 'Video from a picture', frames: 'first' },
  i2v_live: { ...plain, id: 'MaaS_VidH_Video_i2v_live', title: 'Video from a drawing', frames: 'first' },
  i2v_director: {
    ...plain,
    id: 'MaaS_VidH_Video_i2v_director',
    title: 'Video from a picture, with camera',
    frames: 'first',
    hasCamera: true,
  },
  t2v_director: {
    ...plain,
    id: 'MaaS_VidH_Video_t2v_director',
    title: 'Video from words, with camera',
    frames: 'none',
    needsPrompt: true,
    hasCamera: true,
  },
  s2v: { ...plain, id: 'MaaS_VidH_Video_s2v', title: 'Video of a person', frames: 'none', hasSubject: true },
} as const satisfies Record<string, Variant>
export type VariantName = keyof typeof variants

const rows: readonly (readonly [VariantName, Variant])[] = Object.entries(variants).map(([name, row]) => [name as VariantName, row])

/** Returns the names of the variants for which `claim` returns true. The name of a variant is
 *  also the name of its model group. */
export function variantsWith(claim: (variant: Variant) => boolean): VariantName[] {
  return rows.flatMap(([name, row]) => (claim(row) ? [name] : []))
}

/** Returns the variant of a model's group; a configured model without a group gets the variant
 *  02. */
export function variantOf(group: string | undefined): Variant {
  return rows.find(([name]) => name === group)?.[1] ?? variants['02']
}

/** The short side and the usual long side of a video in pixels, for each value of the field
 *  `resolution` (docs/vendors/minimax.md#states). */
export const resolutions = { '768P': { short: 768, long: 1366 }, '1080P': { short: 1080, long: 1920 } } as const
/** Size in pixels of videos in variants that do not let the caller choose it. */
export const usualSize = { short: 720, long: 1280 } as const

/** The names that the vendor itself gives these models. */
export const aliases: Readonly<Record<string, string>> = {
  'MiniMax-Hailuo-02': variants['02'].id,
  'MiniMax-Hailuo-2.3': variants['02'].id,
  'MiniMax-Hailuo-2.3-Fast': variants['02'].id,
  'T2V-01': variants.t2v.id,
  'T2V-01-Director': variants.t2v_director.id,
  'I2V-01': variants.i2v.id,
  'I2V-01-Director': variants.i2v_director.id,
  'I2V-01-live': variants.i2v_live.id,
  'S2V-01': variants.s2v.id,
}

/** Capabilities of the vendor's models (docs/vendors/kling.md#models, #capability-map). */

export interface Group {
  /** Matches the vendor's names of the models. */
  models: RegExp
  /** Kind of endpoint that serves the model. `omni`: an endpoint of its own, with shots, references
   *  and subjects. `image`: pictures only. `plain`: the other video endpoints. */
  path: 'plain' | 'omni' | 'image'
  /** True when the model has the field `mode`. */
  hasModes: boolean
  hasStrength: boolean
  hasSound: boolean
  /** True when the model can extend its own videos. */
  canExtend: boolean
  /** Possible lengths in seconds. */
  lengths: readonly number[]
}

const plain = { path: 'plain', hasModes: true, hasStrength: false, hasSound: false, canExtend: false, lengths: [5, 10] } as const

export const groups: Readonly<Record<string, Group>> = {
  v1: { ...plain, models: /^kling-v1(-5|-6)?$/, hasStrength: true, canExtend: true },
  v2: { ...plain, models: /^kling-v2-(1|5-turbo)$/ },
  'v2-master': { ...plain, models: /^kling-v2(-1)?-master$/, hasModes: false },
  'v2-6': { ...plain, models: /^kling-v2-6$/, hasSound: true },
  omni: {
    ...plain,
    models: /^kling-(v3-omni|video-o1)$/,
    path: 'omni',
    hasSound: true,
    lengths: Array.from({ length: 13 }, (_, index) => index + 3),
  },
  image: { ...plain, models: /^kling-image-o1$/, path: 'image', lengths: [] },
}

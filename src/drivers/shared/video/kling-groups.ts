/** Capabilities of the vendor's models (docs/vendors/kling.md#models, #capability-map). */

export interface Group {
  /** `omni`: a path of its own, with shots, references and subjects. `image`: makes pictures
   *  only. */
  path: 'plain' | 'omni' | 'image'
  /** True when the model has the field `mode`. */
  hasModes: boolean
  hasStrength: boolean
  hasSound: boolean
  /** True when the model extends its own videos. */
  canExtend: boolean
  /** Possible lengths in seconds. */
  lengths: readonly number[]
}

export const groupNames = ['v1', 'v2', 'v2-master', 'v2-6', 'omni', 'image'] as const
export type GroupName = (typeof groupNames)[number]

const plain = { path: 'plain', hasModes: true, hasStrength: false, hasSound: false, canExtend: false, lengths: [5, 10] } as const

export const groups: Readonly<Record<GroupName, Group>> = {
  v1: { ...plain, hasStrength: true, canExtend: true },
  v2: plain,
  'v2-master': { ...plain, hasModes: false },
  'v2-6': { ...plain, hasSound: true },
  omni: { ...plain, path: 'omni', hasSound: true, lengths: Array.from({ length: 13 }, (_, index) => index + 3) },
  image: { ...plain, path: 'image', lengths: [] },
}

const known: readonly [name: RegExp, group: GroupName][] = [
  [/^kling-v1(-5|-6)?$/, 'v1'],
  [/^kling-v2(-1)?-master$/, 'v2-master'],
  [/^kling-v2-(1|5-turbo)$/, 'v2'],
  [/^kling-v2-6$/, 'v2-6'],
  [/^kling-(v3-omni|video-o1)$/, 'omni'],
  [/^kling-image-o1$/, 'image'],
]

/** The group of a model, by the vendor's name; undefined for an unknown name. */
export function groupOfModel(model: string): GroupName | undefined {
  return known.find(([name]) => name.test(model))?.[1]
}

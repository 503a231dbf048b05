/** Fields and limits of the vendor's video models (docs/vendors/minimax.md#models). */

export interface Group {
  /** `may`: a first frame is optional; `first`: it is mandatory; `both`: a first frame is optional,
   *  and a last one beside it. */
  frames: 'none' | 'may' | 'first' | 'both'
  hasSubject: boolean
  /** True when words in brackets move the camera. */
  hasCamera: boolean
  /** Lengths in seconds, by short side in pixels. */
  seconds: Readonly<Record<number, readonly number[]>>
  /** True when the model has the fields `duration`, `resolution` and `fast_pretreatment`. */
  hasChoice: boolean
}

export const groupNames = ['hailuo', 'hailuo-fast', 't2v', 't2v-director', 'i2v', 'i2v-director', 's2v'] as const
export type GroupName = (typeof groupNames)[number]

const older = { hasSubject: false, hasCamera: false, seconds: { 720: [6] }, hasChoice: false } as const
const newer = { hasSubject: false, hasCamera: true, seconds: { 768: [6, 10], 1080: [6] }, hasChoice: true } as const

export const groups: Readonly<Record<GroupName, Group>> = {
  hailuo: { ...newer, frames: 'both' },
  'hailuo-fast': { ...newer, frames: 'first' },
  t2v: { ...older, frames: 'may' },
  't2v-director': { ...older, frames: 'none', hasCamera: true },
  i2v: { ...older, frames: 'first' },
  'i2v-director': { ...older, frames: 'first', hasCamera: true },
  s2v: { ...older, frames: 'none', hasSubject: true },
}

const known: readonly [name: RegExp, group: GroupName][] = [
  [/^MiniMax-Hailuo-2\.3-Fast$/i, 'hailuo-fast'],
  [/^MiniMax-Hailuo-(02|2\.3)$/i, 'hailuo'],
  [/^T2V-01$/i, 't2v'],
  [/^T2V-01-Director$/i, 't2v-director'],
  [/^I2V-01(-live)?$/i, 'i2v'],
  [/^I2V-01-Director$/i, 'i2v-director'],
  [/^S2V-01$/i, 's2v'],
]

/** The group of a model, by the vendor's name; undefined for an unknown name. */
export function groupOfModel(model: string): GroupName | undefined {
  return known.find(([name]) => name.test(model))?.[1]
}

/** Fields and limits of the vendor's video models (docs/vendors/minimax.md#models). */

export interface Group {
  /** Matches the vendor's names of the models. */
  models: RegExp
  /** Frames that the model accepts. `none`: no frame; `may`: an optional first frame; `first`: a
   *  first frame, which is required; `both`: an optional first frame, and with it an optional last
   *  one. */
  frames: 'none' | 'may' | 'first' | 'both'
  hasSubject: boolean
  /** True when words in brackets in the prompt control the camera. */
  hasCamera: boolean
  /** Allowed lengths in seconds, for each length of the short side in pixels. */
  seconds: Readonly<Record<number, readonly number[]>>
  /** True when the model has the fields `duration`, `resolution` and `fast_pretreatment`. */
  hasChoice: boolean
}

const older = { hasSubject: false, hasCamera: false, seconds: { 720: [6] }, hasChoice: false } as const
const newer = { hasSubject: false, hasCamera: true, seconds: { 768: [6, 10], 1080: [6] }, hasChoice: true } as const

export const groups: Readonly<Record<string, Group>> = {
  hailuo: { ...newer, models: /^MiniMax-Hailuo-(02|2\.3)$/i, frames: 'both' },
  'hailuo-fast': { ...newer, models: /^MiniMax-Hailuo-2\.3-Fast$/i, frames: 'first' },
  t2v: { ...older, models: /^T2V-01$/i, frames: 'may' },
  't2v-director': { ...older, models: /^T2V-01-Director$/i, frames: 'none', hasCamera: true },
  i2v: { ...older, models: /^I2V-01(-live)?$/i, frames: 'first' },
  'i2v-director': { ...older, models: /^I2V-01-Director$/i, frames: 'first', hasCamera: true },
  s2v: { ...older, models: /^S2V-01$/i, frames: 'none', hasSubject: true },
}

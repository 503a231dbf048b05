/** The capability map (docs/vendors/kling.md#capability-map) as data, one row per model. Where
 *  the interface says something else, the table follows the interface
 *  (docs/interface/videos.md#k). */

/** A mode together with a length in seconds: `S5` is 5 seconds in mode std, `P10` is 10 seconds in
 *  mode pro. Models without modes use `P`. */
export type ClipKind = 'S5' | 'S10' | 'P5' | 'P10'
export type Mode = 'std' | 'pro'

/** The features of a model. For most features, the value is the list of modes and lengths in
 *  which the model supports it. */
export interface Row {
  id: string
  title: string
  /** Modes that a caller may name, the default first; empty for a model without modes. */
  modes: readonly Mode[]
  text: readonly ClipKind[]
  textCamera: readonly ClipKind[]
  frame: readonly ClipKind[]
  /** Modes and lengths that allow a first frame together with a last frame. */
  frames: readonly ClipKind[]
  /** Modes and lengths that allow a last frame alone. */
  tail: readonly ClipKind[]
  masks: readonly ClipKind[]
  frameCamera: readonly ClipKind[]
  hasStrength: boolean
  hasSound: boolean
  /** True when the model can extend its own videos. */
  canExtend: boolean
  /** Short side in pixels of a video from a prompt, by mode. A video from a picture has about as
   *  many pixels as a 16:9 video with this short side. */
  lines: Readonly<Record<Mode, number>>
  /** Frames per second of videos from a prompt and of videos from a picture. */
  rates: { text: number; frame: number }
}

const all: readonly ClipKind[] = ['S5', 'S10', 'P5', 'P10']
const pro: readonly ClipKind[] = ['P5', 'P10']
const none = { text: [], textCamera: [], frame: [], frames: [], tail: [], masks: [], frameCamera: [] } as const
const newer = {
  ...none,
  hasStrength: false,
  hasSound: false,
  canExtend: false,
  lines: { std: 720, pro: 1080 },
  rates: { text: 24, frame: 24 },
} as const

const rows = {
  V1: {
    ...newer,
    id: 'vidk-v1',
    title: 'Video, first generation',
    modes: ['std', 'pro'],
    text: all,
    textCamera: ['S5'],
    frame: all,
    frames: ['S5', 'P5'],
    // This value is the gateway's own choice (docs/interface/videos.md#k).
    tail: ['S5', 'P5'],
    masks: ['S5', 'P5'],
    // This value is the gateway's own choice (docs/interface/videos.md#k).
    frameCamera: ['S5'],
    hasStrength: true,
    canExtend: true,
    lines: { std: 720, pro: 720 },
    rates: { text: 30, frame: 30 },
  },
  'V1.6': {
    ...newer,
    id: 'MaaS_VidK_V1.6',
    title: 'Video 1.6',
    modes: ['std', 'pro'],
    text: all,
    frame: all,
    frames: pro,
    tail: pro,
    hasStrength: true,
    canExtend: true,
    rates: { text: 24, frame: 30 },
  },
  'V2.1': { ...newer, id: 'MaaS_VidK_V2.1', title: 'Video 2.1, from pictures', modes: ['std', 'pro'], frame: all, frames: pro },
  'V2.1 Master': { ...newer, id: 'MaaS_VidK_V2.1_Master', title: 'Video 2.1 Master', modes: [], text: pro, frame: pro },
  'V2.6': {
    ...newer,
    id: 'MaaS_VidK_V2.6',
    title: 'Video 2.6, with sound',
    modes: ['pro'],
    text: pro,
    frame: pro,
    frames: pro,
    hasSound: true,
  },
} as const satisfies Record<string, Row>
export type Group = keyof typeof rows

/** Models that have their own paths. */
export const omniVideo = { group: 'omni video', id: 'MaaS_VidK_Omni', title: 'Video from words, pictures, subjects and videos' } as const
export const omniImage = { group: 'omni image', id: 'MaaS_VidK_Omni_Image', title: 'Images from words, pictures and subjects' } as const

/** Maps the vendor's model names to models of the gateway. Each name maps to the model that
 *  supports most of the features that the vendor's model of this name has. */
export const aliases: Readonly<Record<string, string>> = {
  'kling-v1': rows.V1.id,
  'kling-v1-5': rows['V1.6'].id,
  'kling-v1-6': rows['V1.6'].id,
  'kling-v2': rows['V2.1 Master'].id,
  'kling-v2-master': rows['V2.1 Master'].id,
  'kling-v2-1': rows['V2.1'].id,
  'kling-v2-1-master': rows['V2.1 Master'].id,
  // The vendor's model has the modes `std` and `pro`, and in each mode makes videos both from a
  // prompt alone and from a picture. V1.6 is the newest model here that supports all four
  // combinations.
  'kling-v2-5-turbo': rows['V1.6'].id,
  'kling-v2-6': rows['V2.6'].id,
  'kling-v3': rows['V2.6'].id,
  'kling-video-o1': omniVideo.id,
  'kling-v3-omni': omniVideo.id,
  'kling-image-o1': omniImage.id,
}

export const videoRows: readonly (readonly [Group, Row])[] = Object.entries(rows).map(([group, row]) => [group as Group, row])

/** Returns the groups of the models for which `claim` is true. */
export function groupsWith(claim: (row: Row) => boolean): Group[] {
  return videoRows.flatMap(([group, row]) => (claim(row) ? [group] : []))
}

/** Returns the row of a model's group; a configured model without a group gets the row of the
 *  default model. */
export function rowOf(group: string | undefined): Row {
  return videoRows.find(([name]) => name === group)?.[1] ?? rows.V1
}

/** Returns the mode of a request: the one that the caller named, else the model's default. */
export function modeOf({ modes }: Row, named: Mode | undefined): Mode {
  return named ?? modes[0] ?? 'pro'
}

export function clipKindOf(row: Row, mode: Mode | undefined, duration: string | number): ClipKind {
  return `${modeOf(row, mode) === 'std' ? 'S' : 'P'}${Number(duration) === 10 ? 10 : 5}`
}

/** Returns modes and lengths in words: `mode pro`, `mode std and duration 5`; empty when they
 *  include both modes and both lengths. */
export function clipKindText(works: readonly ClipKind[]): string {
  const modes = new Set(works.map(work => (work[0] === 'S' ? 'std' : 'pro')))
  const durations = new Set(works.map(work => work.slice(1)))
  const parts = [modes.size === 1 ? `mode ${[...modes]}` : [], durations.size === 1 ? `duration ${[...durations]}` : []].flat()
  return parts.join(' and ')
}

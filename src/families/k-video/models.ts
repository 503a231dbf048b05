/** The capability map (docs/vendors/kling.md#capability-map) as data, one row per model. Where the
 *  interface differs it wins (docs/interface/videos.md#k). */

/** `S` is mode std, `P` mode pro (and models that have none); 5 and 10 are seconds. */
export type Work = 'S5' | 'S10' | 'P5' | 'P10'
export type Mode = 'std' | 'pro'

/** What a model can make videos of, with the modes and lengths that it does so in. */
export interface Row {
  id: string
  title: string
  /** Modes that a caller may name, the usual one first; none: it has no modes. */
  modes: readonly Mode[]
  text: readonly Work[]
  textCamera: readonly Work[]
  frame: readonly Work[]
  /** First and last frame. */
  frames: readonly Work[]
  /** The last one alone. */
  tail: readonly Work[]
  masks: readonly Work[]
  frameCamera: readonly Work[]
  hasStrength: boolean
  hasSound: boolean
  /** Goes on with a video of its own. */
  canExtend: boolean
  /** Short side in pixels, by mode. */
  lines: Readonly<Record<Mode, number>>
  /** Frames a second, from words and from a picture. */
  rates: { text: number; frame: number }
}

const all: readonly Work[] = ['S5', 'S10', 'P5', 'P10']
const pro: readonly Work[] = ['P5', 'P10']
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
    masks: ['S5', 'P5'],
    // Ours (docs/interface/videos.md#k).
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

/** Models of their own paths. */
export const omniVideo = { group: 'omni video', id: 'MaaS_VidK_Omni', title: 'Video from words, pictures, subjects and videos' } as const
export const omniImage = { group: 'omni image', id: 'MaaS_VidK_Omni_Image', title: 'Images from words, pictures and subjects' } as const

/** The service's own names, each with the model that does most of what its clients ask of it. */
export const aliases: Readonly<Record<string, string>> = {
  'kling-v1': rows.V1.id,
  'kling-v1-5': rows['V1.6'].id,
  'kling-v1-6': rows['V1.6'].id,
  'kling-v2': rows['V2.1 Master'].id,
  'kling-v2-master': rows['V2.1 Master'].id,
  'kling-v2-1': rows['V2.1'].id,
  'kling-v2-1-master': rows['V2.1 Master'].id,
  // std and pro, from words and from pictures.
  'kling-v2-5-turbo': rows['V1.6'].id,
  'kling-v2-6': rows['V2.6'].id,
  'kling-v3': rows['V2.6'].id,
  'kling-video-o1': omniVideo.id,
  'kling-v3-omni': omniVideo.id,
  'kling-image-o1': omniImage.id,
}

export const videoRows: readonly (readonly [Group, Row])[] = Object.entries(rows).map(([group, row]) => [group as Group, row])

/** Groups of the models that the claim is true of. */
export function groupsWith(claim: (row: Row) => boolean): Group[] {
  return videoRows.flatMap(([group, row]) => (claim(row) ? [group] : []))
}

/** The row of a model's group; one of the configuration file without a group takes what the default takes. */
export function rowOf(group: string | undefined): Row {
  return videoRows.find(([name]) => name === group)?.[1] ?? rows.V1
}

/** The mode that a request is made in, which is the caller's where he names one. */
export function modeOf({ modes }: Row, named: Mode | undefined): Mode {
  return named ?? modes[0] ?? 'pro'
}

export function workOf(row: Row, mode: Mode | undefined, duration: string | number): Work {
  return `${modeOf(row, mode) === 'std' ? 'S' : 'P'}${Number(duration) === 10 ? 10 : 5}`
}

/** What such work asks for, in words: `mode pro`, `mode std and duration 5`. */
export function workText(works: readonly Work[]): string {
  const modes = new Set(works.map(work => (work[0] === 'S' ? 'std' : 'pro')))
  const durations = new Set(works.map(work => work.slice(1)))
  const parts = [modes.size === 1 ? `mode ${[...modes]}` : [], durations.size === 1 ? `duration ${[...durations]}` : []].flat()
  return parts.join(' and ')
}

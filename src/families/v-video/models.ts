/** Models of family V, and the fields and limits of each (docs/interface/videos.md#v;
 *  docs/vendors/veo.md#models). */
import type { FamilyModel } from '../../contract/model.ts'

/** The kind of a request by its inputs, in the interface's words. */
export type Feature = 'text_to_video' | 'image_to_video' | 'reference_to_video'

/** Pixels of the longer and the shorter side, by resolution. */
export const sides = { '720p': [1280, 720], '1080p': [1920, 1080], '4k': [3840, 2160] } as const

/** Returns the name of the smallest resolution into which the video fits. For a video that is
 *  larger than all of them, returns its sides (`4096x2304`), which no group accepts. */
export function resolutionFor({ width, height }: { width: number; height: number }): string {
  const fits = ([long, short]: readonly [number, number]) => Math.max(width, height) <= long && Math.min(width, height) <= short
  return Object.entries(sides).find(([, each]) => fits(each))?.[0] ?? `${width}x${height}`
}

export interface VideoGroup {
  /** Allowed lengths in seconds, in the order in which refusals list them. */
  seconds: readonly number[]
  resolutions: readonly string[]
  takesLastFrame: boolean
  references: readonly ('asset' | 'style')[]
  hasSound: boolean
  hasResizeMode: boolean
}

const third: VideoGroup = {
  seconds: [8, 4, 6],
  resolutions: ['720p', '1080p'],
  takesLastFrame: false,
  references: [],
  hasSound: true,
  hasResizeMode: true,
}
const newest: VideoGroup = { ...third, resolutions: [...third.resolutions, '4k'], takesLastFrame: true }

export const groups = {
  '3.1': { ...newest, references: ['asset'] },
  '3.1_fast': newest,
  '3': third,
  '2': {
    seconds: [5, 6, 7, 8],
    resolutions: ['720p'],
    takesLastFrame: false,
    references: ['asset', 'style'],
    hasSound: false,
    hasResizeMode: false,
  },
} as const satisfies Record<string, VideoGroup>
export type GroupName = keyof typeof groups
export const usualGroup: GroupName = '3.1'

export function groupOf(group: string | undefined): VideoGroup {
  const name = (Object.keys(groups) as GroupName[]).find(each => each === group)
  return groups[name ?? usualGroup]
}

/** Returns the names of the groups for which `holds` is true. */
export function groupsWhere(holds: (group: VideoGroup) => boolean): GroupName[] {
  return (Object.keys(groups) as GroupName[]).filter(name => holds(groups[name]))
}

const capability = 'video.generate' as const
export const models: readonly FamilyModel[] = [
  { id: 'MaaS_VidV_3.1_generate_preview', title: 'Videos 3.1', capability, group: '3.1' },
  { id: 'MaaS_VidV_3.1_fast_generate_preview', title: 'Videos 3.1, fast', capability, group: '3.1_fast' },
  { id: 'MaaS_VidV_3_generate_preview', title: 'Videos 3', capability, group: '3' },
  { id: 'MaaS_VidV_2_generate', title: 'Videos 2', capability, group: '2', notes: 'Without sound.' },
]

/** The names that Google gives these models, including the suffixes of its earlier versions. */
export const aliases: Readonly<Record<string, string>> = {
  ...ofModel('MaaS_VidV_3.1_generate_preview', ['veo-3.1-generate-preview', 'veo-3.1-generate-001']),
  ...ofModel('MaaS_VidV_3.1_fast_generate_preview', [
    ...['veo-3.1-fast-generate-preview', 'veo-3.1-fast-generate-001'],
    ...['veo-3.1-lite-generate-preview', 'veo-3.1-lite-generate-001'],
  ]),
  ...ofModel('MaaS_VidV_3_generate_preview', [
    ...['veo-3.0-generate-preview', 'veo-3.0-generate-001'],
    ...['veo-3.0-fast-generate-preview', 'veo-3.0-fast-generate-001'],
  ]),
  ...ofModel('MaaS_VidV_2_generate', ['veo-2.0-generate-001', 'veo-2.0-generate-exp', 'veo-2.0-generate-preview']),
}

function ofModel(model: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, model]))
}

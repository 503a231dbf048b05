/** Video fields that the AI SDK's interface of video models lacks, but for which provider packages
 *  document options. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../../shared/refusal.ts'
import { entryOf, type PackageTable, packageKey } from '../../shared/text/packages/package-keys.ts'
import { cameraControl } from '../../shared/video/kling-camera.ts'
import type { VideoField } from '../../shared/video/video-job.ts'
import { isHighGrade } from '../../shared/video/video-request.ts'
import { mergedOptions } from './merged-options.ts'

interface VideoOptionInput {
  request: VideoGenerateRequest
  /** Name of the model, for messages. */
  who: string
}

interface VideoOptions {
  /** Key in `providerOptions`; set only for a package whose video models use another key than
   *  its other models. */
  key?: string
  /** For each field, a function that returns the options for it; undefined when the request does
   *  not use the field. The functions throw a `RefusedError` for a value that the options cannot
   *  express. */
  fields: Partial<Record<VideoField, (requested: VideoOptionInput) => JsonObject | undefined>>
  /** Returns the option for the length of the short side, stated as `720p`. A package with this
   *  option gets it in place of the interface's `resolution`. */
  shortSide?: (short: string) => JsonObject
  /** For packages that accept masks of movements, which the vendors call brushes: the largest
   *  number of masks per role, and a function that converts them to the package's options. */
  brushes?: {
    most: Readonly<Record<'still-mask' | 'motion-mask', number>>
    of(still: readonly string[], moving: readonly JsonObject[]): JsonObject
  }
}

const negative: VideoOptions['fields'] = {
  negativePrompt: ({ request: { negativePrompt } }) => (negativePrompt === undefined ? undefined : { negativePrompt }),
}
const people: VideoOptions['fields'] = {
  people: ({ request }) => request.people && { personGeneration: request.people === 'none' ? 'dont_allow' : 'allow_adult' },
}
const resolution = (short: string): JsonObject => ({ resolution: short })

/** Documented options of provider packages: vercel/ai, `packages/<name>/src/*-video-model*.ts`,
 *  November 2026. */
const documented: PackageTable<VideoOptions> = {
  '@ai-sdk/klingai': {
    fields: {
      ...negative,
      grade: ({ request }) => ({ mode: isHighGrade(request) ? 'pro' : 'std' }),
      promptStrength: ({ request: { promptStrength } }) => (promptStrength === undefined ? undefined : { cfgScale: promptStrength }),
      camera: ({ request: { camera }, who }) => (camera?.length ? { cameraControl: cameraControl(camera, who) } : undefined),
      shots: ({ request: { shots } }) => shots && { multiShot: true, shotType: 'customize', multiPrompt: shots.map(shotOf) },
      ownShots: ({ request }) => (request.ownShots && !request.shots ? { multiShot: true, shotType: 'intelligence' } : undefined),
      elements: ({ request: { elements }, who }) => elements && { elementList: elements.map(id => ({ element_id: elementId(id, who) })) },
      watermark: ({ request }) => (request.watermark ? { watermarkEnabled: true } : undefined),
      paths: () => undefined,
    },
    brushes: {
      most: { 'still-mask': 1, 'motion-mask': 6 },
      of: ([staticMask], dynamicMasks) => ({
        ...(staticMask === undefined ? {} : { staticMask }),
        ...(dynamicMasks.length === 0 ? {} : { dynamicMasks: [...dynamicMasks] }),
      }),
    },
  },
  '@ai-sdk/google': { fields: { ...negative, ...people }, shortSide: resolution },
  '@ai-sdk/google-vertex': {
    key: 'vertex',
    fields: { ...negative, ...people, sound: ({ request }) => ({ generateAudio: request.sound }) },
    shortSide: resolution,
  },
  '@ai-sdk/bytedance': {
    fields: { sound: ({ request }) => ({ generateAudio: request.sound }) },
    shortSide: resolution,
  },
  '@ai-sdk/alibaba': {
    fields: {
      ...negative,
      // The option is always sent, because the service rewrites prompts unless it is false.
      expandPrompt: ({ request }) => ({ promptExtend: request.expandPrompt }),
      ownShots: ({ request }) => (request.ownShots ? { shotType: 'multi' } : undefined),
      sound: ({ request }) => ({ audio: request.sound }),
    },
  },
  '@ai-sdk/fal': {
    fields: { ...negative, expandPrompt: ({ request }) => (request.expandPrompt ? { promptOptimizer: true } : undefined) },
    shortSide: resolution,
  },
  '@ai-sdk/xai': { fields: {}, shortSide: resolution },
}

/** Returns the fields for which the package has options. */
export function videoFieldsOf(packageName: string): VideoField[] {
  // The cast is safe: the keys of a record of fields are field names.
  return Object.keys(optionsOf(packageName)?.fields ?? {}) as VideoField[]
}

/** Returns the largest number of masks per role that the package's options accept. */
export function brushesOf(packageName: string): Readonly<Record<string, number>> {
  return optionsOf(packageName)?.brushes?.most ?? {}
}

/** Returns true when the package has an option for the short side; the interface's `resolution` is
 *  then left out. */
export function hasShortSide(packageName: string): boolean {
  return optionsOf(packageName)?.shortSide !== undefined
}

/** A mask that marks an area of the input picture. `role` says whether the area moves or stays
 *  still; `mask` is the file in base64. */
export interface Brush {
  role: string
  mask: string
}

/** Returns the `providerOptions` of the call. Options derived from the request are overridden by
 *  those that the target sets for every call (`fixed`). Throws a `RefusedError` for a value that an
 *  option cannot express. */
export function videoOptionsOf(
  packageName: string,
  { request, who, brushes, isSized }: VideoOptionInput & { brushes: readonly Brush[]; isSized: boolean },
  fixed: Readonly<JsonObject>,
): JsonObject {
  const known = optionsOf(packageName)
  if (known === undefined) return { ...fixed }
  const requested = Object.values(known.fields).map(option => option({ request, who }))
  const size = isSized ? known.shortSide?.(lineOf(request)) : undefined
  const own: JsonObject = {
    ...Object.assign({}, ...requested),
    ...size,
    ...brushed(known, request, brushes),
  }
  return mergedOptions(known.key ?? packageKey(packageName), own, fixed)
}

function lineOf({ width, height }: VideoGenerateRequest): string {
  const short = Math.min(width, height)
  return short === 2160 ? '4k' : `${short}p`
}

function brushed({ brushes }: VideoOptions, { paths = [] }: VideoGenerateRequest, given: readonly Brush[]): JsonObject {
  const still = given.filter(({ role }) => role === 'still-mask').map(({ mask }) => mask)
  const moving = given.filter(({ role }) => role === 'motion-mask').map(({ mask }, index) => ({ mask, trajectories: paths[index] ?? [] }))
  return given.length === 0 ? {} : (brushes?.of(still, moving) ?? {})
}

/** Returns true for an input that is a mask of a moving or a still area. */
export function isBrush({ role }: Pick<InputFacts, 'role'>): boolean {
  return role === 'still-mask' || role === 'motion-mask'
}

function shotOf({ prompt, seconds }: { prompt: string; seconds: number }, index: number): JsonObject {
  return { index: index + 1, prompt, duration: String(seconds) }
}

/** Returns the id as a number, which is the type that the package accepts. */
function elementId(id: string, who: string): number {
  const number = Number(id)
  if (Number.isSafeInteger(number)) return number
  throw refused('elements', `${who} takes ids of at most ${Number.MAX_SAFE_INTEGER}, not ${id}.`)
}

function optionsOf(packageName: string): VideoOptions | undefined {
  return entryOf(documented, packageName)
}

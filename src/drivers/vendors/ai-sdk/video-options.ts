/** What provider packages have documented options for when they make videos, beside what the interface of video models carries. */
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../../shared/refusal.ts'
import { cameraControl } from '../../shared/video/kling-camera.ts'
import type { VideoField } from '../../shared/video/video-job.ts'

interface Asked {
  request: VideoGenerateRequest
  /** The model, in sentences. */
  who: string
}

interface VideoOptions {
  /** Name of the package's part of `providerOptions`. */
  provider: string
  /** The options that carry a field; undefined where the request does not ask for it. They throw a `RefusedError` for what the options cannot say. */
  fields: Partial<Record<VideoField, (asked: Asked) => JsonObject | undefined>>
  /** The option that has the short side as `720p`, in the place of the interface's resolution. */
  shortSide?: (short: string) => JsonObject
  /** Masks of movements, as the vendor's brushes. */
  brushes?: {
    most: Readonly<Record<'still-mask' | 'motion-mask', number>>
    of(still: readonly string[], moving: readonly JsonObject[]): JsonObject
  }
}

/** More pixels than this are 1080P: it lies between 1280x720 and 1920x1080. */
const middlePixels = 1_400_000

const negative: VideoOptions['fields'] = {
  negativePrompt: ({ request: { negativePrompt } }) => (negativePrompt === undefined ? undefined : { negativePrompt }),
}
const people: VideoOptions['fields'] = {
  people: ({ request }) => request.people && { personGeneration: request.people === 'none' ? 'dont_allow' : 'allow_adult' },
}
const resolution = (short: string): JsonObject => ({ resolution: short })

/** Options of vercel/ai, `packages/<name>/src/*-video-model*.ts`, November 2026. */
const documented: Readonly<Record<string, VideoOptions>> = {
  '@ai-sdk/klingai': {
    provider: 'klingai',
    fields: {
      ...negative,
      grade: ({ request: { grade, width, height } }) => ({
        mode: (grade === undefined ? width * height > middlePixels : grade === 'high') ? 'pro' : 'std',
      }),
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
  '@ai-sdk/google': { provider: 'google', fields: { ...negative, ...people }, shortSide: resolution },
  '@ai-sdk/google-vertex': {
    provider: 'vertex',
    fields: { ...negative, ...people, sound: ({ request }) => ({ generateAudio: request.sound }) },
    shortSide: resolution,
  },
  '@ai-sdk/bytedance': {
    provider: 'bytedance',
    fields: { sound: ({ request }) => ({ generateAudio: request.sound }) },
    shortSide: resolution,
  },
  '@ai-sdk/alibaba': {
    provider: 'alibaba',
    fields: {
      ...negative,
      // The service writes prompts anew unless it is told not to.
      expandPrompt: ({ request }) => ({ promptExtend: request.expandPrompt }),
      ownShots: ({ request }) => (request.ownShots ? { shotType: 'multi' } : undefined),
      sound: ({ request }) => ({ audio: request.sound }),
    },
  },
  '@ai-sdk/fal': {
    provider: 'fal',
    fields: { ...negative, expandPrompt: ({ request }) => (request.expandPrompt ? { promptOptimizer: true } : undefined) },
    shortSide: resolution,
  },
  '@ai-sdk/xai': { provider: 'xai', fields: {}, shortSide: resolution },
}

/** The fields that the package has options for. */
export function videoFieldsOf(packageName: string): VideoField[] {
  // The keys of a record of fields are fields.
  return Object.keys(optionsOf(packageName)?.fields ?? {}) as VideoField[]
}

/** How many masks of each kind the package takes by its options. */
export function brushesOf(packageName: string): Readonly<Record<string, number>> {
  return optionsOf(packageName)?.brushes?.most ?? {}
}

/** Whether the size goes by an option of the package, and the interface's resolution is left out. */
export function hasShortSide(packageName: string): boolean {
  return optionsOf(packageName)?.shortSide !== undefined
}

/** A mask in base64, with the points along which it moves. */
export interface Brush {
  role: string
  mask: string
}

/** `providerOptions` of the call: those of the request, and over them what the target says of every call. Throws a `RefusedError` for what an option cannot say. */
export function videoOptionsOf(
  packageName: string,
  { request, who, brushes, isSized }: Asked & { brushes: readonly Brush[]; isSized: boolean },
  fixed: Readonly<JsonObject>,
): JsonObject {
  const known = optionsOf(packageName)
  if (known === undefined) return { ...fixed }
  const asked = Object.values(known.fields).map(option => option({ request, who }))
  const size = isSized ? known.shortSide?.(lineOf(request)) : undefined
  const own: JsonObject = {
    ...Object.assign({}, ...asked),
    ...size,
    ...brushed(known, request, brushes),
    ...objectOf(fixed[known.provider]),
  }
  return Object.keys(own).length === 0 ? { ...fixed } : { ...fixed, [known.provider]: own }
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

/** The masks among the inputs. */
export function isBrush({ role }: Pick<InputFacts, 'role'>): boolean {
  return role === 'still-mask' || role === 'motion-mask'
}

function shotOf({ prompt, seconds }: { prompt: string; seconds: number }, index: number): JsonObject {
  return { index: index + 1, prompt, duration: String(seconds) }
}

/** The package takes it as a number. */
function elementId(id: string, who: string): number {
  const number = Number(id)
  if (Number.isSafeInteger(number)) return number
  throw refused('elements', `${who} takes ids of at most ${Number.MAX_SAFE_INTEGER}, not ${id}.`)
}

function optionsOf(packageName: string): VideoOptions | undefined {
  return Object.hasOwn(documented, packageName) ? documented[packageName] : undefined
}

/** Translates a neutral request into the fields of Veo, or returns the reason why a model cannot
 *  serve it (docs/vendors/veo.md). Interface V has the same fields as Veo
 *  (docs/interface/videos.md#v). */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import { type InputFile, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import { FilesInJson } from '../../shared/upstream/json-files.ts'
import type { SentBody } from '../../shared/upstream/sent-body.ts'
import { refusedField, refusedInput, type VideoField, type VideoJob, type VideoJobFacts } from '../../shared/video/video-job.ts'

const mostSamples = 4
const largestSeed = 4_294_967_295n
const resolutions: Readonly<Record<number, string>> = { 720: '720p', 1080: '1080p', 2160: '4k' }

/** The features of a model, derived from its name. */
interface VeoFacts {
  seconds: readonly number[]
  resolutions: readonly string[]
  hasSound: boolean
  /** True when the model has the field resizeMode. */
  canFit: boolean
  /** True when the model always rewrites the prompt. */
  alwaysExpands: boolean
}

const second: VeoFacts = { seconds: [5, 6, 7, 8], resolutions: ['720p'], hasSound: false, canFit: false, alwaysExpands: false }
const third: VeoFacts = { seconds: [4, 6, 8], resolutions: ['720p', '1080p'], hasSound: true, canFit: true, alwaysExpands: true }
const newest: VeoFacts = { ...third, resolutions: [...third.resolutions, '4k'] }

export function veoFactsOf(model: string): VeoFacts {
  if (/^veo-2\b/.test(model)) return second
  return /^veo-3\.0\b/.test(model) ? third : newest
}

const known: readonly VideoField[] = ['negativePrompt', 'expandPrompt', 'people', 'fit', 'lossless', 'sound', 'count']
const inputs: Partial<Record<InputRole, number>> = { 'first-frame': 1, 'last-frame': 1, reference: 3, style: 1, earlier: 1 }

/** Returns the refusal of a request that the model cannot serve; undefined when it can. Limits that
 *  are not documented are not checked here; the service itself refuses such requests. `who` names
 *  the model in messages. */
export function veoRefusal(jobFacts: VideoJobFacts, facts: VeoFacts, who: string): Refusal | undefined {
  const { count, seconds, width, height, sound, prompt } = jobFacts.request
  const resolution = resolutionOf(jobFacts.request)
  const isReferenced = jobFacts.inputs.some(isReference)
  if (count > mostSamples) return refusal('count', `${who} makes up to ${mostSamples} videos, not ${count}.`)
  if (resolution === undefined || !facts.resolutions.includes(resolution))
    return refusal('width', `${who} makes 16:9 and 9:16 in ${facts.resolutions.join(', ')}, not ${width}x${height}.`)
  if (!facts.seconds.includes(seconds))
    return refusal('seconds', `${who} makes videos of ${facts.seconds.join(', ')} s, not of ${seconds} s.`)
  if (isReferenced && seconds !== 8) return refusal('seconds', `${who} makes videos of 8 s with reference pictures, not of ${seconds} s.`)
  if (sound && !facts.hasSound) return refusal('sound', `${who} makes none.`)
  if (prompt.trim() === '' && jobFacts.inputs.length === 0) return refusal('prompt', `${who} needs one, or a picture.`)
  return refusedField(jobFacts, known, who) ?? refusedInput(jobFacts, inputs, who)
}

/** Returns the fields of the request that the model ignores; for requests that `veoRefusal`
 *  accepts. */
export function leftOutOfVeo({ request }: VideoJobFacts, facts: VeoFacts): VideoField[] {
  const missed: VideoField[] = []
  if (seedOf(request.seed) === undefined) missed.push('seed')
  if (!request.expandPrompt && facts.alwaysExpands) missed.push('expandPrompt')
  if (request.framesPerSecond !== undefined) missed.push('framesPerSecond')
  if (request.promptStrength !== undefined) missed.push('promptStrength')
  if (request.fit !== undefined && !facts.canFit) missed.push('fit')
  return missed
}

/** Returns the body; its files are read while they are sent. With a `storageUri`, the service
 *  writes the videos into that folder. */
export function veoBody(job: VideoJob, facts: VeoFacts, storageUri: string | undefined): SentBody {
  const files = new FilesInJson()
  const media = (file: InputFile) => ({ mimeType: file.mediaType, bytesBase64Encoded: files.base64(file) })
  const only = (role: InputRole) => job.inputs.filter(input => input.role === role).map(media)[0]
  const references = job.inputs.filter(isReference)
  const instance = {
    prompt: job.request.prompt.trim() === '' ? undefined : job.request.prompt,
    image: only('first-frame'),
    lastFrame: only('last-frame'),
    video: only('earlier'),
    referenceImages:
      references.length === 0
        ? undefined
        : references.map(file => ({ referenceType: file.role === 'style' ? 'style' : 'asset', image: media(file) })),
  }
  return files.body({ instances: [instance], parameters: parametersOf(job, facts, storageUri) })
}

function isReference({ role }: Pick<InputFacts, 'role'>): boolean {
  return role === 'reference' || role === 'style'
}

function parametersOf({ request, inputs: files }: VideoJobFacts, facts: VeoFacts, storageUri: string | undefined): JsonObject {
  const hasFrame = files.some(({ role }) => role === 'first-frame' || role === 'last-frame')
  return {
    aspectRatio: request.width > request.height ? '16:9' : '9:16',
    resolution: facts.resolutions.length > 1 ? resolutionOf(request) : undefined,
    durationSeconds: request.seconds,
    sampleCount: request.count,
    enhancePrompt: facts.alwaysExpands ? undefined : request.expandPrompt,
    generateAudio: facts.hasSound ? request.sound : undefined,
    seed: seedOf(request.seed),
    negativePrompt: request.negativePrompt,
    personGeneration: request.people && (request.people === 'none' ? 'dont_allow' : 'allow_adult'),
    resizeMode: facts.canFit && hasFrame ? request.fit : undefined,
    compressionQuality: request.lossless ? 'lossless' : undefined,
    storageUri,
  }
}

function resolutionOf({ width, height }: { width: number; height: number }): string | undefined {
  const short = Math.min(width, height)
  return Math.max(width, height) * 9 === short * 16 ? resolutions[short] : undefined
}

/** Returns the seed as a number; undefined when it is outside the range that Veo accepts. */
function seedOf(seed: string): number | undefined {
  const value = BigInt(seed)
  return value >= 0n && value <= largestSeed ? Number(value) : undefined
}

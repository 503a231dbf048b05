/** Translates a neutral request into the fields of Veo, which family V shares, or gives the reason
 *  why a model cannot serve it (docs/vendors/veo.md, docs/interface/videos.md#v). */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { base64Of } from '@generation-gateway/kit/media/base64-stream.ts'
import type { InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import { type InputFile, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import { present } from '../upstream/read-json.ts'
import { chunksOf, type SentBody, sentBody } from '../upstream/sent-body.ts'
import { refusedField, refusedInput, type VideoField, type VideoJob, type VideoJobFacts } from './video-job.ts'

const mostSamples = 4
const largestSeed = 4_294_967_295n
const resolutions: Readonly<Record<number, string>> = { 720: '720p', 1080: '1080p', 2160: '4k' }

/** The features of a model, found by its name. */
export interface VeoFacts {
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

/** Why the model cannot serve the request; undefined when it can. The service itself reports what
 *  only it knows. `who` names the model in messages. */
export function veoRefusal(jobFacts: VideoJobFacts, facts: VeoFacts, who: string): Refusal | undefined {
  const { count, seconds, width, height, sound, prompt } = jobFacts.request
  const resolution = resolutionOf(jobFacts.request)
  const isReferenced = jobFacts.inputs.some(({ role }) => role === 'reference' || role === 'style')
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

/** Fields of an accepted request that the model ignores. */
export function leftOutOfVeo({ request }: VideoJobFacts, facts: VeoFacts): VideoField[] {
  const missed: VideoField[] = []
  if (seedOf(request.seed) === undefined) missed.push('seed')
  if (!request.expandPrompt && facts.alwaysExpands) missed.push('expandPrompt')
  if (request.framesPerSecond !== undefined) missed.push('framesPerSecond')
  if (request.promptStrength !== undefined) missed.push('promptStrength')
  if (request.fit !== undefined && !facts.canFit) missed.push('fit')
  return missed
}

/** The body; its files are read while they are sent. `further` holds members beside `instances` and
 *  `parameters`. */
export function veoBody(
  job: VideoJob,
  facts: VeoFacts,
  { storageUri, ...further }: { storageUri?: string | undefined; model?: string },
): SentBody {
  const instance = job.request.prompt.trim() === '' ? {} : { prompt: job.request.prompt }
  const head: (Buffer | { bytes: number; chunks(): AsyncIterable<Buffer> })[] = [Buffer.from('{"instances":[')]
  const text = JSON.stringify(instance).slice(0, -1)
  head.push(Buffer.from(text))
  let isFirst = text === '{'
  const add = (name: string, file: InputFile) => {
    head.push(Buffer.from(`${isFirst ? '' : ','}${name}`), ...mediaParts(file))
    isFirst = false
  }
  for (const [role, name] of singleFiles) {
    const file = job.inputs.find(input => input.role === role)
    if (file) add(`"${name}":`, file)
  }
  const references = job.inputs.filter(({ role }) => role === 'reference' || role === 'style')
  for (const [index, file] of references.entries()) {
    const open = index === 0 ? `${isFirst ? '' : ','}"referenceImages":[` : ','
    const type = file.role === 'style' ? 'style' : 'asset'
    head.push(Buffer.from(`${open}{"referenceType":"${type}","image":`), ...mediaParts(file), Buffer.from('}'))
  }
  const rest = JSON.stringify({ parameters: parametersOf(job, facts, storageUri), ...further }).slice(1)
  const close = `${references.length > 0 ? ']' : ''}}],${rest}`
  return sentBody({ contentType: 'application/json', head, tail: Buffer.from(close) })
}

const singleFiles = [
  ['first-frame', 'image'],
  ['last-frame', 'lastFrame'],
  ['earlier', 'video'],
] as const

function mediaParts(file: InputFile) {
  return [
    Buffer.from(`{"mimeType":${JSON.stringify(file.mediaType)},"bytesBase64Encoded":"`),
    { bytes: Math.ceil(file.bytes / 3) * 4, chunks: () => base64Of(chunksOf(file)) },
    Buffer.from('"}'),
  ]
}

function parametersOf({ request, inputs: files }: VideoJobFacts, facts: VeoFacts, storageUri: string | undefined): JsonObject {
  const seed = seedOf(request.seed)
  const hasFrame = files.some(({ role }) => role === 'first-frame' || role === 'last-frame')
  return present({
    aspectRatio: request.width > request.height ? '16:9' : '9:16',
    ...(facts.resolutions.length > 1 ? { resolution: resolutionOf(request) } : {}),
    durationSeconds: request.seconds,
    sampleCount: request.count,
    ...(facts.alwaysExpands ? {} : { enhancePrompt: request.expandPrompt }),
    ...(facts.hasSound ? { generateAudio: request.sound } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(request.negativePrompt === undefined ? {} : { negativePrompt: request.negativePrompt }),
    ...(request.people === undefined ? {} : { personGeneration: request.people === 'none' ? 'dont_allow' : 'allow_adult' }),
    ...(request.fit !== undefined && facts.canFit && hasFrame ? { resizeMode: request.fit } : {}),
    ...(request.lossless ? { compressionQuality: 'lossless' } : {}),
    ...(storageUri === undefined ? {} : { storageUri }),
  })
}

function resolutionOf({ width, height }: { width: number; height: number }): string | undefined {
  const short = Math.min(width, height)
  return Math.max(width, height) * 9 === short * 16 ? resolutions[short] : undefined
}

/** Undefined for a seed outside the range of the field. */
function seedOf(seed: string): number | undefined {
  const value = BigInt(seed)
  return value >= 0n && value <= largestSeed ? Number(value) : undefined
}

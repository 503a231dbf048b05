/** Translates a neutral request into the call of a video model. A request that the interface,
 *  the package or the target cannot express is refused, with the field's name, before anything
 *  is sent. */
import { readFile } from 'node:fs/promises'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import { refusedExtra } from '@generation-gateway/kit/requests/extras.ts'
import type { FieldName, InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { usualRatios } from '../../shared/image/usual-ratios.ts'
import { RefusedError, refused } from '../../shared/refusal.ts'
import { frameOf } from '../../shared/video/frame.ts'
import { cameraText } from '../../shared/video/hailuo-camera.ts'
import { refusedField, refusedInput, type VideoField, type VideoJob, type VideoJobFacts } from '../../shared/video/video-job.ts'
import { refusedLimit } from '../../shared/video/video-limits.ts'
import { hasRatio, inputsOf } from '../../shared/video/video-request.ts'
import { namedRatios } from './aspect-ratio.ts'
import type { CallFile } from './image-model.ts'
import { settings } from './settings.ts'
import type { VideoCall } from './video-model.ts'
import { brushesOf, hasShortSide, isBrush, videoFieldsOf, videoOptionsOf } from './video-options.ts'

/** Largest size in bytes of all inputs of one request together: a package holds each of them
 *  several times while it sends them. */
const maxInputBytes = 32 * 1024 * 1024
const referenceRoles: readonly InputRole[] = ['subject', 'reference', 'style', 'feature', 'base']
/** Fields that every call carries, or that this driver handles itself. */
const always: readonly VideoField[] = ['prompt', 'width', 'height', 'seconds', 'framesPerSecond', 'count', 'fit', 'sound']

/** Throws a refusal of anything that no model with these settings can do. */
export function refuseUnsupportedByAll(jobFacts: VideoJobFacts): void {
  const { request, inputs } = jobFacts
  const { package: name, video, isSizeRatio } = settings.targetOf(jobFacts.settings)
  const who = nameOf(jobFacts)
  const known = knownTo(jobFacts)
  const { sound, width, height } = request
  if (request.prompt.trim() === '' && !request.shots && inputs.length === 0) throw refused('prompt', `${who} needs one, or a picture.`)
  if (isSizeRatio && ratioOf(request) === undefined)
    throw refused('width', `${who} takes one of the aspect ratios ${namedRatios}, and none is that of ${width}x${height}.`)
  if (sound && video.sound === 'never') throw refused('sound', `${who} makes none.`)
  if (!sound && video.sound === 'always') throw refused('sound', `${who} always makes some.`)
  if (request.people === 'none' && !known.includes('people')) throw refused('people', `${who} cannot be told to show none.`)
  const refusal =
    refusedLimit(request, video, who) ??
    refusedExtra('video.generate', { offer: { follows: known }, request, who }) ??
    refusedField(jobFacts, known, who) ??
    refusedInput(jobFacts, { ...video.most, ...brushesOf(name) }, who)
  if (refusal !== undefined) throw new RefusedError(refusal)
  refuseTogether(inputs, who)
  // These calls throw refusals of values that prompts and options cannot express.
  promptOf(jobFacts)
  videoOptionsOf(name, { request, who, brushes: [], isSized: false }, {})
}

function refuseTogether(inputs: readonly InputFacts[], who: string): void {
  const reference = inputs.find(({ role }) => referenceRoles.some(each => each === role))
  const frame = inputs.find(({ role }) => role === 'first-frame' || role === 'last-frame')
  // The cast is safe: the roles of inputs are those of the capability.
  const field = (reference ?? frame ?? inputs[0])?.role as InputRole
  if (reference && frame) throw refused(field, `${who} takes such inputs or frames, not both.`)
  const bytes = inputs.reduce((sum, input) => sum + input.bytes, 0)
  if (bytes > maxInputBytes) throw refused(field, `${who} takes ${maxInputBytes} bytes of files per request, not ${bytes}.`)
}

/** Throws a refusal of more videos than one call of the model makes. */
export function refuseCount({ maxVideos }: { maxVideos: number }, jobFacts: VideoJobFacts): void {
  const { count } = jobFacts.request
  if (count <= maxVideos) return
  const most = maxVideos === 1 ? 'one video' : `at most ${maxVideos} videos`
  throw refused('count', `${nameOf(jobFacts)} makes ${most} per request, not ${count}.`)
}

/** Returns the fields that reach the model. */
export function knownTo({ settings: given, request }: Pick<VideoJobFacts, 'settings' | 'request'>): VideoField[] {
  const { package: name, takesSeed, video } = settings.targetOf(given)
  const camera = video.hasCameraWords ? (['camera'] as const) : []
  return [...always, ...camera, ...videoFieldsOf(name), ...(takesSeed && seedOf(request) !== undefined ? (['seed'] as const) : [])]
}

function nameOf({ model, settings: given }: VideoJobFacts): string {
  return `the model ${model} of ${settings.targetOf(given).package}`
}

/** Returns the call, with the files of its inputs in memory. Throws as `frameOf` does, and the
 *  errors of the file system. */
export async function callOf(job: VideoJob, signal: AbortSignal, inspection: Inspection): Promise<VideoCall> {
  const { request, inputs } = job
  const facts = settings.targetOf(job.settings)
  const { isSizeRatio, isSizeAlone, takesSeed, video } = facts
  const first = await fileOf(job, inputsOf(inputs, 'first-frame')[0], inspection)
  const last = await fileOf(job, inputsOf(inputs, 'last-frame')[0], inspection)
  const references = await Promise.all(inputs.filter(isReference).map(input => fileOf(job, input, inspection)))
  const brushes = inputs.filter(isBrush).map(async ({ role, path }) => ({ role, mask: await readFile(path, 'base64') }))
  const options = { request, who: nameOf(job), brushes: await Promise.all(brushes), isSized: !isSizeRatio }
  return {
    prompt: promptOf(job),
    n: request.count,
    aspectRatio: isSizeAlone ? undefined : ratioOf(request),
    resolution: isSizeRatio || hasShortSide(facts.package) ? undefined : `${request.width}x${request.height}`,
    duration: request.seconds,
    fps: request.framesPerSecond,
    seed: takesSeed ? seedOf(request) : undefined,
    image: last === undefined ? first : undefined,
    frameImages: last && framesOf(first, last),
    inputReferences: references.length === 0 ? undefined : references.filter(file => file !== undefined),
    generateAudio: video.sound === 'asked' ? request.sound : undefined,
    providerOptions: videoOptionsOf(facts.package, options, facts.providerOptions),
    abortSignal: signal,
  }
}

function promptOf(jobFacts: VideoJobFacts): string | undefined {
  const { prompt, camera = [] } = jobFacts.request
  const { hasCameraWords } = settings.targetOf(jobFacts.settings).video
  const text = hasCameraWords ? [prompt, cameraText(camera, nameOf(jobFacts))].filter(Boolean).join(' ') : prompt
  return text.trim() === '' ? undefined : text
}

function isReference({ role }: InputFacts): boolean {
  return referenceRoles.some(each => each === role)
}

function framesOf(first: CallFile | undefined, last: CallFile): NonNullable<VideoCall['frameImages']> {
  const end = { image: last, frameType: 'last_frame' } as const
  return first === undefined ? [end] : [{ image: first, frameType: 'first_frame' }, end]
}

/** Returns the input as a file of the call. A frame with a `fit` is resized here, because the
 *  interface has no field for it. */
async function fileOf(job: VideoJob, input: InputFile | undefined, inspection: Inspection): Promise<CallFile | undefined> {
  if (input === undefined) return undefined
  const isFitted = job.request.fit !== undefined && (input.role === 'first-frame' || input.role === 'last-frame')
  const { path, mediaType } = isFitted ? await frameOf(input, job, inspection) : input
  return { type: 'file', mediaType, data: await readFile(path) }
}

/** Returns the aspect ratio in the notation of services; a rounded side is accepted. */
function ratioOf(request: VideoGenerateRequest): string | undefined {
  return usualRatios.find(([wide, high]) => hasRatio(request, wide / high))?.join(':')
}

/** Returns the seed as a number; undefined beyond the safe integers. */
function seedOf({ seed }: VideoGenerateRequest): number | undefined {
  const number = Number(seed)
  return number >= 0 && Number.isSafeInteger(number) ? number : undefined
}

/** Returns the request field behind a call member about which the package warns. The size is left
 *  out, because the file shows it. */
export function fieldOf(name: string, { inputs }: Pick<VideoJobFacts, 'inputs'>): FieldName | undefined {
  if (name === 'frameImages') return 'last-frame'
  if (name !== 'inputReferences') return Object.hasOwn(fields, name) ? fields[name] : undefined
  // The cast is safe: the roles of inputs are those of the capability.
  return inputs.find(isReference)?.role as InputRole | undefined
}

const fields: Readonly<Record<string, FieldName>> = {
  prompt: 'prompt',
  n: 'count',
  duration: 'seconds',
  fps: 'framesPerSecond',
  seed: 'seed',
  image: 'first-frame',
  generateAudio: 'sound',
}

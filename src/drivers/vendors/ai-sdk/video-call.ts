/** Translates a neutral request into the arguments of a video model. A request that the AI SDK's
 *  interface, the package or the target cannot express is refused, with the field's name, before
 *  anything is sent. */
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

/** Largest size in bytes of all inputs of one request together. The limit is low because a package
 *  holds each input several times in memory while it sends them. */
const maxInputBytes = 32 * 1024 * 1024
const referenceRoles: readonly InputRole[] = ['subject', 'reference', 'style', 'feature', 'base']
/** Fields that are part of every call, or that this driver handles itself. */
const always: readonly VideoField[] = ['prompt', 'width', 'height', 'seconds', 'framesPerSecond', 'count', 'fit', 'sound']

/** Throws the refusal of a request that no model of a target with these settings can serve. */
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
  // The results are not used here; the calls throw the refusals of values that the prompt and the
  // options cannot express.
  promptOf(jobFacts)
  videoOptionsOf(name, { request, who, brushes: [], isSized: false }, {})
}

function refuseTogether(inputs: readonly InputFacts[], who: string): void {
  const reference = inputs.find(({ role }) => referenceRoles.some(each => each === role))
  const frame = inputs.find(({ role }) => role === 'first-frame' || role === 'last-frame')
  // The cast is safe: every input of a job has a role that its capability defines.
  const field = (reference ?? frame ?? inputs[0])?.role as InputRole
  if (reference && frame) throw refused(field, `${who} takes such inputs or frames, not both.`)
  const bytes = inputs.reduce((sum, input) => sum + input.bytes, 0)
  if (bytes > maxInputBytes) throw refused(field, `${who} takes ${maxInputBytes} bytes of files per request, not ${bytes}.`)
}

/** Throws the refusal of a request for more videos than one call of the model produces. */
export function refuseCount({ maxVideos }: { maxVideos: number }, jobFacts: VideoJobFacts): void {
  const { count } = jobFacts.request
  if (count <= maxVideos) return
  const most = maxVideos === 1 ? 'one video' : `at most ${maxVideos} videos`
  throw refused('count', `${nameOf(jobFacts)} makes ${most} per request, not ${count}.`)
}

/** Returns the fields of the request that reach the model. */
export function knownTo({ settings: given, request }: Pick<VideoJobFacts, 'settings' | 'request'>): VideoField[] {
  const { package: name, takesSeed, video } = settings.targetOf(given)
  const camera = video.hasCameraWords ? (['camera'] as const) : []
  return [...always, ...camera, ...videoFieldsOf(name), ...(takesSeed && seedOf(request) !== undefined ? (['seed'] as const) : [])]
}

function nameOf({ model, settings: given }: VideoJobFacts): string {
  return `the model ${model} of ${settings.targetOf(given).package}`
}

/** Returns the arguments of the call, with the input files in memory. Throws as `frameOf` does, and
 *  the errors of the file system. */
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

/** Returns the input as a file of the call. When the request has a `fit`, first and last frames are
 *  resized here, because the AI SDK's interface has no field for it. */
async function fileOf(job: VideoJob, input: InputFile | undefined, inspection: Inspection): Promise<CallFile | undefined> {
  if (input === undefined) return undefined
  const isFitted = job.request.fit !== undefined && (input.role === 'first-frame' || input.role === 'last-frame')
  const { path, mediaType } = isFitted ? await frameOf(input, job, inspection) : input
  return { type: 'file', mediaType, data: await readFile(path) }
}

/** Returns the common aspect ratio of the size, such as `16:9`; undefined when the size has no
 *  common ratio. Rounded sides are accepted. */
function ratioOf(request: VideoGenerateRequest): string | undefined {
  return usualRatios.find(([wide, high]) => hasRatio(request, wide / high))?.join(':')
}

/** Returns the seed as a number; undefined for a negative seed, and for one that a JavaScript
 *  number cannot hold exactly. */
function seedOf({ seed }: VideoGenerateRequest): number | undefined {
  const number = Number(seed)
  return number >= 0 && Number.isSafeInteger(number) ? number : undefined
}

/** Returns the request field from which a member of the call was derived. It is used for warnings
 *  of the package about that member. Members for the size have no field: the size of the delivered
 *  video shows whether it is right. */
export function fieldOf(name: string, { inputs }: Pick<VideoJobFacts, 'inputs'>): FieldName | undefined {
  if (name === 'frameImages') return 'last-frame'
  if (name !== 'inputReferences') return Object.hasOwn(fields, name) ? fields[name] : undefined
  // The cast is safe: every input of a job has a role that its capability defines.
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

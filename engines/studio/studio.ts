/** The studio engine as its child process runs it: words to a picture file, a picture and an instruction to a picture file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type {
  ImageEditRequest,
  ImageEvent,
  ImageFormat,
  ImageGenerateRequest,
  ImageResult,
} from '@generation-gateway/kit/requests/image.ts'
import type { Done, Failed, InputFile, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { type Stage, stages } from './compose.ts'
import { drawScene } from './draw-scene.ts'
import { drawSubject } from './draw-subject.ts'
import type { Painters } from './edit/painters.ts'
import { encodePicture } from './encode.ts'
import { expandPrompt } from './language/expand.ts'
import { parseInstruction } from './language/instruction.ts'
import { parsePrompt } from './language/parse.ts'
import { decodePicture, editForeignPicture, editOwnPicture, sceneOf } from './picture-edit.ts'
import { type ImageClassifier, openClassifier } from './safety/image-classifier.ts'
import { judgeImage } from './safety/image-rules.ts'
import { judgePrompt } from './safety/prompt-rules.ts'
import type { Scene } from './scene.ts'
import type { Pixels } from './style/pixels.ts'
import { studioArt } from './subjects/drawable.ts'

export interface StudioJob {
  request: ImageGenerateRequest | ImageEditRequest
  /** Folder the picture is written to. */
  scratch: string
  /** The picture to edit. */
  input?: InputFile | undefined
}

export type StudioOutcome = Done | Failed

const painters: Painters = { drawScene, drawSubject }
let classifier: Promise<ImageClassifier> | undefined

/** Opens what every picture needs, so that the first one does not wait for it. */
export async function warmUp(): Promise<void> {
  studioArt()
  await classify()
}

function classify(): Promise<ImageClassifier> {
  classifier ??= openClassifier()
  return classifier
}

/** Draws the prompt, as often as it is asked; pictures of several are told as they are ready. An openly unsafe prompt ends as a moderated failure, and so do pictures of which the classifier refuses all. */
export async function generatePicture(
  { request, scratch }: { request: ImageGenerateRequest; scratch: string },
  { progress, tell }: EngineCall,
): Promise<StudioOutcome> {
  const refusal = refusePrompt(request.prompt, request.safetyTolerance)
  if (refusal) return refusal
  const prompt = request.expandPrompt ? expandPrompt(request.prompt, request.seed) : request.prompt
  const files: Done['files'] = []
  const scenes: Scene[] = []
  let unsafe: Failed | undefined
  for (let index = 0; index < request.count; index++) {
    const drawn = await drawPicture({ request, prompt, index, scratch }, tell)
    progress((index + 1) / request.count)
    if ('state' in drawn) {
      unsafe = drawn
      continue
    }
    const { file, scene } = drawn
    if (request.count > 1) tell({ type: 'file', file } satisfies StreamEvent)
    files.push(file)
    scenes.push(scene)
  }
  if (unsafe && files.length === 0) return unsafe
  const notDrawn = [...new Set(scenes.flatMap(scene => scene.notDrawn))]
  const report: ImageResult = { seed: request.seed, prompt, notDrawn }
  if (request.steps !== undefined) report.notFollowed = ['steps']
  if (files.length < request.count) report.refused = request.count - files.length
  const finished = done(files, report, { scenes, width: request.width, height: request.height })
  return request.count > 1 ? { ...finished, files: [] } : finished
}

interface Drawing {
  request: ImageGenerateRequest
  prompt: string
  /** Which of the pictures. */
  index: number
  scratch: string
}

/** One picture of a request and its scene, or why it is refused. */
async function drawPicture(
  { request, prompt, index, scratch }: Drawing,
  tell: EngineCall['tell'],
): Promise<{ file: Done['files'][number]; scene: Scene } | Failed> {
  const { safetyTolerance, negativePrompt, format, previews = 0 } = request
  const seed = String(BigInt.asIntN(64, BigInt(request.seed) + BigInt(index)))
  const scene = parsePrompt(prompt, { seed, ...(negativePrompt ? { negativePrompt } : {}) })
  const seen = looks[previews] ?? stages
  const look = async (pixels: Pixels, stage: Stage): Promise<void> => {
    const step = seen.indexOf(stage)
    // Nobody sees on its way what would be refused at its end.
    if (step < 0 || (await refusePicture(pixels, safetyTolerance, 'content_moderated'))) return
    const event: ImageEvent = {
      type: 'preview',
      picture: index,
      step,
      mediaType: `image/${format}`,
      bytes: await encodePicture(pixels, format),
    }
    tell({ type: 'event', event } satisfies StreamEvent<ImageEvent>)
  }
  const pixels = await drawScene(scene, request, previews > 0 ? look : undefined)
  const unsafe = await refusePicture(pixels, safetyTolerance, 'content_moderated')
  if (unsafe) return unsafe
  return { file: await savePicture(pixels, { format, scratch, name: `picture-${index}` }), scene }
}

/** Stages that are shown, by how many looks are wanted. */
const looks: readonly (readonly Stage[])[] = [[], ['subjects'], ['place', 'subjects'], stages]

/** Changes a picture as the instruction says. An instruction of which nothing can be followed ends as a failure with a sentence; parts that cannot are reported. */
export async function editPicture(
  { request, scratch, input }: { request: ImageEditRequest; scratch: string; input?: InputFile },
  { progress }: EngineCall,
): Promise<StudioOutcome> {
  if (!input) throw new GatewayError('invalid_request', 'An edit needs an input image.')
  const refusal = refusePrompt(request.prompt, request.safetyTolerance)
  if (refusal) return refusal
  const source = sceneOf(input) ?? (await decodePicture(input))
  if ('data' in source) {
    const unsafe = await refusePicture(source, request.safetyTolerance, 'request_moderated')
    if (unsafe) return unsafe
  }
  const instruction = parseInstruction(request.prompt)
  if (instruction.edits.length === 0)
    return notFollowed(instruction.notUnderstood.map(words => `“${words}” is not an instruction this engine knows.`))
  progress(0.3)
  const edited =
    'data' in source
      ? await editForeignPicture(source, instruction.edits, { request, painters })
      : await editOwnPicture(source, instruction.edits, { request, painters })
  if (edited.failed.length >= instruction.edits.length) return notFollowed(edited.failed)
  progress(0.8)
  const unsafe = await refusePicture(edited.pixels, request.safetyTolerance, 'content_moderated')
  if (unsafe) return unsafe
  const file = await savePicture(edited.pixels, { format: request.format, scratch, name: 'edited' })
  const notDrawn = [...instruction.notUnderstood, ...edited.failed, ...(edited.scene?.notDrawn ?? [])]
  const { width, height } = edited.pixels
  return done(
    [file],
    { seed: request.seed, prompt: request.prompt, notDrawn },
    edited.scene ? { scenes: [edited.scene], width, height } : undefined,
  )
}

function notFollowed(reasons: string[]): Failed {
  const known =
    'It can make pictures grey, blur, crop, rotate, flip, brighten, warm, recolour, restyle, change time, weather and background, add, remove and replace things, and add text.'
  return { state: 'failed', code: 'instruction_not_followed', message: [...reasons, known].join(' ') }
}

function refusePrompt(prompt: string, tolerance: number): Failed | undefined {
  const verdict = judgePrompt(prompt, tolerance)
  if (verdict.allowed) return undefined
  return {
    state: 'failed',
    code: 'request_moderated',
    message: 'The prompt was refused by the safety rules.',
    reasons: [...verdict.reasons],
  }
}

async function refusePicture(
  pixels: Pixels,
  tolerance: number,
  code: 'request_moderated' | 'content_moderated',
): Promise<Failed | undefined> {
  const counts = code === 'request_moderated' ? 'worst' : 'average'
  const scores = await (await classify()).classify({ pixels: pixels.data, width: pixels.width, height: pixels.height }, counts)
  const verdict = judgeImage(scores, tolerance)
  if (verdict.allowed) return undefined
  return {
    state: 'failed',
    code,
    message: `The ${code === 'request_moderated' ? 'input image' : 'picture'} was refused by the safety rules.`,
    reasons: [...verdict.reasons],
  }
}

interface Saving {
  format: ImageFormat
  scratch: string
  /** File name without its ending. */
  name: string
}

async function savePicture(pixels: Pixels, { format, scratch, name }: Saving): Promise<Done['files'][number]> {
  const path = join(scratch, `${name}.${format === 'png' ? 'png' : 'jpg'}`)
  await writeFile(path, await encodePicture(pixels, format), { mode: 0o600 })
  return { path, mediaType: `image/${format}`, width: pixels.width, height: pixels.height }
}

function done(files: Done['files'], report: ImageResult, detail?: { scenes: Scene[]; width: number; height: number }): Done {
  const usage: UsageUnits[] = [
    { unit: 'images', units: files.length },
    { unit: 'pixels', units: files.reduce((sum, file) => sum + (file.width ?? 0) * (file.height ?? 0), 0) },
  ]
  // A scene is plain JSON by its declaration; the compiler only knows the interface.
  return { state: 'done', files, report, ...(detail ? { detail: detail as unknown as JsonObject } : {}), usage }
}

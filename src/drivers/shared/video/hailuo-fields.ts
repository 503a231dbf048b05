/** Translates a neutral request into the fields of Hailuo, for every service with its models
 *  (docs/vendors/minimax.md#fields, #models). A request that a model cannot serve is refused before
 *  anything is sent. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { CameraMove, VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../refusal.ts'
import { present } from '../upstream/read-json.ts'
import type { Group } from './hailuo-groups.ts'
import { assertRoles, directionsOf, hasRatio, inputsOf } from './video-request.ts'

const longestPrompt = 2000

/** How a file is written in the body. */
export type FileEncoder<Input> = (input: Input) => string

/** Words for camera movements: a pair for amounts below and above 0 of each direction, and words
 *  for following and standing still. */
export interface CameraWords {
  moves: Readonly<Record<string, readonly [below: string, above: string]>>
  follow: string
  still: string
}

export interface HailuoInput {
  request: VideoGenerateRequest
  group: Group
  /** Name of the model, for messages. */
  who: string
  words: CameraWords
}

/** All fields except the model's name. Throws a `RefusedError`, so that another target may be
 *  tried. */
export function hailuoFields<Input extends InputFacts>(
  { request, group, who, words }: HailuoInput,
  inputs: readonly Input[],
  shown: FileEncoder<Input>,
): JsonObject {
  assertRoles(inputs, ['first-frame', 'last-frame', 'subject'], who)
  assertPlain(request, who)
  return present({
    prompt: promptOf(request, group, { who, words }),
    prompt_optimizer: request.expandPrompt,
    ...framesOf(inputs, group, { who, shown }),
    ...lengthOf(request, inputs, { group, who }),
    ...(group.hasChoice && request.promptMode === 'fast' ? { fast_pretreatment: true } : {}),
  })
}

function assertPlain({ count, sound, shots, negativePrompt, watermark }: VideoGenerateRequest, who: string): void {
  if (count !== 1) throw refused('count', `${who} makes one video per request, not ${count}.`)
  if (sound) throw refused('sound', `${who} makes videos without sound.`)
  if (shots) throw refused('shots', `${who} makes one shot per request.`)
  if (negativePrompt !== undefined) throw refused('negativePrompt', `${who} takes no negative prompt.`)
  if (watermark) throw refused('watermark', `${who} gives no copy with a watermark.`)
}

function promptOf(
  { prompt, camera }: VideoGenerateRequest,
  { hasCamera }: Group,
  { who, words }: Pick<HailuoInput, 'who' | 'words'>,
): string {
  if (camera && camera.length > 0 && !hasCamera) throw refused('camera', `${who} takes no camera instructions.`)
  const text = [prompt, cameraText(camera ?? [], words, who)].filter(Boolean).join(' ')
  if (text.length > longestPrompt) throw refused('prompt', `${who} takes ${longestPrompt} characters, not ${text.length}.`)
  return text
}

/** Movements in the form of the vendor's prompts: `[Push in, Pan left] [Static shot]`. Throws a
 *  `RefusedError` for a movement that has no word. */
export function cameraText(camera: readonly CameraMove[], words: CameraWords, who: string): string {
  return camera.map(step => `[${wordsOf(step, words, who).join(', ')}]`).join(' ')
}

function wordsOf(step: CameraMove, { moves, follow, still }: CameraWords, who: string): string[] {
  const words = directionsOf(step).map(([direction, amount]) => {
    const pair = moves[direction]
    if (!pair) throw refused('camera', `${who} does not know the movement ${direction}.`)
    return pair[amount < 0 ? 0 : 1]
  })
  if (step.follow) words.push(follow)
  return words.length > 0 ? words : [still]
}

function framesOf<Input extends InputFacts>(
  inputs: readonly Input[],
  { frames, hasSubject }: Group,
  { who, shown }: { who: string; shown: FileEncoder<Input> },
): JsonObject {
  const [first, last] = [inputsOf(inputs, 'first-frame')[0], inputsOf(inputs, 'last-frame')[0]]
  const subjects = inputsOf(inputs, 'subject')
  if (first && frames === 'none') throw refused('first-frame', `${who} takes no first frame.`)
  if (last && frames !== 'both') throw refused('last-frame', `${who} takes no last frame.`)
  if (!first && (last || frames === 'first')) throw refused('first-frame', `${who} needs a first frame.`)
  if (hasSubject !== subjects.length > 0) throw refused('subject', `${who} ${hasSubject ? 'needs' : 'takes no'} subject.`)
  if (subjects.length > 1) throw refused('subject', `${who} takes one picture of a subject, not ${subjects.length}.`)
  return {
    ...(first ? { first_frame_image: shown(first) } : {}),
    ...(last ? { last_frame_image: shown(last) } : {}),
    ...(subjects[0] ? { subject_reference: [{ type: 'character', image: [shown(subjects[0])] }] } : {}),
  }
}

function lengthOf(
  { width, height, seconds }: VideoGenerateRequest,
  inputs: readonly InputFacts[],
  { group, who }: { group: Group; who: string },
): JsonObject {
  const line = Math.min(width, height)
  const lengths = group.seconds[line]
  const size = `${width}x${height}`
  if (!lengths)
    throw refused('width', `${who} makes videos with a short side of ${Object.keys(group.seconds).join(' or ')} pixels, not ${size}.`)
  if (!lengths.includes(seconds)) throw refused('seconds', `${who} makes ${lengths.join(' or ')} seconds in ${line}P, not ${seconds}.`)
  // A video has the aspect ratio of its first frame.
  const [frame] = inputsOf(inputs, 'first-frame')
  const ratio = frame?.width && frame.height ? frame.width / frame.height : 16 / 9
  if (!hasRatio({ width, height }, ratio))
    throw refused('width', `${who} makes it in the shape of ${frame ? 'its first frame' : '16:9'}, not ${size}.`)
  return group.hasChoice ? { duration: seconds, resolution: `${line}P` } : {}
}

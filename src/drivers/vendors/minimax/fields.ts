/** Translates a neutral request into the vendor's fields (docs/vendors/minimax.md#fields, #models).
 *  A request that a model cannot serve is refused before anything is sent. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../../shared/refusal.ts'
import { cameraText } from '../../shared/video/hailuo-camera.ts'
import type { VideoJobFacts } from '../../shared/video/video-job.ts'
import { assertRoles, hasRatio, inputsOf } from '../../shared/video/video-request.ts'
import type { Group } from './models.ts'
import { models, owner } from './settings.ts'

const longestPrompt = 2000

/** Returns a file in the form in which it is written into the JSON body. */
type FileEncoder<Input> = (input: Input) => string

/** Returns the fields of a request. Throws a `RefusedError` for a request that the model cannot
 *  serve, so that another target is tried. */
export function fieldsOf<Input extends InputFacts>(
  { request, model, settings }: Pick<VideoJobFacts, 'request' | 'model' | 'settings'>,
  inputs: readonly Input[],
  shown: FileEncoder<Input>,
): JsonObject {
  const group = models.known(settings, model)
  const who = `the model ${model} of ${owner}`
  assertRoles(inputs, ['first-frame', 'last-frame', 'subject'], who)
  assertPlain(request, who)
  return defined({
    model,
    prompt: promptOf(request, group, who),
    prompt_optimizer: request.expandPrompt,
    ...framesOf(inputs, group, { who, shown }),
    ...lengthOf(request, inputs, { group, who }),
    fast_pretreatment: group.hasChoice && request.promptMode === 'fast' ? true : undefined,
  })
}

function assertPlain({ count, sound, shots, negativePrompt, watermark }: VideoGenerateRequest, who: string): void {
  if (count !== 1) throw refused('count', `${who} makes one video per request, not ${count}.`)
  if (sound) throw refused('sound', `${who} makes videos without sound.`)
  if (shots) throw refused('shots', `${who} makes one shot per request.`)
  if (negativePrompt !== undefined) throw refused('negativePrompt', `${who} takes no negative prompt.`)
  if (watermark) throw refused('watermark', `${who} gives no copy with a watermark.`)
}

function promptOf({ prompt, camera = [] }: VideoGenerateRequest, { hasCamera }: Group, who: string): string {
  if (camera.length > 0 && !hasCamera) throw refused('camera', `${who} takes no camera instructions.`)
  const text = [prompt, cameraText(camera, who)].filter(Boolean).join(' ')
  if (text.length > longestPrompt) throw refused('prompt', `${who} takes ${longestPrompt} characters, not ${text.length}.`)
  return text
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
    first_frame_image: first && shown(first),
    last_frame_image: last && shown(last),
    subject_reference: subjects[0] && [{ type: 'character', image: [shown(subjects[0])] }],
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
  // The video gets the aspect ratio of its first frame, or 16:9 when there is no first frame.
  const [frame] = inputsOf(inputs, 'first-frame')
  const ratio = frame?.width && frame.height ? frame.width / frame.height : 16 / 9
  if (!hasRatio({ width, height }, ratio))
    throw refused('width', `${who} makes it in the shape of ${frame ? 'its first frame' : '16:9'}, not ${size}.`)
  return group.hasChoice ? { duration: seconds, resolution: `${line}P` } : {}
}

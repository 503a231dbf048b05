/** Neutral request and result of `video.generate`. Sizes are in pixels, times in seconds. */
import type { Json } from '../json.ts'
import { capability, type InputFacts } from './capability.ts'

/** One camera movement. Each number is -10 to 10, and 0 when absent; the comments describe
 *  numbers above 0. */
export type CameraMove = {
  /** Movement: `horizontal` to the right, `vertical` up, `depth` towards the scene. */
  horizontal?: number
  vertical?: number
  depth?: number
  /** Rotation: `pan` about the vertical axis, `tilt` about the horizontal axis, `roll`
   *  clockwise. */
  pan?: number
  tilt?: number
  roll?: number
  /** Zoom: widens the field of view. */
  zoom?: number
  shake?: number
  /** True when the camera follows the subject. */
  follow?: true
}

/** Inputs by role: `first-frame`, `last-frame`, `subject` and `reference` and `style` (pictures),
 *  `base` (a video to edit), `earlier` (a video to extend: `seconds` is the length added),
 *  `feature` (a video whose camera, palette and pace are imitated), `still-mask` (area that stays
 *  still), `motion-mask` (area that moves along the path of the same index). Outputs: `video`,
 *  `watermarked`, `thumbnail`. */
export type VideoGenerateRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  /** The prompt may refer to inputs. `<<<image_1>>>` is the first picture (a frame or a reference),
   *  `<<<video_1>>>` is the video, and `<<<element_1>>>` is the first subject. The subjects in
   *  `elements` are numbered after the `subject` inputs. */
  prompt: string
  negativePrompt?: string
  width: number
  height: number
  /** Length of one video. With a `base` input (a video to edit), the length of that video counts
   *  instead. */
  seconds: number
  /** Frame rate; the model's own when absent. */
  framesPerSecond?: number
  /** Number of videos; video i uses seed + i. */
  count: number
  /** Seed as a signed 64-bit integer in decimal digits. */
  seed: string
  sound: boolean
  expandPrompt: boolean
  /** The mode in which a target expands the prompt; for targets that expand prompts themselves. */
  promptMode?: 'standard' | 'fast'
  /** Quality grade, for targets that have two grades; other targets choose the quality by the
   *  size. */
  grade?: 'standard' | 'high'
  /** Tolerance of the safety rules, from 0 (strictest) to 6 (most lenient). */
  safetyTolerance: number
  /** Camera movements, one after another. */
  camera?: CameraMove[]
  /** Shots in order, in place of the prompt. */
  shots?: { prompt: string; seconds: number }[]
  /** True when the target divides the prompt into shots itself. */
  ownShots?: true
  /** Paths of the motion masks: points in order, in pixels of the first frame from its lower left
   *  corner. */
  paths?: { x: number; y: number }[][]
  /** How a frame with another aspect ratio is fitted: `pad` adds a border, `crop` cuts off two
   *  sides. */
  fit?: 'pad' | 'crop'
  /** How closely the video follows the prompt: with 0 the prompt is a hint, with 1 it is followed
   *  closely. */
  promptStrength?: number
  keepBaseSound?: boolean
  /** True to encode without visible loss, whatever the size of the file. */
  lossless?: true
  /** Rule for people in the video; the target's own rule when absent. */
  people?: 'adults' | 'none'
  /** Groups the `subject` inputs, in order: the name of each subject and its number of pictures.
   *  When absent, each input is another subject. */
  subjects?: { name: string; pictures: number }[]
  /** `face` when each `subject` input must show a human face; when absent, the inputs may show
   *  anything. A target that checks pictures fails the task for an input without a face
   *  (`invalid_input_file`, field `subject`). */
  subjectKind?: 'face'
  /** Subjects stored at the upstream, by the upstream's ids. */
  elements?: string[]
  /** True to create, in addition, a copy of each `video` with a mark that says that it was
   *  generated, as `watermarked`. */
  watermark: boolean
}

/** Roles of the inputs that a target may find unusable only after the run has begun. */
type VideoInput = 'first-frame' | 'last-frame' | 'subject' | 'reference' | 'style' | 'base' | 'feature'

export type VideoResult = {
  /** Seed of the first video. */
  seed: string
  /** The prompt that was used, after expansion. */
  prompt: string
  /** Videos that a safety review withheld; they have no file. */
  filtered: { video: number; reasons: string[] }[]
  /** Fields and inputs of the request that were ignored; absent or empty when none were. */
  notFollowed?: (keyof VideoGenerateRequest | VideoInput)[]
}

export const videoGenerate = capability<VideoGenerateRequest, VideoResult>({
  failover: 'paid',
  extras: { elements: refusedElements, lossless: 'told', ownShots: 'told', promptMode: 'told' },
  expectedUnits: (request, inputs) => [{ unit: 'seconds', units: request.count * countedSeconds(request, inputs) }],
})

/** Returns the rest of the message for a subject id that the account does not have. Such ids can
 *  only be known to an upstream, and this target has no subjects of its own. */
function refusedElements(ids: Json, who: string): string {
  const [id = ''] = Array.isArray(ids) ? ids : []
  return `has ${String(id).slice(0, 100)}, which is no subject of the account; ${who} has none of its own.`
}

/** Returns the counted seconds of one video. An edited video counts the length of its input,
 *  rounded (docs/interface/videos.md#k); an extended video counts the part added. `madeSeconds` is
 *  the length of the file created, when known. */
export function countedSeconds(
  { seconds }: Pick<VideoGenerateRequest, 'seconds'>,
  inputs: readonly Pick<InputFacts, 'role' | 'durationSeconds'>[],
  madeSeconds: number = Number.NaN,
): number {
  const lengthOf = (role: string) => inputs.find(input => input.role === role)?.durationSeconds ?? 0
  const [base, earlier] = [lengthOf('base'), lengthOf('earlier')]
  if (base > 0) return Math.max(1, Math.round(base))
  if (Number.isNaN(madeSeconds)) return seconds
  // Some targets return only the added part and not the whole video. The file is then not longer
  // than the earlier video, and all of its seconds are counted.
  const own = madeSeconds > earlier ? madeSeconds - earlier : madeSeconds
  return Math.round(own * 1000) / 1000
}

/** The neutral request and result of `video.generate`. Sizes are pixels, times seconds. */
import { capability, type InputFacts } from './capability.ts'

/** One direction of the camera, -10 to 10; what is absent is 0. */
export type CameraMove = {
  /** Along: to the right, up, towards the scene. */
  horizontal?: number
  vertical?: number
  depth?: number
  /** Turns: about the upright axis, about the level one, clockwise. */
  pan?: number
  tilt?: number
  roll?: number
  /** Widens the field. */
  zoom?: number
  shake?: number
  /** Stays with the subject. */
  follow?: true
}

/** Inputs, by role: `first-frame`, `last-frame`, `subject` and `reference` and `style` (pictures), `base` (a video that is edited), `earlier` (a video that is gone on with: `seconds` are what comes behind it),
 *  `feature` (one whose camera, palette and pace are followed),
 *  `still-mask` (what stays), `motion-mask` (what moves along the path of the same index). Outputs: `video`, `watermarked`, `thumbnail`. */
export type VideoGenerateRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  /** May name inputs: `<<<image_1>>>` is the first picture (a frame or a reference), `<<<video_1>>>` the video, `<<<element_1>>>` the first subject, those of `elements` counted behind the others. */
  prompt: string
  negativePrompt?: string
  width: number
  height: number
  /** Of one video; with a `base` video its own length counts. */
  seconds: number
  /** Absent: the model's own. */
  framesPerSecond?: number
  /** Videos wanted; video i uses seed + i. */
  count: number
  /** Decimal digits of a signed 64-bit integer. */
  seed: string
  sound: boolean
  expandPrompt: boolean
  /** How a target that expands prompts does it. */
  promptMode?: 'standard' | 'fast'
  /** What a target with two grades of work is to spend; others go by the size. */
  grade?: 'standard' | 'high'
  /** 0 strictest to 6 most lenient. */
  safetyTolerance: number
  /** Steps one after another. */
  camera?: CameraMove[]
  /** In order, in the place of the prompt. */
  shots?: { prompt: string; seconds: number }[]
  /** The target cuts the prompt into shots of its own. */
  ownShots?: true
  /** Of the motion masks: points in order, in pixels of the first frame from its lower left corner. */
  paths?: { x: number; y: number }[][]
  /** A frame of another shape is given a border, or cut. */
  fit?: 'pad' | 'crop'
  /** 0 the prompt is a hint, 1 it is followed closely. */
  promptStrength?: number
  keepBaseSound?: boolean
  /** Files as large as it takes to lose nothing that can be seen. */
  lossless?: true
  /** Whether people may be seen; absent: the target's own rule. */
  people?: 'adults' | 'none'
  /** Of the `subject` inputs, in order: whose pictures they are, and how many. Absent: each shows another subject. */
  subjects?: { name: string; pictures: number }[]
  /** What each `subject` input has to show: a human face. A target that looks into pictures fails the task for one without (`invalid_input_file`, field `subject`). Absent: anything. */
  subjectKind?: 'face'
  /** Subjects that the upstream keeps, by its ids. */
  elements?: string[]
  /** Wanted beside each `video`: the same with a mark that says it was generated, as `watermarked`. */
  watermark: boolean
}

/** Of the inputs, those that a target may find out too late it has no use for. */
type VideoInput = 'first-frame' | 'last-frame' | 'subject' | 'reference' | 'style' | 'base' | 'feature'

export type VideoResult = {
  /** Of the first video. */
  seed: string
  /** The prompt that was drawn, after expansion. */
  prompt: string
  /** Videos that a safety review kept back; no file is given for them. */
  filtered: { video: number; reasons: string[] }[]
  /** Fields and inputs of the request that were not followed; absent or empty when all were. */
  notFollowed?: (keyof VideoGenerateRequest | VideoInput)[]
}

export const videoGenerate = capability<VideoGenerateRequest, VideoResult>({
  failover: 'paid',
  extras: { elements: 'refused', lossless: 'told', ownShots: 'told', promptMode: 'told' },
  expectedUnits: (request, inputs) => [{ unit: 'seconds', units: request.count * countedSeconds(request, inputs) }],
})

/** Counted seconds of one video. An edited video counts the length of its input, rounded
 *  (docs/interface/videos.md#k); an extended video counts what was added.
 *  `madeSeconds`: the length of the file that was made, where it is known. */
export function countedSeconds(
  { seconds }: Pick<VideoGenerateRequest, 'seconds'>,
  inputs: readonly Pick<InputFacts, 'role' | 'durationSeconds'>[],
  madeSeconds: number = Number.NaN,
): number {
  const lengthOf = (role: string) => inputs.find(input => input.role === role)?.durationSeconds ?? 0
  const [base, earlier] = [lengthOf('base'), lengthOf('earlier')]
  if (base > 0) return Math.max(1, Math.round(base))
  if (Number.isNaN(madeSeconds)) return seconds
  // Some give only the new part.
  const own = madeSeconds > earlier ? madeSeconds - earlier : madeSeconds
  return Math.round(own * 1000) / 1000
}

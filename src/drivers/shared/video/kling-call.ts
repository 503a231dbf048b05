/** Translates a neutral request into a Kling create call (text2video, image2video, omni-video or
 *  video-extend), for every service with Kling's models. A request that they cannot serve is
 *  refused before anything is sent. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { RefusedError, refused } from '../refusal.ts'
import { present } from '../upstream/read-json.ts'
import { cameraControl } from './kling-camera.ts'
import type { BodyEncoder } from './kling-encoder.ts'
import type { Group } from './kling-groups.ts'
import { omniFields } from './kling-omni.ts'
import { assertRoles, hasRatio, inputsOf } from './video-request.ts'

/** This path takes no model: the model of the earlier video continues. */
export const extendPath = '/videos/video-extend'

const ratios = { '16:9': 16 / 9, '9:16': 9 / 16, '1:1': 1 } as const
/** Videos with more pixels than this count as 1080P. The number lies between 1280x720 and
 *  1920x1080. */
const middlePixels = 1_400_000

interface KlingInput {
  request: VideoGenerateRequest
  group: Group
  /** Name of the model, for messages. */
  who: string
}

/** Path and body of a create call. Throws a `RefusedError` for a request that the model cannot
 *  serve. */
export function klingCall<Input extends InputFacts>(
  { request, group, who }: KlingInput,
  inputs: readonly Input[],
  written: BodyEncoder<Input>,
): { path: string; body: JsonObject } {
  const [earlier] = inputsOf(inputs, 'earlier')
  if (earlier) return extensionOf(request, { group, who, inputs, videoId: () => written.videoId(earlier) })
  if (group.path === 'image') throw new RefusedError({ message: `${who} makes pictures, no videos.` })
  assertPossible(request, group, who)
  const common = commonOf(request, group)
  const shape = ratioOf(request)
  if (group.path === 'omni') {
    const fields = omniFields({ request, inputs, written, who })
    const hasFrame = inputsOf(inputs, 'first-frame').length > 0
    return {
      path: '/videos/omni-video',
      body: { ...common, ...fields, ...(hasFrame ? {} : { aspect_ratio: shapeOf(shape, request, who) }) },
    }
  }
  const camera = request.camera?.length ? { camera_control: cameraControl(request.camera, who) } : {}
  const plain = { ...common, ...present({ prompt: request.prompt, negative_prompt: request.negativePrompt }), ...camera }
  assertRoles(inputs, ['first-frame', 'last-frame', 'still-mask', 'motion-mask'], who)
  if (inputs.length === 0) return { path: '/videos/text2video', body: { ...plain, aspect_ratio: shapeOf(shape, request, who) } }
  return { path: '/videos/image2video', body: { ...plain, ...framesOf(request, inputs, written) } }
}

interface ExtensionInput {
  group: Group
  who: string
  inputs: readonly InputFacts[]
  videoId(): string
}

/** The extension of an earlier video. The vendor chooses its length, 4 to 5 s; model, mode and
 *  aspect ratio are those of the earlier video. */
function extensionOf(request: VideoGenerateRequest, { group, who, inputs, videoId }: ExtensionInput): { path: string; body: JsonObject } {
  const { prompt, negativePrompt, promptStrength, seconds, count, sound, camera, shots, ownShots, watermark } = request
  if (!group.canExtend) throw refused('earlier', `${who} does not go on with videos.`)
  assertRoles(inputs, ['earlier'], who)
  if (inputs.length > 1) throw refused('earlier', `${who} goes on with one video, not ${inputs.length}.`)
  if (count !== 1) throw refused('count', `${who} makes one video per request, not ${count}.`)
  if (seconds < 4 || seconds > 5) throw refused('seconds', `${who} goes on for 4 to 5 s, not ${seconds}.`)
  if (sound) throw refused('sound', `${who} makes videos without sound.`)
  if (camera?.length) throw refused('camera', `${who} takes no camera movement where it goes on with a video.`)
  if (shots || ownShots) throw refused('shots', `${who} makes one shot per request.`)
  const words = present({ prompt: prompt || undefined, negative_prompt: negativePrompt, cfg_scale: promptStrength })
  return { path: extendPath, body: { video_id: videoId(), ...words, ...(watermark ? { watermark_info: { enabled: true } } : {}) } }
}

function assertPossible({ count, seconds, sound, shots, ownShots }: VideoGenerateRequest, group: Group, who: string): void {
  if (count !== 1) throw refused('count', `${who} makes one video per request, not ${count}.`)
  if (!group.lengths.includes(seconds)) throw refused('seconds', `${who} makes ${rangeOf(group.lengths)} seconds, not ${seconds}.`)
  if (sound && !group.hasSound) throw refused('sound', `${who} makes videos without sound.`)
  if ((shots || ownShots) && group.path !== 'omni') throw refused('shots', `${who} makes one shot per request.`)
}

function rangeOf(lengths: readonly number[]): string {
  return lengths.length > 2 ? `${lengths[0]} to ${lengths.at(-1)}` : lengths.join(' or ')
}

function commonOf(request: VideoGenerateRequest, { hasModes, hasStrength, hasSound }: Group): JsonObject {
  const { seconds, sound, grade, width, height, promptStrength, watermark } = request
  const isHigh = grade === undefined ? width * height > middlePixels : grade === 'high'
  return {
    duration: String(seconds),
    ...(hasModes ? { mode: isHigh ? 'pro' : 'std' } : {}),
    ...(hasStrength && promptStrength !== undefined ? { cfg_scale: promptStrength } : {}),
    ...(hasSound ? { sound: sound ? 'on' : 'off' } : {}),
    ...(watermark ? { watermark_info: { enabled: true } } : {}),
  }
}

function ratioOf(size: VideoGenerateRequest): string | undefined {
  return Object.entries(ratios).find(([, ratio]) => hasRatio(size, ratio))?.[0]
}

function shapeOf(ratio: string | undefined, { width, height }: VideoGenerateRequest, who: string): string {
  if (ratio !== undefined) return ratio
  throw refused('width', `${who} makes videos of ${Object.keys(ratios).join(', ')}, not ${width}x${height}.`)
}

function framesOf<Input extends InputFacts>(
  request: VideoGenerateRequest,
  inputs: readonly Input[],
  written: BodyEncoder<Input>,
): JsonObject {
  const one = (role: 'first-frame' | 'last-frame' | 'still-mask') => inputsOf(inputs, role).map(input => written.base64(input))[0]
  const moving = inputsOf(inputs, 'motion-mask')
  return present({
    image: one('first-frame'),
    image_tail: one('last-frame'),
    static_mask: one('still-mask'),
    ...(moving.length > 0
      ? { dynamic_masks: moving.map((mask, index) => ({ mask: written.base64(mask), trajectories: request.paths?.[index] ?? [] })) }
      : {}),
  })
}

/** Translates a neutral request into a submit to one of Kling's endpoints: text2video, image2video,
 *  omni-video or video-extend. A request that the model cannot serve is refused before anything is
 *  sent. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { RefusedError, refused } from '../../shared/refusal.ts'
import { cameraControl } from '../../shared/video/kling-camera.ts'
import { assertRoles, hasRatio, inputsOf, isHighGrade } from '../../shared/video/video-request.ts'
import type { Group } from './models.ts'
import { omniFields } from './omni-fields.ts'

/** Encodes files in the body of a submit. */
export interface BodyEncoder<Input> {
  base64(input: Input): string
  /** Returns the vendor's own id of a video that it created. Throws a `RefusedError` for any other
   *  video. */
  videoId(input: Input): string
}

/** Path for the extension of a video. Its body states no model, because the model of the earlier
 *  video is used. */
export const extendPath = '/videos/video-extend'

const ratios = { '16:9': 16 / 9, '9:16': 9 / 16, '1:1': 1 } as const

interface KlingInput {
  request: VideoGenerateRequest
  group: Group
  /** Name of the model, for messages. */
  who: string
}

/** Returns path and body of a submit. Throws a `RefusedError` for a request that the model cannot
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
  if (group.path === 'omni') {
    const fields = omniFields({ request, inputs, base64: written.base64, who })
    const hasFrame = inputsOf(inputs, 'first-frame').length > 0
    return {
      path: '/videos/omni-video',
      body: { ...common, ...fields, ...(hasFrame ? {} : { aspect_ratio: shapeOf(request, who) }) },
    }
  }
  const camera = request.camera?.length ? { camera_control: cameraControl(request.camera, who) } : {}
  const plain = { ...common, prompt: request.prompt, ...defined({ negative_prompt: request.negativePrompt }), ...camera }
  assertRoles(inputs, ['first-frame', 'last-frame', 'still-mask', 'motion-mask'], who)
  if (inputs.length === 0) return { path: '/videos/text2video', body: { ...plain, aspect_ratio: shapeOf(request, who) } }
  return { path: '/videos/image2video', body: { ...plain, ...framesOf(request, inputs, written) } }
}

interface ExtensionInput {
  group: Group
  who: string
  inputs: readonly InputFacts[]
  videoId(): string
}

/** Returns path and body of a submit that extends an earlier video by 4 to 5 seconds; the vendor
 *  chooses the exact length. Model, mode and aspect ratio stay those of the earlier video. */
function extensionOf(request: VideoGenerateRequest, { group, who, inputs, videoId }: ExtensionInput): { path: string; body: JsonObject } {
  const { prompt, negativePrompt, promptStrength, seconds, count, sound, camera, shots, ownShots, elements, watermark } = request
  if (!group.canExtend) throw refused('earlier', `${who} does not go on with videos.`)
  assertRoles(inputs, ['earlier'], who)
  if (inputs.length > 1) throw refused('earlier', `${who} goes on with one video, not ${inputs.length}.`)
  if (count !== 1) throw refused('count', `${who} makes one video per request, not ${count}.`)
  if (seconds < 4 || seconds > 5) throw refused('seconds', `${who} goes on for 4 to 5 s, not ${seconds}.`)
  if (sound) throw refused('sound', `${who} makes videos without sound.`)
  if (camera?.length) throw refused('camera', `${who} takes no camera movement where it goes on with a video.`)
  if (shots || ownShots) throw refused('shots', `${who} makes one shot per request.`)
  if (elements) throw refused('elements', `${who} takes no stored subjects.`)
  const words = defined({ prompt: prompt || undefined, negative_prompt: negativePrompt, cfg_scale: promptStrength })
  return { path: extendPath, body: { video_id: videoId(), ...words, ...(watermark ? { watermark_info: { enabled: true } } : {}) } }
}

function assertPossible({ count, seconds, sound, shots, ownShots, elements }: VideoGenerateRequest, group: Group, who: string): void {
  if (count !== 1) throw refused('count', `${who} makes one video per request, not ${count}.`)
  if (!group.lengths.includes(seconds)) throw refused('seconds', `${who} makes ${rangeOf(group.lengths)} seconds, not ${seconds}.`)
  if (sound && !group.hasSound) throw refused('sound', `${who} makes videos without sound.`)
  if (group.path === 'omni') return
  if (shots || ownShots) throw refused('shots', `${who} makes one shot per request.`)
  if (elements) throw refused('elements', `${who} takes no stored subjects.`)
}

function rangeOf(lengths: readonly number[]): string {
  return lengths.length > 2 ? `${lengths[0]} to ${lengths.at(-1)}` : lengths.join(' or ')
}

function commonOf(request: VideoGenerateRequest, { hasModes, hasStrength, hasSound }: Group): JsonObject {
  const { seconds, sound, promptStrength, watermark } = request
  return defined({
    duration: String(seconds),
    mode: hasModes ? (isHighGrade(request) ? 'pro' : 'std') : undefined,
    cfg_scale: hasStrength ? promptStrength : undefined,
    sound: hasSound ? (sound ? 'on' : 'off') : undefined,
    watermark_info: watermark ? { enabled: true } : undefined,
  })
}

function shapeOf(request: VideoGenerateRequest, who: string): string {
  const [shape] = Object.entries(ratios).find(([, ratio]) => hasRatio(request, ratio)) ?? []
  if (shape !== undefined) return shape
  throw refused('width', `${who} makes videos of ${Object.keys(ratios).join(', ')}, not ${request.width}x${request.height}.`)
}

function framesOf<Input extends InputFacts>(
  request: VideoGenerateRequest,
  inputs: readonly Input[],
  written: BodyEncoder<Input>,
): JsonObject {
  const one = (role: 'first-frame' | 'last-frame' | 'still-mask') => inputsOf(inputs, role).map(input => written.base64(input))[0]
  const moving = inputsOf(inputs, 'motion-mask')
  const masks = moving.map((mask, index) => ({ mask: written.base64(mask), trajectories: request.paths?.[index] ?? [] }))
  return defined({
    image: one('first-frame'),
    image_tail: one('last-frame'),
    static_mask: one('still-mask'),
    dynamic_masks: masks.length > 0 ? masks : undefined,
  })
}

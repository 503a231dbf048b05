/** Family K (docs/interface/videos.md#k): image-to-video. */
import { defined } from '@generation-gateway/kit/defined.ts'
import Type from 'typebox'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { optional } from '../../contract/schemas.ts'
import { cameraField, cameraRules, camerasFor, hasCamera } from './camera.ts'
import { type ClipFields, clipOf, clipRules, otherModels, proOnly } from './clip-rules.ts'
import { modelName, onOff, pictureLimits, promptLength, videoFields } from './fields.ts'
import { maskSizeProblem, pointProblem } from './masks.ts'
import { groupsWith, omniVideo } from './models.ts'

const brushes = groupsWith(({ masks }) => masks.length > 0)
/** Number of points in a path: the interface says "2 to 77 points for a 5 s video", so masks are
 *  allowed with 5 seconds only. */
const points = { minItems: 2, maxItems: 77 } as const

const coordinate = (description: string) => Type.Integer({ minimum: 0, unit: 'px', description })

export const frameBody = Type.Object({
  model_name: modelName('vidk-v1 by default, or MaaS_VidK_V1.6, MaaS_VidK_V2.1, MaaS_VidK_V2.1_Master, MaaS_VidK_V2.6.'),
  image: optional.string({
    minLength: 1,
    file: { role: 'first-frame', ...pictureLimits },
    description: 'First frame: base64 or an http(s) URL. The video has its shape.',
  }),
  image_tail: optional.string({
    minLength: 1,
    file: { role: 'last-frame', ...pictureLimits },
    groups: groupsWith(({ frames, tail }) => frames.length + tail.length > 0),
    description: 'Last frame, likewise.',
  }),
  prompt: Type.String({ maxLength: promptLength, default: '', description: 'What happens.' }),
  ...videoFields,
  camera_control: cameraField(groupsWith(({ frameCamera }) => frameCamera.length > 0)),
  static_mask: optional.string({
    minLength: 1,
    file: { role: 'still-mask', ...pictureLimits },
    groups: brushes,
    description: 'What stays: a picture of the shape of the image.',
  }),
  dynamic_masks: Type.Array(
    Type.Object({
      mask: Type.String({
        minLength: 1,
        file: { role: 'motion-mask', ...pictureLimits },
        description: 'What moves: a picture of the shape of the image, as large as the other masks.',
      }),
      trajectories: Type.Array(Type.Object({ x: coordinate('From the left edge of the image.'), y: coordinate('From its bottom edge.') }), {
        ...points,
        description: 'Points that it passes, in order.',
      }),
    }),
    { maxItems: 6, default: [], groups: brushes, description: 'Parts that move, each along its own path.' },
  ),
})
export type FrameBody = Type.Static<typeof frameBody>

type RuleFields = Pick<FrameBody, 'image' | 'image_tail' | 'static_mask' | 'camera_control' | 'sound'> &
  ClipFields & { dynamic_masks: readonly object[] }

const hasMasks = ({ static_mask, dynamic_masks }: RuleFields): boolean => static_mask !== undefined || dynamic_masks.length > 0

export const frameRules: Rule<RuleFields>[] = [
  otherModels('image2video', ({ frame }) => frame.length > 0),
  ...cameraRules,
  ...proOnly,
  {
    id: 'frame-needed',
    says: 'There is an image or an image_tail.',
    field: 'image',
    holds: ({ image, image_tail }) => image !== undefined || image_tail !== undefined,
    explain: () => 'image is required, or image_tail.',
  },
  {
    id: 'tail-needs-image',
    says: 'image_tail goes with image.',
    field: 'image',
    source: 'ours',
    groups: groupsWith(({ frames, tail }) => frames.length > 0 && tail.length === 0),
    holds: ({ image, image_tail }) => image !== undefined || image_tail === undefined,
    explain: ({ model_name = 'The model' }) => `${model_name} takes image_tail only beside image.`,
  },
  {
    id: 'masks-need-image',
    says: 'static_mask and dynamic_masks go with image.',
    field: 'image',
    source: 'ours',
    holds: body => body.image !== undefined || !hasMasks(body),
    explain: () => 'image is required with static_mask or dynamic_masks.',
  },
  {
    id: 'one-kind-of-control',
    says: 'There is only one of image_tail, masks and camera_control.',
    field: 'image_tail',
    source: 'ours',
    holds: body => [body.image_tail !== undefined, hasMasks(body), hasCamera(body)].filter(Boolean).length <= 1,
    explain: () => 'image_tail, static_mask or dynamic_masks, and camera_control exclude each other.',
  },
  {
    id: 'tail-without-sound',
    says: 'image_tail goes with sound off.',
    field: 'sound',
    source: 'ours',
    holds: ({ image_tail, sound }) => image_tail === undefined || sound === 'off',
    explain: () => 'sound is on; with image_tail it must be off.',
  },
  ...clipRules<RuleFields>('frames', {
    when: 'image with image_tail',
    field: 'image_tail',
    works: ({ frames }) => frames,
    isAsked: ({ image, image_tail }) => image !== undefined && image_tail !== undefined,
  }),
  ...clipRules<RuleFields>('tail', {
    when: 'image_tail alone',
    field: 'image_tail',
    works: ({ tail }) => tail,
    isAsked: ({ image, image_tail }) => image === undefined && image_tail !== undefined,
  }),
  ...clipRules<RuleFields>('masks', { when: 'a mask', field: 'dynamic_masks', works: ({ masks }) => masks, isAsked: hasMasks }),
  ...clipRules<RuleFields>('camera', {
    when: 'camera_control',
    field: 'camera_control',
    works: ({ frameCamera }) => frameCamera,
    isAsked: hasCamera,
  }),
]

export const frameForm = neutralForm({
  capabilities: ['video.generate'],
  rules: frameRules,
  bodyOf: call => {
    const { request, group } = call
    const [image] = inputsOf(call, 'first-frame')
    const [tail] = inputsOf(call, 'last-frame')
    if ((!image && !tail) || group === omniVideo.group) return undefined
    const [still] = inputsOf(call, 'still-mask')
    const files = defined({ image: image?.mediaType, image_tail: tail?.mediaType, static_mask: still?.mediaType })
    const body = { ...clipOf(request), ...files, dynamic_masks: inputsOf(call, 'motion-mask'), sound: onOff(request.sound) }
    return [{}, ...camerasFor(request.camera)].map(camera_control => ({ ...body, camera_control }))
  },
  problem: call => {
    const [frame] = inputsOf(call, 'first-frame', 'last-frame')
    const masks = inputsOf(call, 'still-mask', 'motion-mask').map(mask => ({ ...mask, field: mask.role }))
    return maskSizeProblem(masks) ?? (frame && pointProblem(call.request.paths ?? [], frame))
  },
})

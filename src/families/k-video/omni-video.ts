/** Family K (docs/interface/videos.md#k): omni video, from a prompt, shots, pictures, subjects and
 *  a video. */
import { MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { words } from '../../contract/schemas.ts'
import { notBlank } from '../shared/common-fields.ts'
import { onlyOmni } from './clip-rules.ts'
import { common, listedPictureLimits, modelName, onOff, promptLength, ratios, watermarkField } from './fields.ts'
import { omniVideo } from './models.ts'
import { elementItem, namedInputs } from './references.ts'

const seconds = Array.from({ length: 13 }, (_, index) => index + 3)

const shot = Type.Object({
  index: Type.Integer({ minimum: 1, maximum: 6, description: 'Its place, from 1.' }),
  prompt: Type.String({ minLength: 1, maxLength: 512, ...notBlank, description: 'What happens in it.' }),
  duration: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    minimum: 1,
    maximum: 15,
    pattern: '^([1-9]|1[0-5])$',
    mustBe: 'a whole number from 1 to 15',
    examples: ['3', 3],
    unit: 's',
    description: 'Of all shots together: `duration`.',
  }),
})

const referenceVideo = Type.Object({
  video_url: Type.String({
    format: 'http-url',
    maxLength: 8192,
    mustBe: 'an http or https URL',
    // The limits of the frame rate are a little wider than those of the interface, because measured
    // frame rates differ slightly from 24000/1001 and from whole numbers.
    file: {
      role: 'base',
      mediaTypes: ['video/mp4', 'video/quicktime'],
      maxBytes: 200 * MiB,
      minSide: 720,
      maxSide: 2160,
      duration: { least: 3 },
      framesPerSecond: { least: 23.9, most: 60.1 },
    },
    description: 'MP4 or MOV.',
  }),
  refer_type: words(['feature', 'base'], {
    default: 'base',
    description: '`base`: it is edited, and the output is as long. `feature`: its camera, palette and pace are followed.',
  }),
  keep_original_sound: words(['yes', 'no'], { default: 'yes', description: 'Whether its sound is kept.' }),
})

export const omniVideoBody = Type.Object({
  model_name: modelName(`${omniVideo.id} by default.`),
  multi_shot: Type.Boolean({
    default: false,
    description: 'Several shots. True: `prompt` is left out; false: `shot_type` and `multi_prompt`.',
  }),
  shot_type: words(['', 'customize', 'intelligence'], {
    default: '',
    description: '`customize`: the shots of `multi_prompt`. `intelligence`: the model cuts `prompt` into shots itself.',
  }),
  prompt: Type.String({
    maxLength: promptLength,
    default: '',
    description: 'What happens. Names inputs as `<<<element_1>>>`, `<<<image_1>>>`, `<<<video_1>>>`.',
  }),
  multi_prompt: Type.Array(shot, { maxItems: 6, default: [], description: 'The shots.' }),
  image_list: Type.Array(
    Type.Object({
      image_url: Type.String({
        minLength: 1,
        file: { role: 'reference', ...listedPictureLimits },
        description: 'Base64 or an http(s) URL.',
      }),
      type: words(['', 'first_frame', 'end_frame'], { default: '', description: 'Empty: a picture that the prompt speaks of.' }),
    }),
    { maxItems: 7, default: [], description: 'Frames and reference pictures.' },
  ),
  element_list: Type.Array(elementItem, { maxItems: 7, default: [], description: 'Subjects.' }),
  video_list: Type.Array(referenceVideo, { maxItems: 1, default: [], description: 'A video to edit or to follow.' }),
  sound: words(['on', 'off'], { default: 'off', description: 'Whether the video has sound; off with `video_list`.' }),
  mode: words(['std', 'pro'], { default: 'pro', description: 'std is 720P, pro 1080P.' }),
  aspect_ratio: words(['', ...ratios], { default: '', description: 'Required unless there is a first frame or a video to edit.' }),
  duration: Type.Unsafe<string | number>({
    enum: [...seconds.map(String), ...seconds],
    default: '5',
    unit: 's',
    description: 'Left out with a video to edit, whose length the output has.',
  }),
  watermark_info: watermarkField('the video'),
  ...common,
})
export type OmniVideoBody = Type.Static<typeof omniVideoBody>

/** The parts of a body that the rules read. */
interface RuleFields
  extends Pick<
    OmniVideoBody,
    'multi_shot' | 'shot_type' | 'prompt' | 'multi_prompt' | 'element_list' | 'sound' | 'aspect_ratio' | 'duration'
  > {
  model_name?: string
  image_list: readonly Pick<OmniVideoBody['image_list'][number], 'type'>[]
  video_list: readonly Pick<OmniVideoBody['video_list'][number], 'refer_type'>[]
}

export const frameOf = ({ image_list }: Pick<RuleFields, 'image_list'>, type: 'first_frame' | 'end_frame') =>
  image_list.filter(image => image.type === type)
export const isEdit = ({ video_list }: RuleFields) => video_list.some(({ refer_type }) => refer_type === 'base')
export const hasOwnShots = ({ multi_shot, shot_type }: RuleFields) => multi_shot && shot_type === 'customize'
export const inOrder = ({ multi_prompt }: RuleFields) => [...multi_prompt].sort((a, b) => a.index - b.index)
const hasPrompt = ({ prompt }: RuleFields) => /\S/.test(prompt)
const shotSeconds = ({ multi_prompt }: RuleFields) => multi_prompt.reduce((sum, each) => sum + Number(each.duration), 0)
const mostReferences = ({ video_list }: RuleFields) => (video_list.length > 0 ? 4 : 7)

export const omniVideoRules: Rule<RuleFields>[] = [
  onlyOmni(omniVideo, 'omni-video'),
  {
    id: 'shot-type-needed',
    says: 'shot_type is required with multi_shot.',
    field: 'shot_type',
    holds: ({ multi_shot, shot_type }) => !multi_shot || shot_type !== '',
    explain: () => 'shot_type is required when multi_shot is true.',
  },
  {
    id: 'shots-needed',
    says: 'multi_prompt is required with shot_type customize.',
    field: 'multi_prompt',
    holds: body => !hasOwnShots(body) || body.multi_prompt.length > 0,
    explain: () => 'multi_prompt has 0 items; at least 1 when shot_type is customize.',
  },
  {
    id: 'shots-in-order',
    says: 'multi_prompt[].index counts from 1 without gaps.',
    field: 'multi_prompt',
    source: 'ours',
    holds: body => !hasOwnShots(body) || inOrder(body).every(({ index }, at) => index === at + 1),
    explain: ({ multi_prompt }) =>
      `multi_prompt[].index is ${multi_prompt.map(({ index }) => index).join(', ')}; it must count from 1 to ${multi_prompt.length}.`,
  },
  {
    id: 'shots-sum',
    says: 'The shots of multi_prompt last as long as duration together.',
    field: 'multi_prompt',
    holds: body => !hasOwnShots(body) || body.multi_prompt.length === 0 || isEdit(body) || shotSeconds(body) === Number(body.duration),
    explain: body => `multi_prompt lasts ${shotSeconds(body)} s; duration is ${body.duration}.`,
  },
  {
    id: 'prompt-needed',
    says: 'prompt is required without multi_shot, and with shot_type intelligence.',
    field: 'prompt',
    holds: body => hasPrompt(body) || (body.multi_shot && body.shot_type !== 'intelligence'),
    explain: () => 'prompt is empty; it is required when multi_shot is false or shot_type is intelligence.',
  },
  {
    id: 'frames-once',
    says: 'image_list has at most one first_frame and one end_frame.',
    field: 'image_list',
    source: 'ours',
    holds: body => frameOf(body, 'first_frame').length <= 1 && frameOf(body, 'end_frame').length <= 1,
  },
  {
    id: 'end-needs-first',
    says: 'An end_frame in image_list goes with a first_frame.',
    field: 'image_list',
    holds: body => frameOf(body, 'end_frame').length === 0 || frameOf(body, 'first_frame').length > 0,
    explain: () => 'image_list has an end_frame and no first_frame.',
  },
  {
    id: 'end-of-two',
    says: 'With more than 2 images there is no end_frame.',
    field: 'image_list',
    holds: body => body.image_list.length <= 2 || frameOf(body, 'end_frame').length === 0,
    explain: ({ image_list }) => `image_list has ${image_list.length} images; with an end_frame at most 2.`,
  },
  {
    id: 'frames-or-edit',
    says: 'A video to edit goes without first_frame and end_frame.',
    field: 'video_list',
    holds: body => !isEdit(body) || frameOf(body, 'first_frame').length + frameOf(body, 'end_frame').length === 0,
    explain: () => 'video_list has a video to edit (refer_type base); image_list must have no first_frame and no end_frame then.',
  },
  {
    id: 'subjects-with-frames',
    says: 'With a first_frame there are at most 3 subjects.',
    field: 'element_list',
    holds: body => body.element_list.length <= 3 || frameOf(body, 'first_frame').length === 0,
    explain: ({ element_list }) => `element_list has ${element_list.length} items; at most 3 with a first_frame.`,
  },
  {
    id: 'references',
    says: 'Images and subjects are at most 7, with a video at most 4.',
    field: 'image_list',
    holds: body => body.image_list.length + body.element_list.length <= mostReferences(body),
    explain: body =>
      `image_list and element_list have ${body.image_list.length + body.element_list.length} items; at most ${mostReferences(body)}${body.video_list.length > 0 ? ' with a video' : ''}.`,
  },
  {
    id: 'video-without-sound',
    says: 'video_list goes with sound off.',
    field: 'sound',
    holds: ({ video_list, sound }) => video_list.length === 0 || sound === 'off',
    explain: () => 'sound is on; with video_list it must be off.',
  },
  {
    id: 'ratio-needed',
    says: 'aspect_ratio is required without a first_frame and a video to edit.',
    field: 'aspect_ratio',
    holds: body => body.aspect_ratio !== '' || isEdit(body) || frameOf(body, 'first_frame').length > 0,
    explain: () => 'aspect_ratio is required, unless image_list has a first_frame or video_list a video to edit.',
  },
  namedInputs(body => ({
    texts: hasOwnShots(body) ? body.multi_prompt.map(({ prompt }) => prompt) : [body.prompt],
    image: body.image_list.length,
    element: body.element_list.length,
    video: body.video_list.length,
  })),
]

const typesByRole = { reference: '', 'first-frame': 'first_frame', 'last-frame': 'end_frame' } as const

export const omniVideoForm = neutralForm({
  capabilities: ['video.generate'],
  rules: omniVideoRules,
  bodyOf: call => {
    const { request, group, inputs } = call
    if (group !== omniVideo.group) return undefined
    const { prompt, shots, ownShots = false, subjects = inputsOf(call, 'subject'), elements = [] } = request
    return {
      ...{ prompt, sound: onOff(request.sound), duration: request.seconds },
      // The rules on a body require an aspect ratio in some cases. A neutral request always has a
      // size, so any ratio is set here to satisfy them.
      aspect_ratio: '16:9' as const,
      multi_shot: ownShots || shots !== undefined,
      shot_type: shots ? ('customize' as const) : ownShots ? ('intelligence' as const) : ('' as const),
      multi_prompt: (shots ?? []).map((shot, index) => ({ index: index + 1, prompt: shot.prompt, duration: shot.seconds })),
      image_list: inputs.flatMap(({ role }) => {
        const type = role === 'reference' || role === 'first-frame' || role === 'last-frame' ? typesByRole[role] : undefined
        return type === undefined ? [] : [{ type }]
      }),
      element_list: [...subjects, ...elements].map((_, index) => ({ element_id: index })),
      video_list: inputsOf(call, 'base', 'feature').map(({ role }) => ({
        refer_type: role === 'base' ? ('base' as const) : ('feature' as const),
      })),
    }
  },
  fields: { sound: 'sound' },
})

/** Fields and limits that several operations of family K share. */
import { MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { optional, words } from '../../contract/schemas.ts'
import { callbackField, namedModelField } from '../shared/common-fields.ts'
import { groupsWith } from './models.ts'

/** Limits of pictures: JPEG or PNG, at most 10 MB, at least 300 px a side
 *  (docs/interface/videos.md#k). */
export const pictureLimits = { mediaTypes: ['image/jpeg', 'image/png'], maxBytes: 10 * MiB, minSide: 300 } as const
/** Limits of pictures in omni video, omni image and stored subjects, for which the interface
 *  says "ratio 1:2.5 to 2.5:1". */
export const listedPictureLimits = { ...pictureLimits, ratio: { least: 1 / 2.5, most: 2.5 } } as const

export const promptLength = 2500
/** Values of `aspect_ratio` for videos (docs/interface/videos.md#k). */
export const ratios = ['16:9', '9:16', '1:1'] as const

export const common = {
  external_task_id: Type.String({
    maxLength: 200,
    default: '',
    description: "The caller's own id for the task, unique in the account; queries take it in the place of ours.",
  }),
  callback_url: callbackField('Called with the task when it has ended.'),
}

export const modelName = (description: string) => Type.Optional(namedModelField(description))

/** Lengths of a video: 5 or 10 seconds, accepted as numbers and as strings. */
const lengths = Type.Unsafe<'5' | '10' | 5 | 10>({ enum: ['5', '10', 5, 10], default: '5', unit: 's', description: 'Length of the video.' })

/** Returns the field that requests, in addition to each output, a copy with a watermark. */
export const watermarkField = (outputs: 'the video' | 'each picture') =>
  Type.Object({ enabled: Type.Boolean({ default: false }) }, { default: {}, description: `A copy with a mark beside ${outputs}.` })

export const negativePrompt = Type.String({ maxLength: promptLength, default: '', description: 'What must not be there.' })

/** Fields that videos from a prompt and videos from a picture share. */
export const videoFields = {
  negative_prompt: negativePrompt,
  cfg_scale: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.5,
    groups: groupsWith(({ hasStrength }) => hasStrength),
    description: 'How closely the prompt is followed.',
  }),
  mode: optional.words(['std', 'pro'], {
    groups: groupsWith(({ modes }) => modes.length > 0),
    description: 'std by default, in V2.6 pro.',
  }),
  sound: words(['on', 'off'], {
    default: 'off',
    groups: groupsWith(({ hasSound }) => hasSound),
    description: 'Whether the video has sound.',
  }),
  duration: lengths,
  ...common,
}

export function onOff(isOn: boolean): 'on' | 'off' {
  return isOn ? 'on' : 'off'
}

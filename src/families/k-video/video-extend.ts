/** Family K (docs/interface/videos.md#k): video-extend. The interface names the operation but not
 *  its fields; the fields are those of docs/vendors/kling.md#video-extension. */
import Type from 'typebox'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { common, modelName, negativePrompt, promptLength, watermarkField } from './fields.ts'
import { groupsWith, omniImage, omniVideo, videoRows } from './models.ts'

/** `extensionSeconds` is the length of an extension; `mostTotalSeconds` is the greatest length
 *  of a video together with its extension. */
export const extensionSeconds = 5
export const mostTotalSeconds = 180

export const extendBody = Type.Object({
  video_id: Type.String({
    minLength: 1,
    maxLength: 200,
    examples: ['01kb2v0f5w9h3t8m6q4y7z1xcd'],
    description: `\`id\` of a video that text2video, image2video or video-extend has made here. What comes of it is ${extensionSeconds} s longer, with at most ${mostTotalSeconds} s.`,
  }),
  model_name: modelName('The model of the video, which goes on with it; another one is refused.'),
  prompt: Type.String({ maxLength: promptLength, default: '', description: 'What happens next.' }),
  negative_prompt: negativePrompt,
  cfg_scale: Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: 'How closely the prompt is followed.' }),
  watermark_info: watermarkField('the video'),
  ...common,
})
export type ExtendBody = Type.Static<typeof extendBody>

const extending = videoRows.flatMap(([, { canExtend, id }]) => (canExtend ? [id] : []))

export const extendRules: Rule<object>[] = [
  {
    id: 'model-of-video',
    says: `video_id is a video of ${extending.join(' or ')}.`,
    field: 'video_id',
    source: 'ours',
    groups: [...groupsWith(({ canExtend }) => !canExtend), omniVideo.group, omniImage.group],
    holds: () => false,
    explain: () => `video_id is a video of another model; video-extend takes those of ${extending.join(' and ')}.`,
  },
]

export const extendForm = neutralForm({
  capabilities: ['video.generate'],
  rules: extendRules,
  bodyOf: call => (inputsOf(call, 'earlier').length === 0 ? undefined : {}),
  fields: { video_id: 'earlier' },
})

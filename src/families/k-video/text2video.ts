/** Family K (docs/interface/videos.md#k): text-to-video. */
import Type from 'typebox'
import { neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { words } from '../../contract/schemas.ts'
import { promptField } from '../shared/common-fields.ts'
import { cameraField, cameraRules, camerasFor, hasCamera } from './camera.ts'
import { type ClipFields, clipOf, clipRules, otherModels, proOnly } from './clip-rules.ts'
import { modelName, promptLength, ratios, videoFields } from './fields.ts'
import { groupsWith, omniVideo } from './models.ts'

export const textBody = Type.Object({
  model_name: modelName('vidk-v1 by default, or MaaS_VidK_V1.6, MaaS_VidK_V2.1_Master, MaaS_VidK_V2.6.'),
  prompt: promptField('What happens.', { maxLength: promptLength, examples: ['a ferry leaves a foggy pier at dawn'] }),
  ...videoFields,
  camera_control: cameraField(groupsWith(({ textCamera }) => textCamera.length > 0)),
  aspect_ratio: words(ratios, { default: '16:9', description: 'Shape of the video.' }),
})
export type TextBody = Type.Static<typeof textBody>

type RuleFields = Pick<TextBody, 'camera_control'> & ClipFields

export const textRules: Rule<RuleFields>[] = [
  otherModels('text2video', ({ text }) => text.length > 0),
  ...cameraRules,
  ...proOnly,
  ...clipRules<RuleFields>('camera', {
    when: 'camera_control',
    field: 'camera_control',
    works: ({ textCamera }) => textCamera,
    isAsked: hasCamera,
  }),
]

/** Checks the rules on requests in neutral form. A request may have several camera movements, and
 *  each of them has to keep the rules. */
export const textForm = neutralForm({
  capabilities: ['video.generate'],
  rules: textRules,
  bodyOf: ({ request, inputs, group }) => {
    if (inputs.length > 0 || group === omniVideo.group) return undefined
    return [{}, ...camerasFor(request.camera)].map(camera_control => ({ ...clipOf(request), camera_control }))
  },
  fields: { model_name: 'first-frame' },
})

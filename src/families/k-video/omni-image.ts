/** Family K (docs/interface/videos.md#k): omni image, which draws pictures from a prompt that may
 *  refer to reference pictures and stored subjects by marks such as `<<<image_1>>>`. */
import Type from 'typebox'
import type { Rule } from '../../contract/operation.ts'
import { words } from '../../contract/schemas.ts'
import { promptField } from '../shared/common-fields.ts'
import { onlyOmni } from './clip-rules.ts'
import { common, listedPictureLimits, modelName, promptLength, watermarkField } from './fields.ts'
import { omniImage } from './models.ts'
import { elementItem, namedInputs } from './references.ts'

const mostReferences = 10

export const omniImageBody = Type.Object({
  model_name: modelName(`${omniImage.id} by default.`),
  prompt: promptField('What to draw, or what to make of the pictures. Names inputs as `<<<image_1>>>` and `<<<element_1>>>`.', {
    maxLength: promptLength,
    examples: ['a red lighthouse at dusk'],
  }),
  image_list: Type.Array(
    Type.Object({
      image_url: Type.String({ minLength: 1, file: { role: 'image', ...listedPictureLimits }, description: 'Base64 or an http(s) URL.' }),
    }),
    { maxItems: mostReferences, default: [], description: 'Reference pictures.' },
  ),
  element_list: Type.Array(elementItem, { maxItems: mostReferences, default: [], description: 'Subjects.' }),
  resolution: words(['1k', '2k', '4k'], { default: '1k', description: 'As many pixels as a square of that side has.' }),
  result_type: words(['single', 'series'], { default: 'single', description: '`series`: pictures that belong together.' }),
  n: Type.Integer({ minimum: 1, maximum: 9, default: 1, description: 'Number of pictures; not of a series.' }),
  series_amount: Type.Integer({ minimum: 2, maximum: 9, default: 4, description: 'Number of pictures of a series.' }),
  aspect_ratio: words(['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', 'auto'], {
    default: 'auto',
    description: '`auto`: the shape of the first reference picture; without one 1:1.',
  }),
  watermark_info: watermarkField('each picture'),
  ...common,
})
export type OmniImageBody = Type.Static<typeof omniImageBody>

export const omniImageRules: Rule<OmniImageBody>[] = [
  onlyOmni(omniImage, 'omni-image'),
  {
    id: 'references',
    says: `Images and subjects are at most ${mostReferences}.`,
    field: 'image_list',
    holds: ({ image_list, element_list }) => image_list.length + element_list.length <= mostReferences,
    explain: ({ image_list, element_list }) =>
      `image_list and element_list have ${image_list.length + element_list.length} items; at most ${mostReferences}.`,
  },
  namedInputs(body => ({ texts: [body.prompt], image: body.image_list.length, element: body.element_list.length, video: 0 })),
]

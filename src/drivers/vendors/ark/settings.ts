import { MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { modelGroups } from '../../shared/upstream/model-groups.ts'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'
import { groups } from './models.ts'

/** Name of the vendor, for messages. */
export const owner = 'Volcengine Ark'

const usualBaseUrl = 'https://ark.cn-beijing.volces.com/api/v3'
/** Default limit of an input picture in megabytes, the limit of interface F3
 *  (docs/interface/pictures.md#f3). The vendor accepts 30 MB for its newer models
 *  (docs/vendors/ark.md#image-models). */
const usualInputMb = 10

export const models = modelGroups({
  driver: 'ark',
  groups,
  unnamed: 'an endpoint (ep-...) and for a model whose name the driver does not know',
})

export const settings = serviceSettings({
  driver: 'ark',
  baseUrl: `The vendor's API, whose regions have keys of their own. Default: ${usualBaseUrl}; ModelArk: https://ark.ap-southeast.bytepluses.com/api/v3, https://ark.eu-west.bytepluses.com/api/v3.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor, sent as a bearer token.',
  needsKey: true,
  // The waits are long because nothing arrives while a picture is drawn: the answer to a request
  // for one picture begins when that picture is finished (docs/vendors/ark.md#images).
  usualWaits: { firstByteMs: 600_000, idleMs: 600_000 },
  own: {
    ...models.setting,
    most_input_mb: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: `Largest reference picture, in units of 2^20 bytes. Default ${usualInputMb}.` }),
    ),
  },
  facts: ({ most_input_mb: most }) => ({ mostInputBytes: (typeof most === 'number' ? most : usualInputMb) * MiB }),
})

import Type from 'typebox'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'AiPPT'

const usualBaseUrl = 'https://co.aippt.cn/api'

interface AipptFacts {
  /** Signs the request for a token. */
  signingSecret: string
  /** Id of the customer at the vendor, which separates the customers of one key. */
  uid: string
  channel: string
  hasPdf: boolean
  /** The service as `origin` of slides names it: content belongs to a customer of the service. */
  service: string
}

export const settings = serviceSettings<AipptFacts>({
  driver: 'aippt',
  baseUrl: `The vendor's API. Default: ${usualBaseUrl}.`,
  usualBaseUrl,
  apiKey: 'Sent as x-api-key.',
  needsKey: true,
  keyHeader: 'x-api-key',
  usualWaits: { firstByteMs: 60_000, idleMs: 60_000 },
  own: {
    secret: Type.String({ secret: true, minLength: 1, description: 'Signs the request for a token; it is never sent.' }),
    uid: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The customer that content and files belong to. Default: gateway.' }),
    ),
    channel: Type.Optional(Type.String({ maxLength: 64, description: "The vendor's word for where customers come from. Default: none." })),
    pdf: Type.Optional(Type.Boolean({ description: 'Whether a PDF is exported beside the PPTX file. Default: true.' })),
  },
  facts: ({ secret, uid, channel, pdf }, { upstream: { origin, path }, problem }) => {
    const customer = settingText(uid) ?? 'gateway'
    const signingSecret = settingText(secret) ?? ''
    const lacking = signingSecret === '' ? 'Settings of the driver aippt: secret is empty.' : undefined
    return {
      signingSecret,
      uid: customer,
      channel: settingText(channel) ?? '',
      hasPdf: pdf !== false,
      service: `${origin}${path}#${customer}`,
      problem: problem ?? lacking,
    }
  },
})

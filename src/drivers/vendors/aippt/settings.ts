import Type from 'typebox'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'AiPPT'

interface AipptFacts {
  /** Secret that signs the request for a token. */
  signingSecret: string
  /** Id of the customer at the vendor; one API key may serve several customers. */
  uid: string
  channel: string
  hasPdf: boolean
  /** Name of this service as the `origin` of slides. It contains the id of the customer, because
   *  the vendor keeps written content per customer. */
  service: string
}

export const settings = serviceSettings<AipptFacts>({
  driver: 'aippt',
  usualBaseUrl: 'https://co.aippt.cn/api',
  apiKey: 'Sent as x-api-key.',
  needsKey: true,
  keyHeader: 'x-api-key',
  own: {
    secret: Type.String({ secret: true, minLength: 1, description: 'Signs the request for a token; it is never sent.' }),
    uid: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The customer that content and files belong to. Default: gateway.' }),
    ),
    channel: Type.Optional(Type.String({ maxLength: 64, description: "The vendor's word for where customers come from. Default: none." })),
    pdf: Type.Optional(Type.Boolean({ description: 'Whether a PDF is exported in addition to the PPTX file. Default: true.' })),
  },
  facts: ({ secret, uid, channel, pdf }, { upstream: { origin, path } }) => {
    const customer = settingText(uid) ?? 'gateway'
    const signingSecret = settingText(secret) ?? ''
    return {
      signingSecret,
      uid: customer,
      channel: settingText(channel) ?? '',
      hasPdf: pdf !== false,
      service: `${origin}${path}#${customer}`,
      problem: signingSecret === '' ? 'secret is empty.' : undefined,
    }
  },
})

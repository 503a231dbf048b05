import { textOf } from '@generation-gateway/kit/json.ts'
import type { TextFacts } from '../../shared/text/text-target.ts'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'

const usualBaseUrl = 'https://generativelanguage.googleapis.com/v1beta'
/** The end of every base URL of Vertex AI, also behind a proxy. */
const vertexPath = /\/publishers\/[^/]+\/?$/

export const settings = serviceSettings<TextFacts>({
  driver: 'gemini',
  baseUrl: `Address of the service, including its version. Default: ${usualBaseUrl}.`,
  usualBaseUrl,
  apiKey: 'Sent as x-goog-api-key.',
  needsKey: true,
  keyHeader: 'x-goog-api-key',
  // The wait for the first byte is long, because a model may think for minutes.
  usualWaits: { firstByteMs: 600_000, idleMs: 120_000 },
  facts: ({ base_url: baseUrl }) => ({
    ...{ dialect: 'native', protocols: ['generate-content'], isStateless: true, reasoningIn: null },
    isVertex: vertexPath.test(textOf(baseUrl) ?? ''),
  }),
})

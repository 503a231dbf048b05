import { serviceSettings } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'Mureka'

const usualBaseUrl = 'https://api.mureka.ai/v1'

export const settings = serviceSettings({
  driver: 'mureka',
  baseUrl: `The vendor's API. Default: ${usualBaseUrl}.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor, sent as a bearer token.',
  needsKey: true,
  usualWaits: { firstByteMs: 60_000, idleMs: 60_000 },
})

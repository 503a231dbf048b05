import { serviceSettings } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'Mureka'

export const settings = serviceSettings({
  driver: 'mureka',
  usualBaseUrl: 'https://api.mureka.ai/v1',
  apiKey: 'A key of the vendor, sent as a bearer token.',
  needsKey: true,
})

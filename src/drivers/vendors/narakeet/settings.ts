import { type VoiceFactsOfTarget, voiceFacts, voiceSettings } from '../../shared/sound/speech-words.ts'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'Narakeet'

const usualBaseUrl = 'https://api.narakeet.com'

export const settings = serviceSettings<VoiceFactsOfTarget>({
  driver: 'narakeet',
  baseUrl: `The vendor's API. Default: ${usualBaseUrl}.`,
  usualBaseUrl,
  apiKey: 'Sent as x-api-key.',
  needsKey: true,
  keyHeader: 'x-api-key',
  usualWaits: { firstByteMs: 60_000, idleMs: 60_000 },
  own: voiceSettings,
  facts: voiceFacts,
})

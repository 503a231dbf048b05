import { type VoiceFactsOfTarget, voiceFacts, voiceSettings } from '../../shared/sound/speech-words.ts'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'Narakeet'

export const settings = serviceSettings<VoiceFactsOfTarget>({
  driver: 'narakeet',
  usualBaseUrl: 'https://api.narakeet.com',
  apiKey: 'Sent as x-api-key.',
  needsKey: true,
  keyHeader: 'x-api-key',
  own: voiceSettings,
  facts: voiceFacts,
})

import { type VoiceFactsOfTarget, voiceFacts, voiceSettings } from '../../shared/sound/speech-words.ts'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'ElevenLabs'

const usualBaseUrl = 'https://api.elevenlabs.io'

export const settings = serviceSettings<VoiceFactsOfTarget>({
  driver: 'elevenlabs',
  baseUrl: `The vendor's API, without its version. Default: ${usualBaseUrl}.`,
  usualBaseUrl,
  apiKey: 'Sent as xi-api-key.',
  needsKey: true,
  keyHeader: 'xi-api-key',
  usualWaits: { firstByteMs: 30_000, idleMs: 60_000 },
  own: voiceSettings,
  facts: voiceFacts,
})

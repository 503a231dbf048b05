import Type from 'typebox'
import { type VoiceFactsOfTarget, voiceFacts, voiceSettings } from '../sound/speech-words.ts'
import { serviceSettings, settingText } from '../upstream/service-settings.ts'
import type { UpstreamTarget } from '../upstream/upstream-target.ts'

/** In sentences. */
export const owner = 'Azure Speech'

export interface AzureFacts extends VoiceFactsOfTarget {
  /** Where texts are spoken; recordings are sent to the target's own place. */
  speaking: UpstreamTarget
}

/** A region has a host for each; a `base_url` stands for both. */
const hostOf = (region: string, kind: 'api.cognitive' | 'tts.speech') => `https://${region}.${kind}.microsoft.com`

export const settings = serviceSettings<AzureFacts>({
  driver: 'azure-speech',
  baseUrl: 'A host in the place of those of the region, for both speech and recognition. Default: those of the region.',
  usualBaseUrl: 'https://eastus.api.cognitive.microsoft.com',
  apiKey: 'Key of the Speech resource, sent as Ocp-Apim-Subscription-Key.',
  needsKey: true,
  keyHeader: 'ocp-apim-subscription-key',
  usualWaits: { firstByteMs: 600_000, idleMs: 120_000 },
  own: {
    region: Type.Optional(
      Type.String({ pattern: '^[a-z0-9]{2,32}$', description: 'Region of the resource: eastus, westeurope. Default: eastus.' }),
    ),
    ...voiceSettings,
  },
  facts: ({ region, base_url, ...further }, { upstream }) => {
    const named = settingText(base_url) === undefined ? (settingText(region) ?? 'eastus') : undefined
    const at = (origin: string): UpstreamTarget => ({ ...upstream, origin })
    return {
      ...voiceFacts(further),
      upstream: named === undefined ? upstream : at(hostOf(named, 'api.cognitive')),
      speaking: named === undefined ? upstream : at(hostOf(named, 'tts.speech')),
    }
  },
})

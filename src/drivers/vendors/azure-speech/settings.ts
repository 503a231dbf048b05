import Type from 'typebox'
import { type VoiceFactsOfTarget, voiceFacts, voiceSettings } from '../../shared/sound/speech-words.ts'
import { serviceSettings, settingText, settingTexts } from '../../shared/upstream/service-settings.ts'
import { type UpstreamTarget, upstreamTarget } from '../../shared/upstream/upstream-target.ts'

/** Name of the service, for messages. */
export const owner = 'Azure Speech'

export interface AzureFacts extends VoiceFactsOfTarget {
  /** Target of requests for speech synthesis. Recordings are sent to `upstream`. */
  speaking: UpstreamTarget
  /** Target of requests for translations. */
  translating: UpstreamTarget
}

/** Host of Azure Translator for all regions. */
const translator = 'https://api.cognitive.microsofttranslator.com'
/** Path of Azure Translator on an operator's own host. */
const translatorPath = '/translator/text/v3.0'

/** Returns the origin of a region for recognition (`api.cognitive`) or for speech synthesis
 *  (`tts.speech`). A configured `base_url` replaces both. */
const hostOf = (region: string, kind: 'api.cognitive' | 'tts.speech') => `https://${region}.${kind}.microsoft.com`

export const settings = serviceSettings<AzureFacts>({
  driver: 'azure-speech',
  baseUrl: 'A host in the place of those of the region, for speech, recognition and translation. Default: those of the region.',
  usualBaseUrl: 'https://eastus.api.cognitive.microsoft.com',
  apiKey: 'Key of the Speech resource, or of one of several services (AI services), sent as Ocp-Apim-Subscription-Key.',
  needsKey: true,
  keyHeader: 'ocp-apim-subscription-key',
  usualWaits: { firstByteMs: 600_000, idleMs: 120_000 },
  own: {
    region: Type.Optional(
      Type.String({ pattern: '^[a-z0-9]{2,32}$', description: 'Region of the resource: eastus, westeurope. Default: eastus.' }),
    ),
    translator_key: Type.Optional(
      Type.String({
        secret: true,
        description: 'Key of a Translator resource, for R5. Default: api_key, which then is one of several services.',
      }),
    ),
    translator_region: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9]{2,32}$',
        description:
          'Region of the Translator resource. Default: region where translator_key is absent, else none: the resource is a global one.',
      }),
    ),
    ...voiceSettings,
  },
  facts: ({ region, base_url, api_key, translator_key, translator_region, headers, ...further }, { upstream }) => {
    const named = settingText(base_url) === undefined ? (settingText(region) ?? 'eastus') : undefined
    const at = (origin: string): UpstreamTarget => ({ ...upstream, origin })
    const own = settingText(translator_key)
    const place = settingText(translator_region) ?? (own === undefined ? named : undefined)
    const translating = {
      ...settingTexts(headers),
      'ocp-apim-subscription-key': own ?? settingText(api_key) ?? '',
    }
    return {
      ...voiceFacts(further),
      translating: upstreamTarget(named === undefined ? `${upstream.origin}${upstream.path}${translatorPath}` : translator, {
        headers: translating,
        ...{ route: upstream.route, totalMs: upstream.totalMs },
        open: { 'ocp-apim-subscription-region': place },
      }),
      upstream: named === undefined ? upstream : at(hostOf(named, 'api.cognitive')),
      speaking: named === undefined ? upstream : at(hostOf(named, 'tts.speech')),
    }
  },
})

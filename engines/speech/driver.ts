import { type DriverTools, defineEngine, engineQueue, noSettings, parkedBecause, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { chooseSpeakers, type Readiness } from './choose-voice.ts'
import { createSpeechHost } from './host.ts'
import { isReadByESpeak } from './language/espeak/espeak.ts'
import { eSpeakPacks } from './language/espeak/packs.ts'
import { findESpeak, findESpeakVoices } from './language/espeak/program.ts'
import { packOf } from './model-packs.ts'
import { speechPacks } from './packs.ts'
import { speakRequest } from './speech-job.ts'
import { type Maker, voices } from './voices.ts'

const parked = parkedBecause('speech')
const title = 'Built-in voices'

/** The built-in speech engine. Its voices are those of the models Hibari, Kokoro, Piper and Flite,
 *  which run in two child processes, and those of the program eSpeak NG. */
export default defineEngine({
  id: 'speech',
  title,
  kind: 'engine',
  settings: noSettings,
  capabilities: ['speech.synthesize'],
  voices,
  packs: [...speechPacks, ...eSpeakPacks],
  open: tools => {
    const host = createSpeechHost(tools)
    return {
      id: 'speech',
      title,
      queue: engineQueue('speech', { cores: tools.cores, accountSlots: 8 }),
      offers: {
        'speech.synthesize': streamed<SpeechRequest, SpeechEvent>(
          async function* (job) {
            if (tools.cores <= 0) throw new GatewayError('capability_unavailable', parked)
            const speakers = chooseSpeakers(job.request, readinessOf(tools))
            if ('refusal' in speakers)
              throw new GatewayError('invalid_request', speakers.refusal.message, { field: speakers.refusal.field })
            yield* speakRequest(host, speakers, job)
          },
          {
            follows: ['isPrivate', 'style', 'pronunciations', 'nextText'],
            refuses: ({ request }) => {
              const speakers = chooseSpeakers(request, readinessOf(tools))
              return 'refusal' in speakers ? speakers.refusal : undefined
            },
          },
        ),
      },
      hold: () => {
        if (tools.cores > 0) host.warm()
      },
      close: () => host.close(),
    }
  },
})

function readinessOf({ packs }: DriverTools): Readiness {
  const canSpeak = (maker: Maker) => {
    if (maker === 'ESpeak') return findESpeakVoices(packs) !== undefined
    const pack = packOf(maker)
    return pack === undefined || pack.files.every(({ name }) => packs.file(pack.id, name) !== undefined)
  }
  return {
    canSpeak,
    // English texts, and English words in Chinese texts, are analysed with the data in the pack of
    // the speech model Hibari.
    canRead: language => (isReadByESpeak(language) ? findESpeak(packs) !== undefined : canSpeak('Hibari')),
  }
}

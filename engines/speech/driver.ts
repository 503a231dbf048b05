import { type DriverTools, defineEngine, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import Type from 'typebox'
import { chooseSpeaker } from './choose-voice.ts'
import { createSpeechHost } from './host.ts'
import { packOf } from './pack-of.ts'
import { speechPacks } from './packs.ts'
import { speakRequest } from './speech-job.ts'
import { voices } from './voices.ts'

const parked = 'The speech engine is parked: this gateway runs its engines with 0 processes (GATEWAY_ENGINE_WORKERS).'
const title = 'Built-in voices'

/** The built-in speech engine: Hibari, Kokoro, Piper and Flite in two child processes. */
export default defineEngine({
  id: 'speech',
  title,
  kind: 'engine',
  settings: Type.Object({}),
  capabilities: ['speech.synthesize'],
  voices,
  packs: speechPacks,
  open: tools => {
    const host = createSpeechHost(tools)
    return {
      id: 'speech',
      title,
      queue: { name: 'engine:speech', slots: tools.cores > 0 ? 8 : 0 },
      offers: {
        'speech.synthesize': streamed<SpeechRequest, SpeechEvent>(
          async function* (job) {
            if (tools.cores <= 0) throw new GatewayError('capability_unavailable', parked)
            const speaker = chooseSpeaker(job.request, isReadyIn(tools))
            if ('refusal' in speaker) throw new GatewayError('invalid_request', speaker.refusal.message, { field: speaker.refusal.field })
            yield* speakRequest(host, speaker, job)
          },
          {
            isRepeatable: true,
            follows: ['isPrivate', 'style', 'pronunciations', 'nextText'],
            refuses: ({ request }) => {
              const speaker = chooseSpeaker(request, isReadyIn(tools))
              return 'refusal' in speaker ? speaker.refusal : undefined
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

function isReadyIn({ packs }: DriverTools): Parameters<typeof chooseSpeaker>[1] {
  return maker => {
    const pack = packOf(maker)
    return pack === undefined || pack.files.every(({ name }) => packs.file(pack.id, name) !== undefined)
  }
}

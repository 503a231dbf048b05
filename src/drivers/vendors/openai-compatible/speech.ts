/** Runs `speech.synthesize` over OpenAI's `POST /audio/speech`. The answer is the sound, which
 *  is streamed to the caller (docs/vendors/openai-audio.md#speech). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { type SpeechJob, type SpeechPart, spokenParts } from '../../shared/sound/speech-parts.ts'
import { refusalOfSpeech, voiceOf } from '../../shared/sound/speech-words.ts'
import { jsonBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { owner, settings } from './settings.ts'

const words = { input: 'text', voice: 'voice', speed: 'speed', instructions: 'instructions', response_format: 'format' } as const
/** Formats in which the service can send its sound; its `pcm` has 24 kHz. */
const ownFormats: ReadonlySet<string> = new Set(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'])
const pcmRate = 24_000
const limits = { owner, slowest: 0.25, fastest: 4 }

/** Returns the offer with which the driver serves `speech.synthesize`. A run sends one paid request
 *  and never repeats it, because the interface has no idempotency key. For a format that the
 *  service does not have, the gateway encodes the service's PCM. */
export function speechOffer(tools: ServiceTools): StreamedOffer<SpeechRequest, SpeechEvent> {
  return streamed<SpeechRequest, SpeechEvent>(job => speak(tools, job), {
    follows: ['instructions'],
    refuses: ({ request, settings: given }) => refusalOfSpeech(request, settings.targetOf(given), limits),
  })
}

function speak(tools: ServiceTools, job: SpeechJob): AsyncGenerator<SpeechPart> {
  const { model, request } = job
  const { text, format, speed, instructions } = request
  const target = settings.targetOf(job.settings)
  const isOwn = ownFormats.has(format.container) && format.bitRate === undefined && (format.sampleRate ?? pcmRate) === pcmRate
  const fields = defined({
    model,
    input: text,
    voice: voiceOf(request, target),
    response_format: isOwn ? format.container : 'pcm',
    speed: speed === 1 ? undefined : speed,
    instructions,
  })
  return spokenParts(tools, job, {
    ...{ target, path: '/audio/speech', body: jsonBody(fields), owner, words },
    encodeFrom: isOwn ? undefined : pcmRate,
  })
}

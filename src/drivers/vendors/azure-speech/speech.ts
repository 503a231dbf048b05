/** Sends texts to be spoken as SSML to `POST /cognitiveservices/v1`. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { type JobFacts, type Refusal, refusal, type StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { SoundFormat, SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { type SpeechJob, type SpeechPart, spokenParts } from '../../shared/sound/speech-parts.ts'
import { refusalOfSpeech, voiceOf } from '../../shared/sound/speech-words.ts'
import { sentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { withHeaders } from '../../shared/upstream/upstream-target.ts'
import { owner, settings } from './settings.ts'

const limits = { owner, slowest: 0.5, fastest: 2 }
const voiceName = /^([a-z]{2,3}(?:-[A-Za-z]{2,8}){1,2})-\w+$/

/** Returns the offer with which the driver serves `speech.synthesize`. A run sends one paid request
 *  and never repeats it, because the service has no idempotency key. */
export function speechRuns(tools: ServiceTools): StreamedOffer<SpeechRequest, SpeechEvent> {
  return streamed<SpeechRequest, SpeechEvent>(job => speak(tools, job), { follows: ['pronunciations'], refuses })
}

function refuses({ request, settings: given }: JobFacts<SpeechRequest>): Refusal | undefined {
  const target = settings.targetOf(given)
  const voice = voiceOf(request, target)
  if (voice === undefined || !voiceName.test(voice)) {
    const says = voice === undefined ? 'is missing' : `is ${voice}`
    return refusal(
      'voice',
      `${says}; ${owner} wants a short name like en-US-JennyNeural, or a map of voices in the settings of the target.`,
    )
  }
  return refusalOfSpeech(request, target, limits)
}

function speak(tools: ServiceTools, job: SpeechJob): AsyncGenerator<SpeechPart> {
  const { request } = job
  const target = settings.targetOf(job.settings)
  const { name, encodeFrom } = formatPlan(request.format)
  return spokenParts(tools, job, {
    target: { upstream: withHeaders(target.speaking, { 'x-microsoft-outputformat': name }), waits: target.waits },
    path: '/cognitiveservices/v1',
    body: sentBody({ contentType: 'application/ssml+xml', tail: Buffer.from(ssmlOf(request, voiceOf(request, target) ?? '')) }),
    owner,
    encodeFrom,
  })
}

/** Returns the service's name of the format. When the service does not have the format, this is the
 *  name of raw samples at `encodeFrom` Hz, which the gateway then encodes. */
function formatPlan({ container, sampleRate, bitRate }: SoundFormat): { name: string; encodeFrom?: number } {
  const isUsual = bitRate === undefined && (sampleRate ?? 24_000) === 24_000
  if (container === 'mp3' && isUsual) return { name: 'audio-24khz-96kbitrate-mono-mp3' }
  if (container === 'wav' && isUsual) return { name: 'riff-24khz-16bit-mono-pcm' }
  if (container === 'opus' && bitRate === undefined) return { name: 'ogg-24khz-16bit-mono-opus' }
  if (container === 'pcm' && isUsual) return { name: 'raw-24khz-16bit-mono-pcm' }
  if (container === 'ulaw' && sampleRate === 8_000) return { name: 'raw-8khz-8bit-mono-mulaw' }
  if (container === 'alaw' && sampleRate === 8_000) return { name: 'raw-8khz-8bit-mono-alaw' }
  const isHigh = (sampleRate ?? 24_000) > 24_000
  return isHigh ? { name: 'raw-48khz-16bit-mono-pcm', encodeFrom: 48_000 } : { name: 'raw-24khz-16bit-mono-pcm', encodeFrom: 24_000 }
}

/** Returns the text as SSML, with speech rate and pronunciations. A text that is already SSML is
 *  returned unchanged. */
export function ssmlOf({ text, speed, pronunciations = [] }: SpeechRequest, voice: string): string {
  if (/^\s*<speak[\s>]/.test(text)) return text
  const language = voiceName.exec(voice)?.[1] ?? 'en-US'
  const rate = `${speed >= 1 ? '+' : ''}${Math.round((speed - 1) * 100)}%`
  const spoken = withAliases(text, pronunciations)
  const said = speed === 1 ? spoken : `<prosody rate="${rate}">${spoken}</prosody>`
  return `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${language}"><voice name="${escaped(voice)}">${said}</voice></speak>`
}

function withAliases(text: string, pronunciations: readonly { word: string; say: string }[]): string {
  if (pronunciations.length === 0) return escaped(text)
  const says = new Map(pronunciations.map(({ word, say }) => [word.toLowerCase(), say]))
  const listed = pronunciations.map(({ word }) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return text
    .split(new RegExp(`(?<![\\p{L}\\p{N}])(${listed})(?![\\p{L}\\p{N}])`, 'iu'))
    .map((part, index) =>
      index % 2 === 0 ? escaped(part) : `<sub alias="${escaped(says.get(part.toLowerCase()) ?? part)}">${escaped(part)}</sub>`,
    )
    .join('')
}

/** Returns the text with the five special characters of XML replaced by entities. Characters that
 *  XML does not allow are removed. */
function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
  return text.replaceAll(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, '').replaceAll(/[&<>"']/g, sign => entities[sign] ?? sign)
}

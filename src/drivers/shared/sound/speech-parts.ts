/** Streams the sound of a paid answer to the caller and stores it as the output. */

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeSound, mediaTypeOf } from '@generation-gateway/kit/audio/encode.ts'
import { samplesOf } from '@generation-gateway/kit/audio/pcm.ts'
import { openRoom } from '@generation-gateway/kit/disk-room.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { Done, Job, Outcome, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { type SoundFormat, type SpeechEvent, type SpeechRequest, spokenCharacters } from '@generation-gateway/kit/requests/speech.ts'
import { failedAfterPay } from '../failed.ts'
import { submitPaidInParts } from '../upstream/paid-submit.ts'
import type { Parts } from '../upstream/post-body.ts'
import type { ServiceTools } from '../upstream/service-driver.ts'
import type { UpstreamAnswer } from '../upstream/upstream-answer.ts'
import { refusalInWords } from './speech-words.ts'

export type SpeechJob = Job<SpeechRequest>
export type SpeechPart = StreamEvent<SpeechEvent>

/** Largest sound in bytes: six hours of the largest format in use, 16-bit mono at 48 kHz. */
const mostBytes = 2 ** 31
const rawRates: Partial<Record<SoundFormat['container'], number>> = { pcm: 2, ulaw: 1, alaw: 1 }
/** Sample rate (Hz) of a raw format when the request states none
 *  (docs/vendors/openai-audio.md#speech). */
const usualRate = 24_000

interface SpokenRequest extends Omit<Parameters<typeof submitPaidInParts>[0], 'submits' | 'job' | 'read'> {
  /** Sample rate (Hz) of the raw 16-bit sound that the service sends, when the gateway encodes it
   *  in the requested format; absent when the service encodes it. */
  encodeFrom?: number | undefined
  /** Maps the service's names of fields to the neutral ones, to translate its refusals. */
  words?: Readonly<Record<string, FieldName>>
  /** Returns the outcome extended by facts that the answer contains besides the sound, such as the
   *  charge. */
  ended?(outcome: Outcome, answer: UpstreamAnswer): Outcome
}

/** Sends a text to be spoken. Yields the sound while it arrives, then the outcome. The request is
 *  paid and has no idempotency key, so it is sent only once. Throws the errors of
 *  `submitPaidInParts`. */
export async function* spokenParts(
  { submits, inspection }: ServiceTools,
  job: SpeechJob,
  { encodeFrom: sampleRate, words, ended, ...submit }: SpokenRequest,
): AsyncGenerator<SpeechPart> {
  const { owner } = submit
  try {
    const outcome = yield* submitPaidInParts<SpeechPart, Outcome>({
      ...{ submits, job, ...submit },
      async *read(answer) {
        const sound = soundIn(answer, owner)
        const chunks = sampleRate === undefined ? sound : encodedFrom(sound, { sampleRate, job })
        const spoken = yield* speechParts({ chunks, job, inspection, owner })
        return ended?.(spoken, answer) ?? spoken
      },
    })
    yield { type: 'outcome', outcome }
  } catch (error) {
    throw words ? refusalInWords(words, error) : error
  }
}

/** Returns the bytes of the sound in a successful answer. Throws `upstream_error` for an answer
 *  that is JSON or HTML. */
function soundIn(answer: Pick<UpstreamAnswer, 'mediaType' | 'chunks' | 'cancel'>, owner: string): AsyncIterable<Buffer> {
  if (!/json$|^text\/html$/.test(answer.mediaType)) return answer.chunks()
  answer.cancel()
  throw new GatewayError('upstream_error', `${owner} answered with ${answer.mediaType} where a sound was expected.`)
}

interface SpeechAnswer {
  /** The file's bytes, streamed. */
  chunks: AsyncIterable<Uint8Array>
  job: SpeechJob
  inspection: Pick<Inspection, 'readMedia'>
  /** The name of the service in messages. */
  owner: string
}

/** Yields the bytes and writes them to the job's output file. When the sound has no bytes, no
 *  length, or more than 2^31 bytes, the outcome is a failure marked as possibly charged. Throws the
 *  errors of `chunks`, `disk_full`, and the errors of the inspection. */
export async function* speechParts({ chunks, job, inspection, owner }: SpeechAnswer): Parts<SpeechPart, Outcome> {
  const { format } = job.request
  const path = join(job.scratch, `speech.${format.container}`)
  let bytes = 0
  {
    await using file = await open(path, 'w', 0o600)
    const room = openRoom(path)
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > mostBytes) return failedAfterPay('upstream_error', `The sound of ${owner} has more than ${mostBytes} bytes.`)
      room.take(chunk.length)
      await file.writeFile(chunk)
      yield { type: 'event', event: { type: 'sound', bytes: chunk } }
    }
  }
  if (bytes === 0) return failedAfterPay('upstream_error', `${owner} answered without a sound.`)
  const perSample = rawRates[format.container]
  const seconds =
    perSample === undefined
      ? ((await inspection.readMedia(path, job))?.durationSeconds ?? 0)
      : bytes / (perSample * (format.sampleRate ?? usualRate))
  if (seconds === 0) return failedAfterPay('upstream_error', `${owner} answered with a sound of no length.`)
  return doneSpeech(job.request, { path, seconds })
}

/** Returns the outcome of a spoken text. */
export function doneSpeech(request: SpeechRequest, { path, seconds }: { path: string; seconds: number }): Done {
  const characters = spokenCharacters(request)
  return {
    state: 'done',
    files: [{ path, mediaType: mediaTypeOf(request.format), durationSeconds: seconds }],
    report: { seconds, characters },
    usage: [{ unit: 'characters', units: characters }],
  }
}

/** Encodes the raw 16-bit sound of a service in the requested format. */
export function encodedFrom(
  chunks: AsyncIterable<Uint8Array>,
  { sampleRate, job }: { sampleRate: number; job: SpeechJob },
): AsyncIterable<Uint8Array> {
  return encodeSound(samplesIn(chunks), { sampleRate, format: { sampleRate, ...job.request.format }, signal: job.signal })
}

/** Yields samples from 16-bit numbers whose bytes arrive in chunks of any size. */
async function* samplesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Float32Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const whole = bytes.length & ~1
    yield samplesOf(bytes.subarray(0, whole))
    rest = Buffer.from(bytes.subarray(whole))
  }
}

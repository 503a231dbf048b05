/** A fake driver for transcription. It finds the words that `recording` has put into a file, one
 *  per half second, or silence. It does not support the language Irish. */
import { readFile } from 'node:fs/promises'
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { type DriverSpec, defineDriver, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type Job, type Offers, refusal, type StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import type {
  TranscribeRequest,
  TranscriptEvent,
  TranscriptSegment,
  TranscriptToken,
  TranslateRequest,
} from '@generation-gateway/kit/requests/transcript.ts'
import Type from 'typebox'

export type TranscriptionJob = Job<TranscribeRequest & Partial<TranslateRequest>>
type Events = AsyncIterable<StreamEvent<TranscriptEvent>>

/** Sample rate in Hz of the recordings that `recording` makes. */
export const transcriptionRate = 8_000
export const wordSeconds = 0.5
const wordsOfSegment = 4
const numbers = ['One', 'two', 'three', 'four.', 'Five', 'six', 'seven', 'eight.']
const understood = ['en', 'de', 'fr']

interface Hearing {
  jobs: TranscriptionJob[]
  gate?: (job: TranscriptionJob) => Promise<void> | undefined
  /** Returns true for the index of each segment whose event names no speaker. The final result then
   *  names the speaker. */
  namesLate?: (index: number) => boolean
}

/** Returns a driver with this id. Each job is added to `jobs`. After its first words, a job
 *  waits for `gate`. */
export function fakeTranscriptionDriver(id: string, hearing: Partial<Hearing> = {}): DriverSpec {
  const hear = (job: TranscriptionJob) => transcribe(job, { jobs: [], ...hearing })
  const offers: Pick<Offers, 'audio.transcribe' | 'audio.translate'> = {
    'audio.transcribe': streamed<TranscribeRequest, TranscriptEvent>(hear, { isRepeatable: true }),
    'audio.translate': streamed<TranslateRequest, TranscriptEvent>(hear, {
      isRepeatable: true,
      refuses: ({ request: { targets } }) => {
        const unknown = targets.find(target => !understood.includes(target))
        return unknown === undefined ? undefined : refusal('targets', `${unknown} is not known; there are ${understood.join(', ')}.`)
      },
    }),
  }
  const title = `Fake ${id}`
  return defineDriver({
    id,
    title,
    kind: 'upstream',
    settings: Type.Object({}),
    open: () => ({ id, title, queue: { name: `fake:${id}`, slots: 4 }, offers }),
  })
}

/** Returns a WAV recording with this number of words, one per half second. With several
 *  channels, each channel contains all words. With 0 words, it is silence of the given length. */
export function recording(
  words: number,
  { channels = 1, seconds = words * wordSeconds }: { channels?: number; seconds?: number } = {},
): Buffer {
  const frames = Math.round(seconds * transcriptionRate)
  const bytes = frames * channels
  const samples = Buffer.alloc(bytes, 0x80).fill(0xa0, 0, Math.round(words * wordSeconds * transcriptionRate) * channels)
  return Buffer.concat([wavHeader({ sampleRate: transcriptionRate, channels, bits: 8, dataBytes: bytes }), samples])
}

async function* transcribe(job: TranscriptionJob, { jobs, gate, namesLate }: Hearing): Events {
  jobs.push(job)
  const { request, inputs } = job
  const input = inputs.find(({ role }) => role === 'audio')
  if (!input) throw new TypeError('there is no recording')
  const bytes = await readFile(input.path)
  if (bytes.includes('broken')) throw new GatewayError('invalid_request', 'audio: cannot be decoded.', { field: 'audio' })
  const seconds = Math.min(input.durationSeconds ?? 0, request.firstSeconds ?? Number.POSITIVE_INFINITY)
  const loud = bytes.subarray(44).filter(byte => byte === 0xa0).length / (input.channels ?? 1) / transcriptionRate
  const words = Math.floor(Math.min(loud, seconds) / wordSeconds)
  const segments = segmentsOf(words, request)
  const logprobs: TranscriptToken[] = []
  let text = ''
  for (const [index, segment] of segments.entries()) {
    job.signal.throwIfAborted()
    const delta = (text === '' ? '' : ' ') + segment.text
    text += delta
    const token = { token: delta, logprob: -0.25, bytes: [...Buffer.from(delta)] }
    logprobs.push(token)
    yield { type: 'event', event: { type: 'text', delta, ...(request.logprobs ? { logprobs: [token] } : {}) } }
    const { speaker: _, ...nameless } = segment
    yield { type: 'event', event: { type: 'segment', segment: namesLate?.(index) ? nameless : segment } }
    if (index > 0 || !gate) continue
    const { promise: left, resolve } = Promise.withResolvers<void>()
    job.signal.addEventListener('abort', () => resolve(), { once: true })
    await Promise.race([gate(job), left])
  }
  job.signal.throwIfAborted()
  const language = request.languages.find(tag => !(request.candidates && tag.startsWith('ga'))) ?? 'en'
  const unheard = request.candidates ? request.languages.filter(tag => tag.startsWith('ga')) : []
  const reported = { ...(unheard.length > 0 ? { unheard } : {}), ...(request.logprobs ? { logprobs } : {}) }
  const report = { text, language, seconds, segments, ...reported, ...translated(text, request.targets) }
  const usage = [{ unit: 'seconds', units: seconds }]
  // The cast is safe: the report is plain JSON.
  yield { type: 'outcome', outcome: { state: 'done', files: [], report: report as unknown as JsonObject, usage } }
}

function segmentsOf(words: number, { words: isTimed, speakers, channels }: TranscribeRequest): TranscriptSegment[] {
  const names = [...(speakers?.names ?? []), 'A', 'B']
  const ofChannel = (channel?: number) =>
    Array.from({ length: Math.ceil(words / wordsOfSegment) }, (_, index): TranscriptSegment => {
      const [from, to] = [index * wordsOfSegment, Math.min(words, (index + 1) * wordsOfSegment)]
      const reported = Array.from({ length: to - from }, (_each, at) => ({
        text: numbers[(from + at) % numbers.length] ?? '',
        startSeconds: (from + at) * wordSeconds,
        endSeconds: (from + at + 1) * wordSeconds,
      }))
      return {
        text: reported.map(word => word.text).join(' '),
        startSeconds: from * wordSeconds,
        endSeconds: to * wordSeconds,
        confidence: 0.9,
        ...(isTimed ? { words: reported } : {}),
        ...(speakers ? { speaker: names[index % names.length] ?? '' } : {}),
        ...(channel === undefined ? {} : { channel }),
      }
    })
  return channels ? channels.flatMap(ofChannel) : ofChannel()
}

function translated(text: string, targets: readonly string[] | undefined): object {
  return targets ? { translations: Object.fromEntries(targets.map(target => [target, text === '' ? '' : `${target}: ${text}`])) } : {}
}

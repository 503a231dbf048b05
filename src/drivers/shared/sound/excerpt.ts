import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { decodeSound } from '@generation-gateway/kit/audio/decode.ts'
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { defined } from '@generation-gateway/kit/defined.ts'
import type { InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'

const sampleRate = 16_000
/** Media types that most services accept, so recordings of these types need no conversion. */
const common: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/webm', 'audio/ogg', 'audio/flac'])

type ExcerptJob = Pick<Job<TranscribeRequest>, 'request' | 'inputs' | 'scratch' | 'signal'>

/** Returns the recording in a form that the service accepts. A recording that is longer than
 *  requested is cut, and one whose media type is not in `takes` is converted; in both cases the
 *  result is mono WAV at 16 kHz. Throws the errors of `decodeSound`. */
export async function excerptOf({ request, inputs, scratch, signal }: ExcerptJob, takes: ReadonlySet<string> = common): Promise<InputFile> {
  const { firstSeconds } = request
  const audio = inputs.find(({ role }) => role === 'audio')
  if (!audio) throw new TypeError('a transcription has a recording')
  const isShort = firstSeconds === undefined || (audio.durationSeconds ?? 0) <= firstSeconds
  if (isShort && takes.has(audio.mediaType)) return audio
  const decoding = { scratch, signal, ...defined({ firstSeconds }) }
  const { seconds, channels } = await decodeSound(audio.path, { ...decoding, sampleRate, channels: 'mixed', name: 'sent' })
  const [samples] = channels
  if (!samples) throw new TypeError('a decoded sound has a channel')
  const path = join(scratch, 'sent.wav')
  const dataBytes = Math.round(seconds * sampleRate) * 2
  await pipeline(fileOf(samples.path, dataBytes), createWriteStream(path, { mode: 0o600 }))
  await rm(samples.path, { force: true })
  return { ...audio, path, mediaType: 'audio/wav', bytes: dataBytes + 44, durationSeconds: seconds }
}

async function* fileOf(samples: string, dataBytes: number): AsyncGenerator<Buffer> {
  yield wavHeader({ sampleRate, channels: 1, dataBytes })
  yield* createReadStream(samples)
}

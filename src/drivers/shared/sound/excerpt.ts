import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { decodeSound } from '@generation-gateway/kit/audio/decode.ts'
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import type { InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'

const sampleRate = 16_000
/** Media types that services accept unchanged. */
const common: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/webm', 'audio/ogg', 'audio/flac'])

interface ExcerptRequest {
  job: Pick<Job<TranscribeRequest>, 'request' | 'scratch' | 'signal'>
  /** Media types that the service accepts. Default: the common ones. */
  takes?: ReadonlySet<string>
}

/** The recording in a form that the service accepts: cut to the requested length, and converted to
 *  WAV at 16 kHz when its type is rare. Throws the errors of `decodeSound`. */
export async function excerptOf(
  audio: InputFile,
  { request, scratch, signal }: ExcerptRequest['job'],
  takes: ExcerptRequest['takes'] = common,
): Promise<InputFile> {
  const { firstSeconds } = request
  const isShort = firstSeconds === undefined || (audio.durationSeconds ?? 0) <= firstSeconds
  if (isShort && takes.has(audio.mediaType)) return audio
  return wavOf(audio, { scratch, signal, ...(firstSeconds === undefined ? {} : { firstSeconds }) })
}

/** The recording as mono WAV at 16 kHz. */
export async function wavOf(
  audio: InputFile,
  options: { scratch: string; signal: AbortSignal; firstSeconds?: number },
): Promise<InputFile> {
  const { seconds, channels } = await decodeSound(audio.path, { ...options, sampleRate, channels: 'mixed', name: 'sent' })
  const [samples] = channels
  if (!samples) throw new TypeError('a decoded sound has a channel')
  const path = join(options.scratch, 'sent.wav')
  const dataBytes = Math.round(seconds * sampleRate) * 2
  await pipeline(fileOf(samples.path, dataBytes), createWriteStream(path, { mode: 0o600 }))
  await rm(samples.path, { force: true })
  return { ...audio, path, mediaType: 'audio/wav', bytes: dataBytes + 44, durationSeconds: seconds }
}

async function* fileOf(samples: string, dataBytes: number): AsyncGenerator<Buffer> {
  yield wavHeader({ sampleRate, channels: 1, dataBytes })
  yield* createReadStream(samples)
}

import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeSound } from '@generation-gateway/kit/audio/decode.ts'
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import type { InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'

const sampleRate = 16_000
/** Types that services take as they are. */
const common: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/webm', 'audio/ogg', 'audio/flac'])

interface Wanted {
  job: Pick<Job<TranscribeRequest>, 'request' | 'scratch' | 'signal'>
  /** Types that the service takes; the common ones when absent. */
  takes?: ReadonlySet<string>
}

/** The recording as a service takes it: only as much of it as is wanted, and as WAV of 16 kHz where it is of a rare type. Throws what `decodeSound` throws. */
export async function beginningOf(
  audio: InputFile,
  { request, scratch, signal }: Wanted['job'],
  takes: Wanted['takes'] = common,
): Promise<InputFile> {
  const { firstSeconds } = request
  const isShort = firstSeconds === undefined || (audio.durationSeconds ?? 0) <= firstSeconds
  if (isShort && takes.has(audio.mediaType)) return audio
  return wavOf(audio, { scratch, signal, ...(firstSeconds === undefined ? {} : { firstSeconds }) })
}

/** A recording as WAV of 16 kHz, mono. */
export async function wavOf(
  audio: InputFile,
  options: { scratch: string; signal: AbortSignal; firstSeconds?: number },
): Promise<InputFile> {
  const { seconds, channels } = await decodeSound(audio.path, { ...options, sampleRate, channels: 'mixed', name: 'sent' })
  const [samples] = channels
  if (!samples) throw new TypeError('a decoded sound has a channel')
  const path = join(options.scratch, 'sent.wav')
  const dataBytes = Math.round(seconds * sampleRate) * 2
  await withHeader(samples.path, wavHeader({ sampleRate, channels: 1, dataBytes }))
  await rename(samples.path, path)
  return { ...audio, path, mediaType: 'audio/wav', bytes: dataBytes + 44, durationSeconds: seconds }
}

const blockBytes = 1 << 20

/** Puts bytes before those of a file, block by block from its end. */
async function withHeader(path: string, header: Buffer): Promise<void> {
  await using file = await open(path, 'r+')
  const { size } = await file.stat()
  const block = Buffer.alloc(blockBytes)
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - blockBytes)
    const { bytesRead } = await file.read(block, 0, end - from, from)
    await file.write(block, 0, bytesRead, from + header.length)
    end = from
  }
  await file.write(header, 0, header.length, 0)
}

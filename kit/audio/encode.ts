/** Encodes samples into sound files while they arrive. */
import { mostStandstillMs } from '../process/standstill.ts'
import type { SoundFormat } from '../requests/speech.ts'
import { startFfmpeg } from './ffmpeg.ts'
import { alawBytes, ulawBytes } from './g711.ts'
import { pcmBytes, wavHeader } from './pcm.ts'

interface EncodeOptions {
  /** Sample rate of the samples, Hz. */
  sampleRate: number
  format: SoundFormat
  /** Number of channels; with 2, the samples of left and right alternate. 1 when absent. */
  channels?: 1 | 2
  /** For MP3 only: encodes faster, because LAME does not search for the least audible distribution
   *  of quantization noise. At high bit rates the result sounds the same. */
  isQuick?: boolean
  signal: AbortSignal
}

const mediaTypes: Record<SoundFormat['container'], string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  ulaw: 'audio/basic',
  alaw: 'audio/x-alaw-basic',
}

/** Returns the content type of a file in this format (docs/vendors/openai-audio.md#speech,
 *  docs/vendors/elevenlabs.md#formats). */
export function mediaTypeOf({ container }: Pick<SoundFormat, 'container'>): string {
  return mediaTypes[container]
}

type Raw = 'pcm' | 'ulaw' | 'alaw'
const rawBytes: Record<Raw, (samples: Float32Array) => Buffer> = { pcm: pcmBytes, ulaw: ulawBytes, alaw: alawBytes }

/** Yields the bytes of a file with these samples (-1 to 1); the first bytes follow soon after the
 *  first samples. A slow reader holds back the samples (back-pressure). A WAV of unknown length
 *  declares the greatest possible length. Without samples there are no bytes. Throws what the
 *  samples throw, the signal's reason, `FfmpegError`, and what `startFfmpeg` throws. */
export async function* encodeSound(
  samples: AsyncIterable<Float32Array>,
  { sampleRate, format, channels = 1, isQuick = false, signal }: EncodeOptions,
): AsyncGenerator<Uint8Array> {
  const { container, sampleRate: wanted = sampleRate } = format
  const isRaw = container === 'wav' || container in rawBytes
  if (!isRaw || wanted !== sampleRate) {
    yield* byFfmpeg(samples, { sampleRate, format, channels, isQuick, signal })
    return
  }
  const bytesOf = rawBytes[container === 'wav' ? 'pcm' : (container as Raw)]
  // The header is sent with the first samples, because without samples there is no file.
  let hasHeader = container !== 'wav'
  for await (const part of samples) {
    signal.throwIfAborted()
    if (part.length === 0) continue
    if (!hasHeader) yield wavHeader({ sampleRate, channels })
    hasHeader = true
    yield bytesOf(part)
  }
}

async function* byFfmpeg(
  samples: AsyncIterable<Float32Array>,
  { sampleRate, format, channels = 1, isQuick = false, signal }: EncodeOptions,
): AsyncGenerator<Uint8Array> {
  const args = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', String(channels), '-i', 'pipe:0', '-map_metadata', '-1', '-bitexact']
  const child = await startFfmpeg([...args, ...outputOf(format, sampleRate), ...(isQuick ? ['-compression_level', '7'] : []), 'pipe:1'], {
    signal,
    timeMs: mostStandstillMs,
    cpuSeconds: 7_200,
  })
  let problem: { error: unknown } | undefined
  let hasSamples = false
  const fed = (async () => {
    for await (const part of samples) {
      if (part.length === 0) continue
      hasSamples = true
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
      if (!child.stdin.write(bytes)) await Promise.race([new Promise(resolve => child.stdin.once('drain', resolve)), child.ended])
    }
    child.stdin.end()
  })().catch(error => {
    problem = { error }
    child.kill()
  })
  try {
    // Bytes that ffmpeg writes before it gets any samples, such as the header of some formats.
    // These bytes are held back, so that a sound without samples yields no bytes at all.
    const held: Buffer[] = []
    for await (const bytes of child.stdout) {
      held.push(bytes as Buffer)
      if (hasSamples) yield* held.splice(0)
    }
    await fed
    if (problem) throw problem.error
    if (!hasSamples) return
    yield* held
    await child.ended
  } finally {
    child.kill()
  }
}

/** Default bit rates in bits per second, at which one voice sounds like the uncompressed
 *  original. */
const usualBitRates: Partial<Record<SoundFormat['container'], number>> = { mp3: 128_000, opus: 48_000, aac: 96_000, m4a: 96_000 }

function outputOf(format: SoundFormat, sampleRate: number): string[] {
  const { container, bitRate = usualBitRates[container] } = format
  const rate = format.sampleRate ?? (container === 'opus' ? 48_000 : sampleRate)
  const common = ['-ar', String(rate), ...(bitRate === undefined ? [] : ['-b:a', String(bitRate)]), '-flush_packets', '1']
  switch (container) {
    case 'mp3':
      return [...common, '-c:a', 'libmp3lame', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3']
    case 'opus':
      return [...common, '-c:a', 'libopus', '-page_duration', '200000', '-f', 'ogg']
    case 'aac':
      return [...common, '-c:a', 'aac', '-f', 'adts']
    case 'm4a':
      return [...common, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-frag_duration', '500000', '-f', 'ipod']
    case 'flac':
      return [...common, '-c:a', 'flac', '-sample_fmt', 's16', '-f', 'flac']
    case 'wav':
      return [...common, '-c:a', 'pcm_s16le', '-f', 'wav']
    case 'pcm':
      return [...common, '-c:a', 'pcm_s16le', '-f', 's16le']
    case 'ulaw':
      return [...common, '-c:a', 'pcm_mulaw', '-f', 'mulaw']
    case 'alaw':
      return [...common, '-c:a', 'pcm_alaw', '-f', 'alaw']
  }
}

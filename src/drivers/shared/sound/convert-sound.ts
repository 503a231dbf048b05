import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type DecodeOptions, decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { encodeSound } from '@generation-gateway/kit/audio/encode.ts'
import type { SoundFormat } from '@generation-gateway/kit/requests/speech.ts'
import type { SpeechJob } from './speech-parts.ts'

const sampleRate = 48_000
const atOnce = 1 << 16

interface Encoding extends Pick<DecodeOptions, 'scratch' | 'signal' | 'firstSeconds' | 'field'> {
  format: SoundFormat
  /** Path of the converted file, which is created or overwritten. */
  toFile: string
}

/** Converts a sound file to the format that the job requests; returns the path of the new file in
 *  the job's scratch folder. Throws the errors of `soundAs`. */
export async function convertSound(path: string, { request: { format }, scratch, signal }: SpeechJob): Promise<string> {
  const toFile = join(scratch, `speech.${format.container}`)
  await soundAs(path, { format, toFile, scratch, signal })
  return toFile
}

/** Writes a sound file in another format, mixed to one channel. Throws the errors of `decodeSound`
 *  and `encodeSound`. */
export async function soundAs(path: string, { format, toFile, ...decoding }: Encoding): Promise<void> {
  const { channels } = await decodeSound(path, { ...decoding, sampleRate, channels: 'mixed', name: 'converted' })
  const [samples] = channels
  if (!samples) throw new TypeError('a decoded sound has a channel')
  await using file = await open(toFile, 'w', 0o600)
  for await (const bytes of encodeSound(partsOf(samples.path), { sampleRate, format, signal: decoding.signal })) await file.writeFile(bytes)
}

async function* partsOf(path: string): AsyncGenerator<Float32Array> {
  for (let from = 0; ; from += atOnce) {
    const part = await readSamples(path, { from, count: atOnce })
    if (part.length > 0) yield part
    if (part.length < atOnce) return
  }
}

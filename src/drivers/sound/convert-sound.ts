import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { encodeSound } from '@generation-gateway/kit/audio/encode.ts'
import type { SpeechJob } from './spoken.ts'

const sampleRate = 48_000
const atOnce = 1 << 16

/** A sound file in the format that the job asks for, in its scratch folder. Throws what `decodeSound` and `encodeSound` throw. */
export async function convertSound(path: string, { request: { format }, scratch, signal }: SpeechJob): Promise<string> {
  const { channels } = await decodeSound(path, { scratch, sampleRate, channels: 'mixed', signal, name: 'converted' })
  const [samples] = channels
  if (!samples) throw new TypeError('a decoded sound has a channel')
  const target = join(scratch, `speech.${format.container}`)
  await using file = await open(target, 'w', 0o600)
  for await (const bytes of encodeSound(partsOf(samples.path), { sampleRate, format, signal })) await file.writeFile(bytes)
  return target
}

async function* partsOf(path: string): AsyncGenerator<Float32Array> {
  for (let from = 0; ; from += atOnce) {
    const part = await readSamples(path, { from, count: atOnce })
    if (part.length > 0) yield part
    if (part.length < atOnce) return
  }
}

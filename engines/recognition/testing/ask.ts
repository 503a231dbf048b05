/** Helpers for tests: they open the engine and make recordings. */
import { stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { pcmBytes, wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'

export const reading = fileURLToPath(new URL('./reading.ogg', import.meta.url))
export const readingText =
  'And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them. He was not an ill-disposed young man. Unless to be rather cold-hearted and rather selfish is to be ill-disposed. Had he married a more amiable woman, he might have been made still more respectable than he was. He might even have been made amiable himself.'

export function ask(changes: Partial<TranscribeRequest> = {}): TranscribeRequest {
  return { languages: ['en'], temperature: 0, words: false, logprobs: false, profanity: 'kept', ...changes }
}

export async function recording(path: string): Promise<InputFile> {
  return { role: 'audio', path, mediaType: 'audio/ogg', bytes: (await stat(path)).size }
}

export const sampleRate = 16_000

/** Writes a WAV file, mono, 16 kHz; returns its path. */
export async function writeSound(path: string, samples: Float32Array): Promise<string> {
  const bytes = pcmBytes(samples)
  await writeFile(path, Buffer.concat([wavHeader({ sampleRate, channels: 1, dataBytes: bytes.length }), bytes]))
  return path
}

/** Returns noise between -1 and 1, the same in each run. */
export function noise(samples: number): Float32Array {
  let state = 12_345
  return Float32Array.from({ length: samples }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  })
}

/** Returns the number of wrong, missing and additional words, and the number of spoken words. */
export function wordErrors(said: string, recognised: string): { errors: number; words: number } {
  const [a, b] = [said, recognised].map(text =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} ]+/gu, '')
      .split(/\s+/)
      .filter(Boolean),
  )
  if (!a || !b) return { errors: 0, words: 0 }
  let row = b.map((_, index) => index + 1)
  row.unshift(0)
  for (const [i, word] of a.entries()) {
    const next = [i + 1]
    for (const [j, other] of b.entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (word === other ? 0 : 1)))
    row = next
  }
  return { errors: row.at(-1) ?? 0, words: a.length }
}

/** Creates sounds that fake services send, and recordings that are sent to services. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeSound } from '@generation-gateway/kit/audio/encode.ts'
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import type { Done, InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { SoundFormat, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import type { TranscribeRequest } from '@generation-gateway/kit/requests/transcript.ts'

export const spoken: SpeechRequest = {
  text: 'Hello, wörld & "all" <of> you.',
  voice: 'alloy',
  speed: 1,
  volume: 0,
  format: { container: 'mp3' },
}
export const heard: TranscribeRequest = { languages: [], temperature: 0, words: false, logprobs: false, profanity: 'kept' }

/** Returns a tone that lasts `seconds`. */
export async function toneAs(format: SoundFormat, seconds = 1, sampleRate = 24_000): Promise<Buffer> {
  async function* tone() {
    yield Float32Array.from({ length: seconds * sampleRate }, (_, index) => 0.3 * Math.sin((2 * Math.PI * 440 * index) / sampleRate))
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of encodeSound(tone(), { sampleRate, format, signal: new AbortController().signal })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns a recording of silence. */
export async function recording(folder: string, { seconds = 3, role = 'audio', name = 'in.wav' } = {}): Promise<InputFile> {
  const path = join(folder, name)
  const bytes = Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, dataBytes: seconds * 32_000 }), Buffer.alloc(seconds * 32_000)])
  await writeFile(path, bytes)
  return { path, role, mediaType: 'audio/wav', bytes: bytes.length, durationSeconds: seconds }
}

/** Asserts that a run delivered exactly these bytes, both in its events and in its output file. */
export async function assertSpoken(done: Done, events: readonly unknown[], bytes: Buffer | undefined): Promise<void> {
  const [file] = done.files
  assert.ok(file)
  const kept = await readFile(file.path)
  if (bytes) assert.deepEqual(kept, bytes)
  if (events.length > 0) assert.deepEqual(Buffer.concat(events.map(event => (event as { bytes: Uint8Array }).bytes)), kept)
  const { seconds } = done.report
  assert.ok(typeof seconds === 'number' && Math.abs(seconds - 1) < 0.15, `${seconds} s`)
}

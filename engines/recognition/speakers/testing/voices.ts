/** Recorded and synthesised voices for tests, joined to conversations. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import type { Sound, Stretch } from '../speakers.ts'

const sampleRate = 16_000
const pauseSeconds = 0.3
const wordSeconds = 0.3

export function soundOf(samples: Float32Array): Sound {
  return { seconds: samples.length / sampleRate, read: (from, count) => Promise.resolve(samples.subarray(from, from + count)) }
}

/** Returns the samples of a sound clip in this folder. */
export async function clip(name: string): Promise<Float32Array> {
  const scratch = await mkdtemp(join(tmpdir(), 'voices-'))
  try {
    const { channels, seconds } = await decodeSound(join(import.meta.dirname, `${name}.ogg`), {
      ...{ scratch, sampleRate, channels: 'mixed', signal: new AbortController().signal },
    })
    return await readSamples(channels[0]?.path ?? '', { from: 0, count: Math.round(seconds * sampleRate) })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

export interface Conversation {
  sound: Sound
  voiced: Stretch[]
  /** Times of artificial words, each 0.3 s long. `truth` has the name of the speaker of each
   *  word. */
  words: Stretch[]
  truth: string[]
}

/** Returns a conversation in slight noise: for each turn, the part of the clip from `from` to `to`
 *  (seconds), multiplied by `gain`. */
export async function conversation(turns: readonly [clipName: string, from: number, to: number, gain?: number][]): Promise<Conversation> {
  const parts: Float32Array[] = []
  const made: Omit<Conversation, 'sound'> = { voiced: [], words: [], truth: [] }
  let at = 0
  for (const [name, from, to, gain = 1] of turns) {
    parts.push(new Float32Array(pauseSeconds * sampleRate))
    at += pauseSeconds
    const part = (await clip(name)).slice(from * sampleRate, to * sampleRate).map(sample => sample * gain)
    parts.push(part)
    const seconds = part.length / sampleRate
    made.voiced.push({ startSeconds: at, endSeconds: at + seconds })
    for (let word = 0; word + wordSeconds <= seconds; word += wordSeconds) {
      made.words.push({ startSeconds: at + word, endSeconds: at + word + 0.9 * wordSeconds })
      made.truth.push(name.replace(/-\d+$/, ''))
    }
    at += seconds
  }
  const samples = Float32Array.from(parts.flatMap(part => [...part]))
  let seed = 1
  for (let index = 0; index < samples.length; index++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    samples[index] = (samples[index] ?? 0) + (seed / 2 ** 31 - 0.5) * 0.002
  }
  return { sound: soundOf(samples), ...made }
}

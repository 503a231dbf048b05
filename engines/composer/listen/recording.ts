/** Analyses a recording that a request provides. */
import { open } from 'node:fs/promises'
import { MixDown } from '@generation-gateway/kit/audio/mix-down.ts'
import { samplesOf } from '@generation-gateway/kit/audio/pcm.ts'
import { type Stereo, sampleRate } from '../render/rate.ts'
import { resample } from '../sing/resample.ts'
import type { Key } from '../theory/key.ts'
import { brightnessOf } from './brightness.ts'
import { chromaOf, keyOf } from './key.ts'
import { type DetectedNote, notesOf, pitchOf } from './pitch.ts'
import { type Beat, tempoOf } from './tempo.ts'

/** Seconds of a recording, from its beginning, that `measureMusic` analyses; it ignores the
 *  rest. */
const mostSeconds = 90
const pitchRate = 11_025

export async function readRecording(paths: readonly string[]): Promise<Stereo> {
  const [left, right] = await Promise.all([readChannel(paths[0]), readChannel(paths[1] ?? paths[0])])
  return { left, right }
}

async function readChannel(path: string | undefined): Promise<Float32Array> {
  if (path === undefined) throw new TypeError('a recording without a channel')
  await using file = await open(path, 'r')
  return samplesOf(await file.readFile())
}

export function monoOf({ left, right }: Stereo): Float32Array {
  return new MixDown(sampleRate).mix(left, right)
}

/** Returns the tempo, the key and the brightness of any kind of music. */
export function measureMusic(sound: Float32Array): { beat: Beat | undefined; key: Key; brightness: number } {
  const heard = sound.subarray(0, mostSeconds * sampleRate)
  return { beat: tempoOf(heard, sampleRate), key: keyOf(chromaOf(heard, sampleRate)), brightness: brightnessOf(heard, sampleRate) }
}

/** Returns the notes of a recording with a single voice or instrument, and their key. */
export function measureTune(sound: Float32Array): { notes: DetectedNote[]; key: Key } {
  const notes = notesOf(pitchOf(resample(sound, sampleRate, pitchRate), pitchRate))
  const weights = new Array<number>(12).fill(0)
  for (const { start, end, pitch } of notes) weights[pitch % 12] = (weights[pitch % 12] ?? 0) + (end - start)
  // A tune usually ends on the tonic of its key, so its last note counts more.
  const last = notes.at(-1)
  if (last) weights[last.pitch % 12] = (weights[last.pitch % 12] ?? 0) + 0.4
  return { notes, key: keyOf(weights) }
}

import { readFile } from 'node:fs/promises'
import { sessionOptions } from '@generation-gateway/kit/onnx/session.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { encoderGraph } from './encoder-graph.ts'
import { encoderWeights, hiddenSize } from './encoder-weights.ts'
import { bands, hop, melFrames } from './mel.ts'
import type { Sound, Stretch } from './speakers.ts'

/** The sound of a voice as a unit vector; the dot product of two of these is their similarity, at
 *  most 1. */
export type Voice = Float32Array

export interface VoiceEncoder {
  /** Returns a voice vector for each stretch, in order. The network was trained on stretches of 1.6
   *  s; for less than half a second the result is unreliable. */
  voices(sound: Sound, stretches: readonly Stretch[]): Promise<Voice[]>
  close(): Promise<void>
}

const sampleRate = 16_000
const batchSize = 16
/** Mean power of the sound with which the network was trained: -30 dB of full scale. */
const trainedPower = 10 ** (-30 / 10)

/** Opens the encoder. `weights` is the path of the pack's file. `giveWay` is awaited after each
 *  batch of stretches, so that other jobs can run. */
export async function openVoiceEncoder(weights: string, threads: number, giveWay: () => Promise<void>): Promise<VoiceEncoder> {
  const graph = encoderGraph(encoderWeights(await readFile(weights)))
  const session = await InferenceSession.create(graph, sessionOptions(threads))
  return {
    async voices(sound, stretches) {
      const voices: Voice[] = []
      for (const batch of batchesOf(stretches)) {
        const frames = framesOf(batch[0])
        const rows = await Promise.all(batch.map(stretch => levelled(sound, stretch, frames)))
        const mels = batched(rows, frames)
        const { voices: found } = await session.run({ mels: new Tensor('float32', mels, [frames, batch.length, bands]) })
        if (!(found?.data instanceof Float32Array)) throw new TypeError('The voice encoder gave no numbers.')
        for (let index = 0; index < batch.length; index++) voices.push(unit(found.data.slice(index * hiddenSize, (index + 1) * hiddenSize)))
        await giveWay()
      }
      return voices
    },
    close: () => session.release(),
  }
}

/** Returns the vector scaled to length 1. */
export function unit(vector: Float32Array): Voice {
  const length = Math.sqrt(likeness(vector, vector)) || 1
  return vector.map(value => value / length)
}

/** Returns the similarity (dot product) of two unit vectors: -1 to 1; for voices 0 to 1. */
export function likeness(one: Voice, other: Voice): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

/** Returns the mean of voices, scaled to length 1; the zero vector for an empty list. */
export function middle(voices: readonly Voice[]): Voice {
  const sum = new Float32Array(hiddenSize)
  for (const voice of voices) for (let index = 0; index < hiddenSize; index++) sum[index] = (sum[index] ?? 0) + (voice[index] ?? 0)
  return unit(sum)
}

function framesOf(stretch: Stretch | undefined): number {
  return Math.max(1, Math.round((((stretch?.endSeconds ?? 0) - (stretch?.startSeconds ?? 0)) * sampleRate) / hop))
}

/** Groups consecutive stretches with the same number of frames into batches. */
function batchesOf(stretches: readonly Stretch[]): Stretch[][] {
  const batches: Stretch[][] = []
  for (const stretch of stretches) {
    const last = batches.at(-1)
    if (last && last.length < batchSize && framesOf(last[0]) === framesOf(stretch)) last.push(stretch)
    else batches.push([stretch])
  }
  return batches
}

/** Returns the mel spectrum of a stretch, scaled to the mean power of the training sound. How loud
 *  a recording is says nothing about the voice, so it must not change the result. */
async function levelled(sound: Sound, { startSeconds }: Stretch, frames: number): Promise<Float32Array> {
  const samples = await sound.read(Math.round((startSeconds * sampleRate) / hop) * hop, frames * hop)
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / (samples.length || 1)
  return melFrames(samples, frames).map(value => (power > 0 ? (value * trainedPower) / power : 0))
}

/** Returns the rows as one tensor of [frames, batch, bands]. */
function batched(rows: readonly Float32Array[], frames: number): Float32Array {
  const all = new Float32Array(frames * rows.length * bands)
  for (const [index, row] of rows.entries())
    for (let frame = 0; frame < frames; frame++)
      all.set(row.subarray(frame * bands, (frame + 1) * bands), (frame * rows.length + index) * bands)
  return all
}

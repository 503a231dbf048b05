/** Computes the probability of speech over a recording, with the Silero network. Runs in the
 *  engine's child process. */
import { readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { frameSamples, sampleRate } from './frames.ts'

/** Samples before a frame that the network receives together with the frame. */
const contextSamples = 64
/** Numbers of frames processed between two calls of `giveWay`. 512 frames are 16 seconds of sound
 *  and about 100 ms of work for the network. The level of a frame takes a tenth of that time, so
 *  levels are computed for more frames at once. */
const framesAtOnce = 512
const levelsAtOnce = 2048
/** Peak level (0 to 1) to which a quiet recording is amplified, and the largest factor for this. */
const wantedPeak = 0.5
const mostGain = 20

export interface VoiceFacts {
  /** Probability of speech, 0 to 1, one for each frame of 512 samples at 16 kHz. */
  probabilities: Float32Array
  /** Loudness of each frame: the root mean square of its samples, 0 to 1. */
  levels: Float32Array
}

/** The opened models, by path. */
const opened = new Map<string, Promise<InferenceSession>>()

/** Returns the probability of speech and the level of each frame, for a file of raw signed 16-bit
 *  mono samples at 16 kHz. */
export async function listen(
  { path, model }: { path: string; model: string },
  { progress, giveWay }: Pick<EngineCall, 'progress' | 'giveWay'>,
): Promise<VoiceFacts> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const
  const session = await loadOnce(opened, model, () => InferenceSession.create(model, options))
  const { levels, peak, samples: total } = await levelsOf(path, giveWay)
  const gain = peak > 0 ? Math.min(mostGain, Math.max(1, wantedPeak / peak)) : 1
  const probabilities = new Float32Array(levels.length)
  let state = new Tensor('float32', new Float32Array(2 * 128), [2, 1, 128])
  const rate = new Tensor('int64', BigInt64Array.of(BigInt(sampleRate)), [])
  const input = new Float32Array(contextSamples + frameSamples)
  let frame = 0
  for (let from = 0; from < total; from += framesAtOnce * frameSamples) {
    const samples = await readSamples(path, { from, count: framesAtOnce * frameSamples })
    for (let at = 0; at < samples.length; at += frameSamples) {
      input.copyWithin(0, frameSamples)
      input.fill(0, contextSamples)
      for (let index = 0; index < Math.min(frameSamples, samples.length - at); index++)
        input[contextSamples + index] = (samples[at + index] ?? 0) * gain
      const shown = new Tensor('float32', input, [1, input.length])
      const { output, stateN } = await session.run({ input: shown, state, sr: rate })
      // The pack's sha256 fixes the model file, so the type of its outputs is known.
      probabilities[frame++] = Number((output as Tensor).data[0])
      state = stateN as typeof state
    }
    progress(Math.min(1, (from + samples.length) / total))
    await giveWay()
  }
  return { probabilities, levels }
}

async function levelsOf(path: string, giveWay: EngineCall['giveWay']): Promise<{ levels: Float32Array; peak: number; samples: number }> {
  const levels: number[] = []
  let peak = 0
  let total = 0
  for (;;) {
    const samples = await readSamples(path, { from: total, count: levelsAtOnce * frameSamples })
    if (samples.length === 0) return { levels: Float32Array.from(levels), peak, samples: total }
    total += samples.length
    for (let at = 0; at < samples.length; at += frameSamples) {
      let sum = 0
      const end = Math.min(at + frameSamples, samples.length)
      for (let index = at; index < end; index++) {
        const sample = samples[index] ?? 0
        sum += sample * sample
        peak = Math.max(peak, Math.abs(sample))
      }
      levels.push(Math.sqrt(sum / frameSamples))
    }
    await giveWay()
  }
}

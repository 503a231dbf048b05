/** Hibari's voice "heart": a small neural network followed by signal processing. */

import { hibariFrames, hibariSound, leastPitch } from '@generation-gateway/kit/voice/hibari-sound.ts'
import { tokensOf } from '@generation-gateway/kit/voice/phoneme-tokens.ts'
import { Tensor } from 'onnxruntime-node'
import { openSession } from './session.ts'
import type { SpeakingModel } from './speaking-model.ts'

export async function openHibari(file: string, threads: number): Promise<SpeakingModel> {
  const session = await openSession(file, threads)
  return {
    async speak({ phonemes, pace, seed, liveliness }) {
      const tokens = tokensOf(phonemes)
      const out = await session.run({
        ids: new Tensor('int64', tokens, [1, tokens.length]),
        speed: new Tensor('float32', [pace], [1]),
      })
      const frames = hibariFrames(out)
      return hibariSound({ ...frames, f0: withLiveliness(frames.f0, liveliness) }, seed)
    },
    close: () => session.release(),
  }
}

/** Returns the pitch curve with larger or smaller deviations from its middle; a liveliness of 0.5
 *  changes nothing. */
function withLiveliness(f0: Float32Array, liveliness: number): Float32Array {
  const voiced = f0.filter(pitch => pitch > leastPitch).sort()
  const middle = voiced[voiced.length >> 1]
  if (middle === undefined || liveliness === 0.5) return f0
  return f0.map(pitch => (pitch > leastPitch ? middle * (pitch / middle) ** (0.4 + 1.2 * liveliness) : pitch))
}

/** Hibari's voice "heart": a small network and a signal part. */
import { Tensor } from 'onnxruntime-node'
import { hibariSound } from './hibari-sound.ts'
import { floatsOf, openSession } from './session.ts'
import type { SpeakingModel } from './speaking-model.ts'
import { tokensOf } from './tokens.ts'

export async function openHibari(file: string, threads: number): Promise<SpeakingModel> {
  const session = await openSession(file, threads)
  return {
    async speak({ phonemes, pace, seed }) {
      const tokens = tokensOf(phonemes)
      const out = await session.run({
        ids: new Tensor('int64', tokens, [1, tokens.length]),
        speed: new Tensor('float32', [pace], [1]),
      })
      const f0 = floatsOf(out, 'f0')
      const [lh, theta, ln, lr, phi] = ['lh', 'theta', 'ln', 'lr', 'phi'].map(name => floatsOf(out, name))
      if (!lh || !theta || !ln || !lr || !phi) throw new TypeError('a network without a spectrum')
      return hibariSound({ frames: f0.length, lh, theta, ln, lr, phi, f0 }, seed)
    },
    close: () => session.release(),
  }
}

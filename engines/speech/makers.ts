/** Properties of the speech models (called makers) that are known before a model is opened. */
import { lapMs } from './sound/join.ts'
import type { Maker } from './voices.ts'

interface MakerFacts {
  /** Sample rate of the model's sound, in Hz. */
  rate: number
  /** Range of paces at which the model itself speaks well. For a speed outside this range, the
   *  finished sound is stretched or compressed. */
  paces: readonly [slowest: number, fastest: number]
  /** Limit for the phonemes in the first chunk of a text: the slower the model, the lower, so
   *  that the first sound comes early. */
  firstChars: number
  /** Limit for the phonemes in any chunk (see `SpokenText.mostChars`), which saves memory:
   *  longer chunks are not faster. Kokoro needs up to 1.1 GB for 120 phonemes and 1.5 GB for
   *  180. */
  mostChars?: number
  /** True when the model can speak a part of an utterance with the intonation that the part has in
   *  the whole utterance. */
  isInParts?: true
}

export const makers: Readonly<Record<Maker, MakerFacts>> = {
  Hibari: { rate: 24_000, paces: [0.6, 1.7], firstChars: 100 },
  Kokoro: { rate: 24_000, paces: [0.6, 1.7], firstChars: 36, mostChars: 150, isInParts: true },
  Piper: { rate: 22_050, paces: [0.5, 1.8], firstChars: 60 },
  Flite: { rate: 16_000, paces: [0.4, 2.5], firstChars: 60 },
  ESpeak: { rate: 22_050, paces: [0.5, 2.5], firstChars: 60 },
}

/** Returns the pace at which the model itself speaks when a request asks for `speed`. Stretching
 *  the finished sound makes up the difference. */
export function paceOf(maker: Maker, speed: number): number {
  const [slowest, fastest] = makers[maker].paces
  return Math.min(fastest, Math.max(slowest, speed))
}

/** Returns the length in samples of the crossfade between two parts of an utterance. The parts are
 *  crossfaded after the sound was stretched to `speed`, which also stretches the overlap. */
export function lapOf(maker: Maker, speed: number): number {
  return Math.round(((lapMs * rateOf(maker)) / 1000) * (paceOf(maker, speed) / speed))
}

export function rateOf(maker: Maker): number {
  return makers[maker].rate
}

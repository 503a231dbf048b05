/** Facts about the models that are known without opening them. */
import { lapMs } from './sound/join.ts'
import type { Maker } from './voices.ts'

interface MakerFacts {
  /** Sample rate of the maker's sound, Hz. */
  rate: number
  /** Paces that the model speaks well; for other paces its sound is stretched. */
  paces: readonly [slowest: number, fastest: number]
  /** Phonemes of the first chunk of a text: fewer for slower models. */
  firstChars: number
  /** Most phonemes of any chunk: memory grows with its length (Kokoro peaks at 1.1 GB for 120
   *  phonemes, 1.5 GB for 180), speed does not. */
  mostChars?: number
  /** True when the model can speak part of an utterance with the intonation of the whole. */
  isInParts?: true
}

export const makers: Readonly<Record<Maker, MakerFacts>> = {
  Hibari: { rate: 24_000, paces: [0.6, 1.7], firstChars: 100 },
  Kokoro: { rate: 24_000, paces: [0.6, 1.7], firstChars: 36, mostChars: 150, isInParts: true },
  Piper: { rate: 22_050, paces: [0.5, 1.8], firstChars: 60 },
  Flite: { rate: 16_000, paces: [0.4, 2.5], firstChars: 60 },
  ESpeak: { rate: 22_050, paces: [0.5, 2.5], firstChars: 60 },
}

/** Returns the pace at which a maker speaks for a given speed; stretching does the rest. */
export function paceOf(maker: Maker, speed: number): number {
  const [slowest, fastest] = makers[maker].paces
  return Math.min(fastest, Math.max(slowest, speed))
}

/** Returns the number of samples over which one part of an utterance is crossfaded into the next,
 *  at a speed. */
export function lapOf(maker: Maker, speed: number): number {
  return Math.round(((lapMs * rateOf(maker)) / 1000) * (paceOf(maker, speed) / speed))
}

export function rateOf(maker: Maker): number {
  return makers[maker].rate
}

/** Facts about the speech models (makers) that are known without opening them. */
import { lapMs } from './sound/join.ts'
import type { Maker } from './voices.ts'

interface MakerFacts {
  /** Sample rate of the model's sound, in Hz. */
  rate: number
  /** Range of paces at which the model speaks well; beyond it, the finished sound is stretched. */
  paces: readonly [slowest: number, fastest: number]
  /** Number of phonemes in the first chunk of a text: fewer for slower models. */
  firstChars: number
  /** Most phonemes in any chunk. Memory grows with the length of a chunk (Kokoro peaks at 1.1 GB
   *  for 120 phonemes, 1.5 GB for 180); longer chunks are not faster. */
  mostChars?: number
  /** True when the model can speak a part of an utterance with the intonation of the whole
   *  utterance. */
  isInParts?: true
}

export const makers: Readonly<Record<Maker, MakerFacts>> = {
  Hibari: { rate: 24_000, paces: [0.6, 1.7], firstChars: 100 },
  Kokoro: { rate: 24_000, paces: [0.6, 1.7], firstChars: 36, mostChars: 150, isInParts: true },
  Piper: { rate: 22_050, paces: [0.5, 1.8], firstChars: 60 },
  Flite: { rate: 16_000, paces: [0.4, 2.5], firstChars: 60 },
  ESpeak: { rate: 22_050, paces: [0.5, 2.5], firstChars: 60 },
}

/** Returns the pace at which the model itself speaks for a requested speed; stretching the sound
 *  does the rest. */
export function paceOf(maker: Maker, speed: number): number {
  const [slowest, fastest] = makers[maker].paces
  return Math.min(fastest, Math.max(slowest, speed))
}

/** Returns the number of samples over which two parts of an utterance are crossfaded, at a
 *  speed. */
export function lapOf(maker: Maker, speed: number): number {
  return Math.round(((lapMs * rateOf(maker)) / 1000) * (paceOf(maker, speed) / speed))
}

export function rateOf(maker: Maker): number {
  return makers[maker].rate
}

/** What is known of the models without opening them. */
import { lapMs } from './sound/join.ts'
import type { Maker } from './voices.ts'

interface MakerFacts {
  /** Hertz of its sound. */
  rate: number
  /** Paces that the model itself does well; beyond them its sound is stretched. */
  paces: readonly [slowest: number, fastest: number]
  /** Phonemes of the first chunk of a text: the slower the model, the fewer. */
  firstChars: number
  /** Of every chunk: memory grows with its length (Kokoro: 120 phonemes 1.1 GB at the peak, 180 1.5 GB), speed does not. */
  mostChars?: number
  /** It speaks a part of an utterance as the whole wants it. */
  isInParts?: true
}

export const makers: Readonly<Record<Maker, MakerFacts>> = {
  Hibari: { rate: 24_000, paces: [0.6, 1.7], firstChars: 100 },
  Kokoro: { rate: 24_000, paces: [0.6, 1.7], firstChars: 36, mostChars: 150, isInParts: true },
  Piper: { rate: 22_050, paces: [0.5, 1.8], firstChars: 60 },
  Flite: { rate: 16_000, paces: [0.4, 2.5], firstChars: 60 },
  ESpeak: { rate: 22_050, paces: [0.5, 2.5], firstChars: 60 },
}

/** The pace at which a maker speaks for a speed; the rest is stretched. */
export function paceOf(maker: Maker, speed: number): number {
  const [slowest, fastest] = makers[maker].paces
  return Math.min(fastest, Math.max(slowest, speed))
}

/** Samples of the maker's sound over which one part of an utterance passes into the next, at a speed. */
export function lapOf(maker: Maker, speed: number): number {
  return Math.round(((lapMs * rateOf(maker)) / 1000) * (paceOf(maker, speed) / speed))
}

export function rateOf(maker: Maker): number {
  return makers[maker].rate
}

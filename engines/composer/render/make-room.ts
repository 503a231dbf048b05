/** Room for the words: what the band and the singer's own room give up while somebody sings. */
import { type Stereo, sampleRate } from './rate.ts'

/** How much somebody sings at each sample, 0 to 1: up within a syllable, down slowly when the voice rests. */
export function createPresence(): (voice: Float32Array) => Float32Array {
  let level = 0
  return voice =>
    voice.map(value => {
      const is = Math.min(1, Math.abs(value) * 22)
      level += (is > level ? 0.002 : 0.00006) * (is - level)
      return Math.min(1, level * 1.6)
    })
}

/** Where the vowels are told from one another and most consonants are heard: about 0.8 to 4.5 kHz. */
const middle = 1900
const width = 0.45

/** Takes out of a sound, where somebody sings, a part of the band of the words: `depth` 0 to 1 in the middle of it. */
export function createCarving(depth: number): (sound: Stereo, presence: Float32Array) => void {
  const left = bandPass(middle, width)
  const right = bandPass(middle, width)
  return (sound, presence) => {
    for (let index = 0; index < presence.length; index++) {
      const part = depth * presence[index]!
      sound.left[index]! -= part * left(sound.left[index]!)
      sound.right[index]! -= part * right(sound.right[index]!)
    }
  }
}

/** 1 in its middle, with no turn of the phase there. */
function bandPass(hertz: number, q: number): (value: number) => number {
  const w = (2 * Math.PI * hertz) / sampleRate
  const alpha = Math.sin(w) / (2 * q)
  const scale = 1 / (1 + alpha)
  const b = alpha * scale
  const a1 = -2 * Math.cos(w) * scale
  const a2 = (1 - alpha) * scale
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  return value => {
    const out = b * (value - x2) - a1 * y1 - a2 * y2
    x2 = x1
    x1 = value
    y2 = y1
    y1 = out
    return out
  }
}

/** So long after the voice its room answers: the consonant is over by then. */
const waitSeconds = 0.045

/** The voice as its room hears it: later, and softer the more is sung just then, so that the room is heard between the words. */
export function createSend(): (voice: Float32Array, presence: Float32Array) => Float32Array {
  const kept = new Float32Array(Math.round(waitSeconds * sampleRate))
  let at = 0
  return (voice, presence) =>
    voice.map((value, index) => {
      const late = kept[at]!
      kept[at] = value
      at = at + 1 === kept.length ? 0 : at + 1
      return late * (1 - 0.6 * presence[index]!)
    })
}

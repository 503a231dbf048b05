/** Ducking: while the voice sings, the instruments and the reverberation of the voice get
 *  softer. */
import { type Stereo, sampleRate } from './rate.ts'

/** Returns a function that measures for each sample how much the voice sings, 0 to 1. The value
 *  rises within a syllable and falls slowly when the voice pauses. */
export function createPresence(): (voice: Float32Array) => Float32Array {
  let level = 0
  return voice => {
    const presence = new Float32Array(voice.length)
    for (let index = 0; index < voice.length; index++) {
      const is = Math.min(1, Math.abs(voice[index]!) * 22)
      level += (is > level ? 0.002 : 0.00006) * (is - level)
      presence[index] = Math.min(1, level * 1.6)
    }
    return presence
  }
}

/** Centre, in Hz, of the frequency band that is lowered while the voice sings. In this band (about
 *  0.8 to 4.5 kHz) are the sounds that make words understandable. */
const middle = 1900
const width = 0.45

/** Returns a filter for the instruments. While the voice sings, it lowers the frequency band that
 *  makes words understandable, at the centre of the band by the share `depth` (0 to 1). */
export function createCarving(depth: number): (sound: Stereo, presence: Float32Array) => void {
  const left = bandCut(middle, width)
  const right = bandCut(middle, width)
  return (sound, presence) => {
    left(sound.left, presence, depth)
    right(sound.right, presence, depth)
  }
}

/** Returns a filter that subtracts a part of a frequency band from a sound. At its centre, the
 *  band-pass filter has a gain of 1 and no phase shift, so the subtraction is exact there. */
function bandCut(hertz: number, q: number): (sound: Float32Array, presence: Float32Array, depth: number) => void {
  const w = (2 * Math.PI * hertz) / sampleRate
  const alpha = Math.sin(w) / (2 * q)
  const scale = 1 / (1 + alpha)
  const b = alpha * scale
  const a1 = -2 * Math.cos(w) * scale
  const a2 = (1 - alpha) * scale
  const kept = new Float64Array(4)
  return (sound, presence, depth) => {
    let x1 = kept[0]!
    let x2 = kept[1]!
    let y1 = kept[2]!
    let y2 = kept[3]!
    for (let index = 0; index < presence.length; index++) {
      const value = sound[index]!
      const out = b * (value - x2) - a1 * y1 - a2 * y2
      x2 = x1
      x1 = value
      y2 = y1
      y1 = out
      sound[index] = value - depth * presence[index]! * out
    }
    kept.set([x1, x2, y1, y2])
  }
}

/** Delay of the voice's reverberation, in seconds. When the reverberation begins, the consonant of
 *  a syllable is over, so it does not blur the consonant. */
const waitSeconds = 0.045

/** Returns a function that computes the part of the voice that is sent to the reverb. This part is
 *  delayed, and softer while the voice sings, so that the reverberation is heard mainly between the
 *  words. */
export function createSend(): (voice: Float32Array, presence: Float32Array) => Float32Array {
  const kept = new Float32Array(Math.round(waitSeconds * sampleRate))
  let at = 0
  return (voice, presence) => {
    const out = new Float32Array(voice.length)
    for (let index = 0; index < voice.length; index++) {
      const late = kept[at]!
      kept[at] = voice[index]!
      at = at + 1 === kept.length ? 0 : at + 1
      out[index] = late * (1 - 0.6 * presence[index]!)
    }
    return out
  }
}

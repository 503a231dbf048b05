/** Removes silence at both ends of an utterance. */

const frameMs = 5
/** Silence threshold: -48 dB relative to the loudest 5 ms, as a factor. */
const silentBelow = 10 ** (-48 / 20)
/** Milliseconds of sound that are kept before and after the speech, because consonants begin and
 *  end softly. The outermost `fadeMs` of them are faded. */
const marginMs = 25
const fadeMs = 5

/** Which ends of the sound are trimmed. */
interface Ends {
  start: boolean
  end: boolean
}

/** Returns a copy of the sound without the silence at the chosen ends, and with these ends faded;
 *  empty for a sound that is silent throughout. */
export function trimmed(sound: Float32Array, sampleRate: number, ends: Ends): Float32Array {
  const frame = Math.round((frameMs * sampleRate) / 1000)
  const levels = Float64Array.from({ length: Math.ceil(sound.length / frame) }, (_, index) =>
    rms(sound.subarray(index * frame, (index + 1) * frame)),
  )
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  if (loudest < 1e-5) return new Float32Array()
  const isHeard = (level: number) => level > loudest * silentBelow
  const margin = Math.round((marginMs * sampleRate) / 1000)
  const start = ends.start ? Math.max(0, levels.findIndex(isHeard) * frame - margin) : 0
  const end = ends.end ? Math.min(sound.length, (levels.findLastIndex(isHeard) + 1) * frame + margin) : sound.length
  return faded(sound.slice(start, end), Math.round((fadeMs * sampleRate) / 1000), ends)
}

/** Fades the chosen ends of the sound in place, over `length` samples, at most half of the
 *  sound. */
export function faded(sound: Float32Array, length: number, { start, end }: Ends): Float32Array {
  const most = Math.min(length, sound.length >> 1)
  for (let index = 0; index < most; index++) {
    const share = (index + 0.5) / most
    if (start) sound[index]! *= share
    if (end) sound[sound.length - 1 - index]! *= share
  }
  return sound
}

function rms(part: Float32Array): number {
  let sum = 0
  for (const value of part) sum += value * value
  return Math.sqrt(sum / Math.max(1, part.length))
}

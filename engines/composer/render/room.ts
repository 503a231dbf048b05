/** Reverb, made with eight delay lines whose outputs are fed back into all of them, and echo. */
import { type Stereo, sampleRate } from './rate.ts'

/** Lengths of the delay lines in samples at 44.1 kHz. No two have a common factor: otherwise their
 *  echoes would coincide, and some pitches would sound louder. */
const lengths = [1433, 1601, 1867, 2053, 2251, 2399, 2617, 2797] as const

interface Room {
  /** Adds the reverberation of `sent` (mono) to the output. */
  add(sent: Float32Array, out: Stereo): void
}

/** Creates a reverb. `seconds` is the time after which the reverberation has fallen by 60 dB. */
export function createRoom(seconds: number): Room {
  // All eight delay lines follow one another in a single array.
  const delays = new Float32Array(lengths.reduce((sum, length) => sum + length, 0))
  const ends = Int32Array.from(lengths, (_, line) => lengths.slice(0, line + 1).reduce((sum, length) => sum + length, 0))
  const gains = Float64Array.from(lengths, length => 10 ** ((-3 * length) / sampleRate / seconds))
  const places = Int32Array.from(lengths, (length, line) => ends[line]! - length)
  const dull = new Float64Array(lengths.length)
  const values = new Float64Array(lengths.length)
  const damping = 0.35
  // The input of the reverb is filtered, so that very low frequencies do not reverberate.
  let low = 0
  return {
    add(sent, out) {
      for (let index = 0; index < sent.length; index++) {
        const value = sent[index] ?? 0
        low += 0.02 * (value - low)
        const entering = (value - low) * 0.35
        let sum = 0
        for (let line = 0; line < 8; line++) {
          const read = delays[places[line]!]!
          const soft = read + damping * (dull[line]! - read)
          dull[line] = soft
          values[line] = soft
          sum += soft
        }
        // Each line gets the sum of all lines, divided by four, minus its own value. This mixing (a
        // Householder matrix) neither adds nor loses energy.
        const shared = sum / 4
        for (let line = 0; line < 8; line++) {
          const place = places[line]!
          delays[place] = (shared - values[line]!) * gains[line]! + entering
          places[line] = place + 1 === ends[line] ? place + 1 - lengths[line]! : place + 1
        }
        out.left[index]! += values[0]! - values[2]! + values[4]! - values[6]!
        out.right[index]! += values[1]! - values[3]! + values[5]! - values[7]!
      }
    },
  }
}

/** Creates an echo that alternates between left and right. The returned function adds the echo
 *  of `sent` to `out`. */
export function createEcho(seconds: number, feedback: number): (sent: Float32Array, out: Stereo, amount: number) => void {
  const length = Math.max(1, Math.round(seconds * sampleRate))
  const one = new Float32Array(length)
  const other = new Float32Array(length)
  let at = 0
  let soft = 0
  return (sent, out, amount) => {
    for (let index = 0; index < sent.length; index++) {
      const left = one[at] ?? 0
      const right = other[at] ?? 0
      soft += 0.35 * (right - soft)
      one[at] = (sent[index] ?? 0) + soft * feedback
      other[at] = left
      at = at + 1 === length ? 0 : at + 1
      out.left[index] = (out.left[index] ?? 0) + left * amount
      out.right[index] = (out.right[index] ?? 0) + right * amount
    }
  }
}

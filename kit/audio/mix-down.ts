/** Mixes two channels into one. When one channel is the inverse of the other, as with a balanced
 *  microphone in a stereo socket, that channel is inverted back first, because the plain sum of
 *  both channels would be silence. */

/** Length in seconds of a block; for each block, the mixer decides whether to invert the right
 *  channel. */
const blockSeconds = 0.1
/** Limits of the correlation of the two channels, -1 to 1: below `invertedBelow` the right
 *  channel is inverted, and above `uprightAbove` it is used unchanged again. */
const invertedBelow = -0.3
const uprightAbove = 0
/** Weight of the correlation of the earlier blocks; the newest block has weight 1. */
const memory = 0.25
/** Length in seconds of the crossfade when the right channel begins or ceases to be inverted, so
 *  that no click is heard. */
const fadeSeconds = 0.01

/** Mixes pieces of one recording, in their order. */
export class MixDown {
  /** Number of samples per channel in one block, for which the class decides whether to invert
   *  the right channel. A recording can be mixed in pieces of whole blocks: the result is the
   *  same as for the recording in one piece. */
  readonly blockLength: number
  readonly #fadeLength: number
  /** Factor of the right channel: -1 while it is inverted, else 1. */
  #sign = 1
  /** Weighted sums over the last blocks: of the squares of the left and the right samples, and of
   *  their products. The mean of each block is subtracted first. */
  #left = 0
  #right = 0
  #both = 0

  /** `sampleRate` is in Hz. */
  constructor(sampleRate: number) {
    this.blockLength = Math.round(blockSeconds * sampleRate)
    this.#fadeLength = Math.max(1, Math.round(fadeSeconds * sampleRate))
  }

  /** Returns the mean of both channels, -1 to 1, with as many samples as `left`. Inverts the right
   *  channel first where it is the inverse of the left one. */
  mix(left: Float32Array, right: Float32Array): Float32Array {
    const mixed = new Float32Array(left.length)
    for (let from = 0; from < left.length; from += this.blockLength) {
      const to = Math.min(left.length, from + this.blockLength)
      const before = this.#sign
      this.#judge(left.subarray(from, to), right.subarray(from, to))
      const step = (this.#sign - before) / this.#fadeLength
      for (let at = from; at < to; at++) {
        const sign = at - from < this.#fadeLength ? before + step * (at - from) : this.#sign
        mixed[at] = (left[at]! + sign * right[at]!) / 2
      }
    }
    return mixed
  }

  /** Decides whether to invert the right channel. The mean of each channel is subtracted first:
   *  some sound cards add the same constant level to both channels, and inverted channels would
   *  then seem to be correlated. */
  #judge(left: Float32Array, right: Float32Array): void {
    let [l, r, both, sumLeft, sumRight] = [0, 0, 0, 0, 0]
    for (let at = 0; at < left.length; at++) {
      const [a, b] = [left[at]!, right[at]!]
      l += a * a
      r += b * b
      both += a * b
      sumLeft += a
      sumRight += b
    }
    const count = left.length
    this.#left = Math.max(0, l - (sumLeft * sumLeft) / count) + memory * this.#left
    this.#right = Math.max(0, r - (sumRight * sumRight) / count) + memory * this.#right
    this.#both = both - (sumLeft * sumRight) / count + memory * this.#both
    const power = Math.sqrt(this.#left * this.#right)
    if (power === 0) return
    const correlation = this.#both / power
    if (correlation < invertedBelow) this.#sign = -1
    if (correlation > uprightAbove) this.#sign = 1
  }
}

/** Reads a 16-bit WAV with one or two channels, as ffmpeg writes it to a pipe, and yields its
 *  samples as one channel. Two channels are mixed. */
export async function* monoFrom(wav: AsyncIterable<Buffer>, sampleRate: number): AsyncGenerator<Buffer> {
  const mixer = new MixDown(sampleRate)
  const blockBytes = mixer.blockLength * 4
  let channels = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of wav) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (channels === 0) {
      const start = rest.indexOf('data', 0, 'latin1') + 8
      if (start < 8 || rest.length < start) continue
      channels = rest.readUInt16LE(22)
      rest = rest.subarray(start)
    }
    const whole = channels === 1 ? rest.length & ~1 : rest.length - (rest.length % blockBytes)
    if (whole > 0) yield channels === 1 ? rest.subarray(0, whole) : mixedBytes(rest.subarray(0, whole), mixer)
    rest = rest.subarray(whole)
  }
  if (channels === 2) yield mixedBytes(rest.subarray(0, rest.length & ~3), mixer)
}

/** Returns the mixed bytes. Uses plain loops, which are fast enough to run on the event loop
 *  even for hours of sound. */
function mixedBytes(bytes: Buffer, mixer: MixDown): Buffer {
  // The bytes are copied, because a view of 16-bit numbers must begin at an even offset of its
  // buffer.
  const both = new Int16Array(new Uint8Array(bytes).buffer)
  const frames = both.length >> 1
  const [left, right] = [new Float32Array(frames), new Float32Array(frames)]
  for (let frame = 0; frame < frames; frame++) {
    left[frame] = both[2 * frame]! / 32_768
    right[frame] = both[2 * frame + 1]! / 32_768
  }
  const mixed = mixer.mix(left, right)
  const samples = new Int16Array(frames)
  for (let frame = 0; frame < frames; frame++) samples[frame] = Math.round(mixed[frame]! * 32_767)
  return Buffer.from(samples.buffer)
}

/** Two channels made one, also where one is the other inverted (a balanced microphone in a stereo socket): their sum alone would be silence. */

/** Seconds that are judged together. */
const blockSeconds = 0.1
/** Correlation below which the right channel is taken inverted, and above which it is taken as it is again. */
const invertedBelow = -0.3
const uprightAbove = 0
/** Share of what was heard before that counts beside a block. */
const memory = 0.25
/** Seconds in which one goes over into the other, so that nothing clicks. */
const fadeSeconds = 0.01

/** Mixes pieces of one recording, in their order. */
export class MixDown {
  /** Samples of a channel that are judged together; pieces of a multiple of it are mixed alike however they are cut. */
  readonly blockLength: number
  readonly #fadeLength: number
  /** 1, or -1 while the right channel is taken inverted. */
  #sign = 1
  #left = 0
  #right = 0
  #both = 0

  /** Hertz. */
  constructor(sampleRate: number) {
    this.blockLength = Math.round(blockSeconds * sampleRate)
    this.#fadeLength = Math.max(1, Math.round(fadeSeconds * sampleRate))
  }

  /** The mean of both channels, -1 to 1, as long as they are. Where they work against each other it is the mean of the left one and the inverted right one. */
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

  #judge(left: Float32Array, right: Float32Array): void {
    let [l, r, both] = [0, 0, 0]
    for (let at = 0; at < left.length; at++) {
      const [a, b] = [left[at]!, right[at]!]
      l += a * a
      r += b * b
      both += a * b
    }
    this.#left = l + memory * this.#left
    this.#right = r + memory * this.#right
    this.#both = both + memory * this.#both
    const power = Math.sqrt(this.#left * this.#right)
    if (power === 0) return
    const correlation = this.#both / power
    if (correlation < invertedBelow) this.#sign = -1
    if (correlation > uprightAbove) this.#sign = 1
  }
}

/** A WAV with one or two channels of 16 bits, as ffmpeg writes it into a pipe, as the samples of one channel. */
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

/** Plain loops: this runs beside the event loop, on hours of sound. */
function mixedBytes(bytes: Buffer, mixer: MixDown): Buffer {
  // A copy begins at an even address, as a view of 16-bit numbers has to.
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

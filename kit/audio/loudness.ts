/** Loudness of mono speech in LUFS (ITU-R BS.1770-4), at any sample rate. */

/** Integrated loudness: blocks of 400 ms, those far below the others left out. -Infinity when nothing is heard. */
export function loudnessOf(sound: Float32Array, sampleRate: number): number {
  const weighted = filtered(filtered(Float64Array.from(sound), headShelf(sampleRate)), lowCut(sampleRate))
  const hop = Math.round(0.1 * sampleRate)
  const powers: number[] = []
  // A sound shorter than a block is one.
  for (let start = 0; start === 0 || start + 4 * hop <= weighted.length; start += hop)
    powers.push(power(weighted.subarray(start, start + 4 * hop)))
  const heard = powers.filter(value => decibels(value) > -70)
  const gate = decibels(mean(heard)) - 10
  return decibels(mean(heard.filter(value => decibels(value) > gate)))
}

interface TwoPoles {
  b: readonly [number, number, number]
  a: readonly [number, number]
}

/** The head's lift of about 4 dB above 1.7 kHz. */
function headShelf(sampleRate: number): TwoPoles {
  const gain = 10 ** (3.999843853973347 / 20)
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate)
  const q = 0.7071752369554196
  const lift = gain ** 0.4996667741545416
  const first = 1 + k / q + k * k
  return {
    b: [(gain + (lift * k) / q + k * k) / first, (2 * (k * k - gain)) / first, (gain - (lift * k) / q + k * k) / first],
    a: [(2 * (k * k - 1)) / first, (1 - k / q + k * k) / first],
  }
}

/** What is below 38 Hz does not count. */
function lowCut(sampleRate: number): TwoPoles {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const q = 0.5003270373238773
  const first = 1 + k / q + k * k
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / first, (1 - k / q + k * k) / first] }
}

function filtered(sound: Float64Array, { b: [b0, b1, b2], a: [a1, a2] }: TwoPoles): Float64Array {
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  return sound.map(value => {
    const out = b0 * value + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
    x2 = x1
    x1 = value
    y2 = y1
    y1 = out
    return out
  })
}

function power(part: Float64Array): number {
  let sum = 0
  for (const value of part) sum += value * value
  return sum / Math.max(1, part.length)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function decibels(value: number): number {
  return -0.691 + 10 * Math.log10(value)
}

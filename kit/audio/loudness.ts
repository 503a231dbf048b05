/** Measures loudness in LUFS (ITU-R BS.1770-4), at any sample rate. */

/** Returns the integrated loudness of mono sound in LUFS, from blocks of 400 ms; blocks far quieter
 *  than the others are left out. -Infinity for silence. */
export function loudnessOf(sound: Float32Array, sampleRate: number): number {
  const meter = createLoudnessMeter(sampleRate, 1)
  meter.add([sound])
  return meter.integrated()
}

interface LoudnessMeter {
  /** Adds the next samples (-1 to 1): one array per channel, all of one length. */
  add(channels: readonly Float32Array[]): void
  /** Returns the integrated loudness of everything added so far in LUFS; -Infinity for silence. */
  integrated(): number
  /** Returns the loudness of each 400 ms block in LUFS, with a new block every 100 ms; empty before
   *  the first block is complete. */
  blocks(): number[]
}

/** Returns a meter for sound of one or two channels that arrives in pieces. */
export function createLoudnessMeter(sampleRate: number, channels: number): LoudnessMeter {
  const hop = Math.round(0.1 * sampleRate)
  const stages = Array.from({ length: channels }, () => [stageOf(headShelf(sampleRate)), stageOf(lowCut(sampleRate))] as const)
  /** Sum of squares for every tenth of a second. */
  const sums: number[] = []
  let sum = 0
  let filled = 0
  let total = 0
  let all = 0
  return {
    add(parts) {
      const count = parts[0]?.length ?? 0
      for (let at = 0; at < count; ) {
        const end = Math.min(count, at + hop - filled)
        const energy = parts.reduce((energies, part, channel) => energies + energyOf(part, { at, end }, stages[channel]), 0)
        sum += energy
        total += energy
        all += end - at
        filled += end - at
        at = end
        if (filled < hop) continue
        sums.push(sum)
        sum = 0
        filled = 0
      }
    },
    blocks: () => blocksOf(sums, hop).map(decibels),
    integrated: () => gated(sums.length < 4 ? [total / Math.max(1, all)] : blocksOf(sums, hop)),
  }
}

/** Returns the mean energy of each block. A block consists of four hops of 100 ms each and
 *  begins one hop after the block before it. */
function blocksOf(sums: readonly number[], hop: number): number[] {
  return sums.slice(3).map((last, index) => ((sums[index] ?? 0) + (sums[index + 1] ?? 0) + (sums[index + 2] ?? 0) + last) / (4 * hop))
}

function gated(powers: readonly number[]): number {
  const heard = powers.filter(value => decibels(value) > -70)
  const gate = decibels(mean(heard)) - 10
  return decibels(mean(heard.filter(value => decibels(value) > gate)))
}

interface TwoPoles {
  b: readonly [number, number, number]
  a: readonly [number, number]
}

/** Returns the filter that models the head: a shelf that raises everything above 1.7 kHz by about 4
 *  dB. */
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

/** Returns the filter that removes everything below 38 Hz. */
function lowCut(sampleRate: number): TwoPoles {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const q = 0.5003270373238773
  const first = 1 + k / q + k * k
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / first, (1 - k / q + k * k) / first] }
}

interface Stage extends TwoPoles {
  x1: number
  x2: number
  y1: number
  y2: number
}

function stageOf(poles: TwoPoles): Stage {
  return { ...poles, x1: 0, x2: 0, y1: 0, y2: 0 }
}

/** Returns the sum of squares of the samples from `at` to `end` after both filters. */
function energyOf(part: Float32Array, { at, end }: { at: number; end: number }, stages: readonly [Stage, Stage] | undefined): number {
  if (!stages) return 0
  const [shelf, cut] = stages
  let sum = 0
  for (let index = at; index < end; index++) {
    const out = stepped(cut, stepped(shelf, part[index] ?? 0))
    sum += out * out
  }
  return sum
}

function stepped(stage: Stage, value: number): number {
  const { b, a } = stage
  const out = b[0] * value + b[1] * stage.x1 + b[2] * stage.x2 - a[0] * stage.y1 - a[1] * stage.y2
  stage.x2 = stage.x1
  stage.x1 = value
  stage.y2 = stage.y1
  stage.y1 = out
  return out
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function decibels(value: number): number {
  return -0.691 + 10 * Math.log10(value)
}

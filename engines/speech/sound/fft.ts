/** A discrete Fourier transform of one length whose prime factors are at most 7. */
export interface Fft {
  readonly size: number
  /** Transforms in place, without scaling; `re` and `im` have `size` values. */
  forward(re: Float64Array, im: Float64Array): void
  /** The same with the other sign, without scaling. */
  inverse(re: Float64Array, im: Float64Array): void
}

/** Stockham's form: no reordering, one pass for each factor (4, 2, 3, 5). */
export function createFft(size: number): Fft {
  const factors = factorsOf(size)
  const cos = new Float64Array(size)
  const sin = new Float64Array(size)
  for (let index = 0; index < size; index++) {
    cos[index] = Math.cos((2 * Math.PI * index) / size)
    sin[index] = Math.sin((2 * Math.PI * index) / size)
  }
  const otherRe = new Float64Array(size)
  const otherIm = new Float64Array(size)

  const run = (re: Float64Array, im: Float64Array, sign: number): void => {
    let [fromRe, fromIm, toRe, toIm]: [Float64Array, Float64Array, Float64Array, Float64Array] = [re, im, otherRe, otherIm]
    let length = size
    let stride = 1
    for (const factor of factors) {
      pass({ fromRe, fromIm, toRe, toIm, cos, sin, sign, factor, part: length / factor, stride, size })
      length /= factor
      stride *= factor
      ;[fromRe, fromIm, toRe, toIm] = [toRe, toIm, fromRe, fromIm]
    }
    if (fromRe !== re) {
      re.set(fromRe)
      im.set(fromIm)
    }
  }
  return { size, forward: (re, im) => run(re, im, -1), inverse: (re, im) => run(re, im, 1) }
}

interface Pass {
  fromRe: Float64Array
  fromIm: Float64Array
  toRe: Float64Array
  toIm: Float64Array
  cos: Float64Array
  sin: Float64Array
  sign: number
  factor: number
  /** Values of one transform of this pass, divided by the factor. */
  part: number
  stride: number
  size: number
}

function pass(step: Pass): void {
  if (step.factor === 4) passOfFour(step)
  else passOfAny(step)
}

function passOfFour({ fromRe, fromIm, toRe, toIm, cos, sin, sign, part, stride, size }: Pass): void {
  const quarter = stride * part
  for (let p = 0; p < part; p++) {
    const [turn1, turn2, turn3] = [p * stride, 2 * p * stride, (3 * p * stride) % size]
    const [c1, s1, c2, s2, c3, s3] = [cos[turn1]!, sign * sin[turn1]!, cos[turn2]!, sign * sin[turn2]!, cos[turn3]!, sign * sin[turn3]!]
    for (let q = 0; q < stride; q++) {
      const from = q + stride * p
      const [ar, ai] = [fromRe[from]!, fromIm[from]!]
      const [br, bi] = [fromRe[from + quarter]!, fromIm[from + quarter]!]
      const [cr, ci] = [fromRe[from + 2 * quarter]!, fromIm[from + 2 * quarter]!]
      const [dr, di] = [fromRe[from + 3 * quarter]!, fromIm[from + 3 * quarter]!]
      const [sumRe, sumIm, gapRe, gapIm] = [ar + cr, ai + ci, ar - cr, ai - ci]
      const [otherRe, otherIm] = [br + dr, bi + di]
      // (b - d) times i, or -i.
      const [crossRe, crossIm] = [-sign * (bi - di), sign * (br - dr)]
      const to = q + stride * 4 * p
      toRe[to] = sumRe + otherRe
      toIm[to] = sumIm + otherIm
      const [r1, i1] = [gapRe + crossRe, gapIm + crossIm]
      toRe[to + stride] = r1 * c1 - i1 * s1
      toIm[to + stride] = r1 * s1 + i1 * c1
      const [r2, i2] = [sumRe - otherRe, sumIm - otherIm]
      toRe[to + 2 * stride] = r2 * c2 - i2 * s2
      toIm[to + 2 * stride] = r2 * s2 + i2 * c2
      const [r3, i3] = [gapRe - crossRe, gapIm - crossIm]
      toRe[to + 3 * stride] = r3 * c3 - i3 * s3
      toIm[to + 3 * stride] = r3 * s3 + i3 * c3
    }
  }
}

function passOfAny({ fromRe, fromIm, toRe, toIm, cos, sin, sign, factor, part, stride, size }: Pass): void {
  const root = size / factor
  const apart = stride * part
  for (let out = 0; out < factor; out++) {
    for (let p = 0; p < part; p++) {
      const turn = (p * out * stride) % size
      const c = cos[turn]!
      const s = sign * sin[turn]!
      for (let q = 0; q < stride; q++) {
        const from = q + stride * p
        let sumRe = fromRe[from]!
        let sumIm = fromIm[from]!
        for (let k = 1, step = out; k < factor; k++, step += out) {
          if (step >= factor) step -= factor
          const rc = cos[step * root]!
          const rs = sign * sin[step * root]!
          const re = fromRe[from + k * apart]!
          const im = fromIm[from + k * apart]!
          sumRe += re * rc - im * rs
          sumIm += re * rs + im * rc
        }
        const to = q + stride * (factor * p + out)
        toRe[to] = sumRe * c - sumIm * s
        toIm[to] = sumRe * s + sumIm * c
      }
    }
  }
}

/** Fours first. */
function factorsOf(size: number): number[] {
  const factors: number[] = []
  let rest = size
  for (const factor of [4, 2, 3, 5, 7]) {
    while (rest % factor === 0) {
      factors.push(factor)
      rest /= factor
    }
  }
  if (rest > 1) throw new RangeError(`${size} has a prime factor above 7`)
  return factors
}

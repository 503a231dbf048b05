/** A discrete Fourier transform of one length whose prime factors are at most 7. */
interface Fft {
  readonly size: number
  /** Transforms in place, without scaling; `re` and `im` have `size` values each. */
  forward(re: Float64Array, im: Float64Array): void
  /** The inverse transform, in place and without scaling. */
  inverse(re: Float64Array, im: Float64Array): void
}

/** Returns a transform of `size` values in Stockham's form: no reordering, one pass for each
 *  factor. */
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
  /** Length of one transform of this pass, divided by the pass's factor. */
  part: number
  stride: number
  size: number
}

function pass(step: Pass): void {
  if (step.factor === 4) passOfFour(step)
  else if (step.factor === 3) passOfThree(step)
  else if (step.factor === 5) passOfFive(step)
  else passOfAny(step)
}

// The inner loops use no tuples, because each would allocate an object.
function passOfFour({ fromRe, fromIm, toRe, toIm, cos, sin, sign, part, stride, size }: Pass): void {
  const quarter = stride * part
  for (let p = 0; p < part; p++) {
    const turn3 = (3 * p * stride) % size
    const c1 = cos[p * stride]!
    const s1 = sign * sin[p * stride]!
    const c2 = cos[2 * p * stride]!
    const s2 = sign * sin[2 * p * stride]!
    const c3 = cos[turn3]!
    const s3 = sign * sin[turn3]!
    for (let q = 0; q < stride; q++) {
      const from = q + stride * p
      const ar = fromRe[from]!
      const ai = fromIm[from]!
      const br = fromRe[from + quarter]!
      const bi = fromIm[from + quarter]!
      const cr = fromRe[from + 2 * quarter]!
      const ci = fromIm[from + 2 * quarter]!
      const dr = fromRe[from + 3 * quarter]!
      const di = fromIm[from + 3 * quarter]!
      // This is (b - d) multiplied by i, or by -i.
      const crossRe = -sign * (bi - di)
      const crossIm = sign * (br - dr)
      const to = q + stride * 4 * p
      toRe[to] = ar + cr + br + dr
      toIm[to] = ai + ci + bi + di
      const r1 = ar - cr + crossRe
      const i1 = ai - ci + crossIm
      toRe[to + stride] = r1 * c1 - i1 * s1
      toIm[to + stride] = r1 * s1 + i1 * c1
      const r2 = ar + cr - br - dr
      const i2 = ai + ci - bi - di
      toRe[to + 2 * stride] = r2 * c2 - i2 * s2
      toIm[to + 2 * stride] = r2 * s2 + i2 * c2
      const r3 = ar - cr - crossRe
      const i3 = ai - ci - crossIm
      toRe[to + 3 * stride] = r3 * c3 - i3 * s3
      toIm[to + 3 * stride] = r3 * s3 + i3 * c3
    }
  }
}

const sin60 = Math.sin(Math.PI / 3)

function passOfThree({ fromRe, fromIm, toRe, toIm, cos, sin, sign, part, stride }: Pass): void {
  const third = stride * part
  const sine = sign * sin60
  for (let p = 0; p < part; p++) {
    const c1 = cos[p * stride]!
    const s1 = sign * sin[p * stride]!
    const c2 = cos[2 * p * stride]!
    const s2 = sign * sin[2 * p * stride]!
    for (let q = 0; q < stride; q++) {
      const from = q + stride * p
      const ar = fromRe[from]!
      const ai = fromIm[from]!
      const sumRe = fromRe[from + third]! + fromRe[from + 2 * third]!
      const sumIm = fromIm[from + third]! + fromIm[from + 2 * third]!
      const gapRe = sine * (fromRe[from + third]! - fromRe[from + 2 * third]!)
      const gapIm = sine * (fromIm[from + third]! - fromIm[from + 2 * third]!)
      const evenRe = ar - sumRe / 2
      const evenIm = ai - sumIm / 2
      const to = q + stride * 3 * p
      toRe[to] = ar + sumRe
      toIm[to] = ai + sumIm
      toRe[to + stride] = (evenRe - gapIm) * c1 - (evenIm + gapRe) * s1
      toIm[to + stride] = (evenRe - gapIm) * s1 + (evenIm + gapRe) * c1
      toRe[to + 2 * stride] = (evenRe + gapIm) * c2 - (evenIm - gapRe) * s2
      toIm[to + 2 * stride] = (evenRe + gapIm) * s2 + (evenIm - gapRe) * c2
    }
  }
}

const cos72 = Math.cos((2 * Math.PI) / 5)
const sin72 = Math.sin((2 * Math.PI) / 5)
const cos144 = Math.cos((4 * Math.PI) / 5)
const sin144 = Math.sin((4 * Math.PI) / 5)

function passOfFive({ fromRe, fromIm, toRe, toIm, cos, sin, sign, part, stride, size }: Pass): void {
  const fifth = stride * part
  const sine1 = sign * sin72
  const sine2 = sign * sin144
  for (let p = 0; p < part; p++) {
    const turn = p * stride
    const turn3 = (3 * turn) % size
    const turn4 = (4 * turn) % size
    const c1 = cos[turn]!
    const s1 = sign * sin[turn]!
    const c2 = cos[2 * turn]!
    const s2 = sign * sin[2 * turn]!
    const c3 = cos[turn3]!
    const s3 = sign * sin[turn3]!
    const c4 = cos[turn4]!
    const s4 = sign * sin[turn4]!
    for (let q = 0; q < stride; q++) {
      const from = q + stride * p
      const ar = fromRe[from]!
      const ai = fromIm[from]!
      // Sums and differences of the second and fifth value, and of the third and fourth.
      const outerRe = fromRe[from + fifth]! + fromRe[from + 4 * fifth]!
      const outerIm = fromIm[from + fifth]! + fromIm[from + 4 * fifth]!
      const outerGapRe = fromRe[from + fifth]! - fromRe[from + 4 * fifth]!
      const outerGapIm = fromIm[from + fifth]! - fromIm[from + 4 * fifth]!
      const innerRe = fromRe[from + 2 * fifth]! + fromRe[from + 3 * fifth]!
      const innerIm = fromIm[from + 2 * fifth]! + fromIm[from + 3 * fifth]!
      const innerGapRe = fromRe[from + 2 * fifth]! - fromRe[from + 3 * fifth]!
      const innerGapIm = fromIm[from + 2 * fifth]! - fromIm[from + 3 * fifth]!
      const evenRe1 = ar + cos72 * outerRe + cos144 * innerRe
      const evenIm1 = ai + cos72 * outerIm + cos144 * innerIm
      const evenRe2 = ar + cos144 * outerRe + cos72 * innerRe
      const evenIm2 = ai + cos144 * outerIm + cos72 * innerIm
      const oddRe1 = sine1 * outerGapRe + sine2 * innerGapRe
      const oddIm1 = sine1 * outerGapIm + sine2 * innerGapIm
      const oddRe2 = sine2 * outerGapRe - sine1 * innerGapRe
      const oddIm2 = sine2 * outerGapIm - sine1 * innerGapIm
      const to = q + stride * 5 * p
      toRe[to] = ar + outerRe + innerRe
      toIm[to] = ai + outerIm + innerIm
      toRe[to + stride] = (evenRe1 - oddIm1) * c1 - (evenIm1 + oddRe1) * s1
      toIm[to + stride] = (evenRe1 - oddIm1) * s1 + (evenIm1 + oddRe1) * c1
      toRe[to + 2 * stride] = (evenRe2 - oddIm2) * c2 - (evenIm2 + oddRe2) * s2
      toIm[to + 2 * stride] = (evenRe2 - oddIm2) * s2 + (evenIm2 + oddRe2) * c2
      toRe[to + 3 * stride] = (evenRe2 + oddIm2) * c3 - (evenIm2 - oddRe2) * s3
      toIm[to + 3 * stride] = (evenRe2 + oddIm2) * s3 + (evenIm2 - oddRe2) * c3
      toRe[to + 4 * stride] = (evenRe1 + oddIm1) * c4 - (evenIm1 - oddRe1) * s4
      toIm[to + 4 * stride] = (evenRe1 + oddIm1) * s4 + (evenIm1 - oddRe1) * c4
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

/** Returns the prime factors of `size`, where fours replace pairs of twos and come first. */
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

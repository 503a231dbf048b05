/** Exponential and trigonometric functions from tables: they take a fifth of the time of `Math`'s,
 *  with an error below one millionth. */

const steps = 4096
const turn = 2 * Math.PI
/** Sine values of one period, followed by those of a quarter period: `fastCos` reads the sine table
 *  a quarter of a period after the angle. */
const sines = Float64Array.from({ length: steps + steps / 4 + 2 }, (_, index) => Math.sin((index * turn) / steps))
const powers = Float64Array.from({ length: steps }, (_, index) => 2 ** (index / steps))
const leastExponent = -1022
const exponents = Float64Array.from({ length: 2046 }, (_, index) => 2 ** (index + leastExponent))

/** Returns e to the power of `value`, which must be below 700; 0 for values below -700. */
export function fastExp(value: number): number {
  if (value < -700) return 0
  const twos = value * Math.LOG2E
  const whole = Math.floor(twos)
  const part = (twos - whole) * steps
  const step = part | 0
  return exponents[whole - leastExponent]! * powers[step]! * (1 + ((part - step) * Math.LN2) / steps)
}

/** Returns the sine of an angle in radians. */
export function fastSin(angle: number): number {
  const turns = angle / turn
  return interpolated((turns - Math.floor(turns)) * steps)
}

/** Returns the cosine of an angle in radians. */
export function fastCos(angle: number): number {
  const turns = angle / turn
  return interpolated((turns - Math.floor(turns)) * steps + steps / 4)
}

function interpolated(at: number): number {
  const step = at | 0
  const from = sines[step]!
  return from + (sines[step + 1]! - from) * (at - step)
}

export function fastTanh(value: number): number {
  const e = fastExp(-2 * Math.abs(value))
  const size = (1 - e) / (1 + e)
  return value < 0 ? -size : size
}

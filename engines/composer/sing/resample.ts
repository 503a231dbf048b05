/** Converts a sound to another sample rate. Each new sample is interpolated with a windowed sinc
 *  function. */

const taps = 32

/** Returns the sound at the sample rate `to`. Both rates are whole numbers in hertz. */
export function resample(sound: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return sound
  const divisor = greatest(from, to)
  const up = to / divisor
  const down = from / divisor
  const cut = Math.min(1, to / from) * 0.97
  const phases = Array.from({ length: up }, (_, phase) => phaseOf(phase / up, cut))
  const out = new Float32Array(Math.floor((sound.length * up) / down))
  // Silence is added on both sides, so that the filter never reads outside the array.
  const padded = new Float64Array(sound.length + 2 * taps)
  padded.set(sound, taps)
  let start = taps / 2 + 1
  let phase = 0
  for (let index = 0; index < out.length; index++) {
    const weights = phases[phase]!
    let sum = 0
    for (let tap = 0; tap < taps; tap++) sum += weights[tap]! * padded[start + tap]!
    out[index] = sum
    phase += down
    while (phase >= up) {
      phase -= up
      start += 1
    }
  }
  return out
}

function phaseOf(fraction: number, cut: number): Float64Array {
  const weights = Float64Array.from({ length: taps }, (_, tap) => {
    const x = tap - taps / 2 + 1 - fraction
    const sinc = Math.abs(x) < 1e-9 ? cut : Math.sin(Math.PI * cut * x) / (Math.PI * x)
    return sinc * Math.cos((Math.PI * x) / (taps + 1)) ** 2
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map(weight => weight / sum)
}

function greatest(one: number, other: number): number {
  return other === 0 ? one : greatest(other, one % other)
}

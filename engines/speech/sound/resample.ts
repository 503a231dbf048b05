/** Changes the sample rate of a piece of sound. */

/** Number of zero crossings of the sinc filter on each side. */
const reach = 16

/** Returns the sound at `to` hertz, filtered by a Hann-windowed sinc with the lower of both rates
 *  as bandwidth. When both rates are equal, returns `sound` itself. */
export function resampled(sound: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return sound
  const out = new Float32Array(Math.round((sound.length * to) / from))
  const cut = Math.min(1, to / from)
  const half = reach / cut
  for (let index = 0; index < out.length; index++) {
    const at = (index * from) / to
    const first = Math.max(0, Math.ceil(at - half))
    const last = Math.min(sound.length - 1, Math.floor(at + half))
    let sum = 0
    for (let tap = first; tap <= last; tap++) sum += sound[tap]! * kernel((tap - at) * cut)
    out[index] = sum * cut
  }
  return out
}

/** Returns the filter's value at a distance from its centre; the distance is measured in zero
 *  crossings. */
function kernel(distance: number): number {
  if (distance === 0) return 1
  const turn = Math.PI * distance
  return (Math.sin(turn) / turn) * (0.5 + 0.5 * Math.cos(turn / reach))
}

/** Returns the pitch of speech, found by autocorrelation: the median in hertz (`middle`), or the
 *  standard deviation of its natural logarithm (`spread`). */
export function pitchOf(sound: Float32Array, sampleRate: number, what: 'middle' | 'spread' = 'middle'): number {
  const frame = Math.round(0.04 * sampleRate)
  const pitches: number[] = []
  for (let start = 0; start + 2 * frame < sound.length; start += frame) {
    const pitch = pitchAt(sound.subarray(start, start + 2 * frame), frame, sampleRate)
    if (pitch !== undefined) pitches.push(pitch)
  }
  const sorted = pitches.toSorted((a, b) => a - b)
  const middle = sorted[sorted.length >> 1] ?? 0
  if (what === 'middle') return middle
  // The lowest and the highest tenth are left out, because some of these values are wrong by an
  // octave.
  const kept = sorted.slice(Math.floor(sorted.length / 10), Math.ceil(sorted.length * 0.9)).map(pitch => Math.log(pitch / middle))
  return Math.sqrt(kept.reduce((sum, value) => sum + value * value, 0) / Math.max(1, kept.length))
}

function pitchAt(part: Float32Array, frame: number, sampleRate: number): number | undefined {
  const energyAt = (from: number) => {
    let sum = 0
    for (let index = 0; index < frame; index++) sum += part[from + index]! ** 2
    return sum
  }
  const energy = energyAt(0)
  if (energy / frame < 1e-4) return undefined
  const likeness: number[] = []
  const [least, most] = [Math.round(sampleRate / 400), Math.round(sampleRate / 65)]
  for (let lag = least; lag <= Math.min(most, frame); lag++) {
    let product = 0
    for (let index = 0; index < frame; index++) product += part[index]! * part[index + lag]!
    likeness.push(product / Math.sqrt(energy * energyAt(lag) + 1e-12))
  }
  const best = Math.max(...likeness)
  if (best < 0.75) return undefined
  // Takes the shortest lag whose likeness is nearly as high as the highest. Longer lags with a high
  // likeness are multiples of the period.
  const at = likeness.findIndex(
    (value, index) => value > 0.93 * best && value >= (likeness[index - 1] ?? 0) && value >= (likeness[index + 1] ?? 0),
  )
  return sampleRate / (least + Math.max(0, at))
}

/** Pitch of speech in hertz by autocorrelation: the middle of all voiced places, or how far they
 *  spread (deviation of the logarithm). */
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
  // Without the tenths at both ends: octave errors lie there.
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
  // The shortest lag that is nearly as good: longer ones are its multiples.
  const at = likeness.findIndex(
    (value, index) => value > 0.93 * best && value >= (likeness[index - 1] ?? 0) && value >= (likeness[index + 1] ?? 0),
  )
  return sampleRate / (least + Math.max(0, at))
}

/** Turns chords into notes. For each chord, it chooses the notes that are nearest to those of the
 *  chord before. */
import type { Chord } from './chord.ts'

interface Register {
  /** Lowest and highest MIDI pitch, both allowed. */
  low: number
  high: number
}

/** Returns MIDI pitches for a chord, from low to high. Each chord tone occurs once, as far as the
 *  number of `voices` allows. The chosen position is the one in which the voices move least from
 *  `last`, the pitches of the chord before. */
export function voicing(chord: Chord, register: Register, { voices, last }: { voices: number; last: readonly number[] }): number[] {
  const tones = chosenTones(chord, voices)
  let best: number[] = []
  let bestCost = Number.POSITIVE_INFINITY
  for (const candidate of arrangements(tones, register)) {
    const cost = costOf(candidate, last, register)
    if (cost >= bestCost) continue
    best = candidate
    bestCost = cost
  }
  return best
}

/** Returns the chord tones to play. When there are fewer voices than tones, the fifth is left out
 *  first, then the root, because the bass plays the root. */
function chosenTones({ tones }: Chord, voices: number): readonly number[] {
  if (tones.length <= voices) return tones
  const order = [1, 3, 4, 0, 2].filter(index => index < tones.length)
  return order
    .slice(0, voices)
    .sort((one, other) => one - other)
    .map(index => tones[index] ?? 0)
}

/** Yields the positions of a chord in the register: close ones, which start from any chord tone in
 *  any octave, and open ones, in which the second voice from the top is an octave lower. */
function* arrangements(tones: readonly number[], { low, high }: Register): Generator<number[]> {
  for (let start = low; start < low + 12 && start <= high; start++) {
    const first = tones.indexOf(start % 12)
    if (first < 0) continue
    const rest = tones.map(tone => start + ((tone - start + 1200) % 12)).sort((one, other) => one - other)
    for (let lift = 0; lift <= 12; lift += 12) {
      const close = rest.map(pitch => pitch + lift)
      if ((close.at(-1) ?? 0) <= high) yield close
      const drop = close.at(-2)
      if (close.length < 4 || drop === undefined || drop - 12 < low) continue
      const open = [drop - 12, ...close.filter(pitch => pitch !== drop)]
      if ((open.at(-1) ?? 0) <= high) yield open
    }
  }
}

function costOf(pitches: readonly number[], last: readonly number[], { low, high }: Register): number {
  const middle = mean(pitches)
  const fromCentre = Math.abs(middle - (low + high) / 2) * (last.length === 0 ? 1 : 0.15)
  // Two low notes that are only a second apart sound muddy, so such a position has an additional
  // cost.
  const mud = pitches.length > 1 && (pitches[1] ?? 0) - (pitches[0] ?? 0) < 3 && (pitches[0] ?? 0) < 55 ? 3 : 0
  if (last.length === 0) return fromCentre + mud
  const moves =
    pitches.reduce((sum, pitch) => sum + nearest(pitch, last), 0) + last.reduce((sum, pitch) => sum + nearest(pitch, pitches), 0)
  return moves + fromCentre + mud
}

function nearest(pitch: number, others: readonly number[]): number {
  return others.reduce((least, other) => Math.min(least, Math.abs(pitch - other)), 24)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

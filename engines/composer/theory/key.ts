/** Keys and their scales. A pitch class (a note without its octave) is a number from 0 (C) to 11
 *  (B). */
export type Mode = 'major' | 'minor' | 'dorian' | 'mixolydian' | 'phrygian' | 'lydian' | 'harmonic minor' | 'blues' | 'pentatonic'

export interface Key {
  tonic: number
  mode: Mode
}

const steps: Record<Mode, readonly number[]> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  mixolydian: [0, 2, 4, 5, 7, 9, 10],
  phrygian: [0, 1, 3, 5, 7, 8, 10],
  lydian: [0, 2, 4, 6, 7, 9, 11],
  'harmonic minor': [0, 2, 3, 5, 7, 8, 11],
  blues: [0, 3, 5, 6, 7, 10],
  pentatonic: [0, 2, 4, 7, 9],
}

const tonics = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'] as const
const minorTonics = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'G#', 'A', 'Bb', 'B'] as const

/** Returns the pitch classes of the scale, from the tonic up. */
export function scaleOf({ tonic, mode }: Key): readonly number[] {
  return steps[mode].map(step => (tonic + step) % 12)
}

export function isMinor(mode: Mode): boolean {
  return ['minor', 'dorian', 'phrygian', 'harmonic minor'].includes(mode)
}

/** Returns the name of a key: `D minor`, `F# mixolydian`. */
export function keyName({ tonic, mode }: Key): string {
  return `${(isMinor(mode) ? minorTonics : tonics)[tonic]} ${mode}`
}

/** Returns the pitch class of a name such as `F#` or `Bb`; undefined for anything else. */
export function tonicNamed(name: string): number | undefined {
  const found = /^([A-Ga-g])\s?(#|♯|b|♭|sharp|flat)?$/.exec(name.trim())
  if (!found) return undefined
  const natural = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }[(found[1] ?? 'C').toUpperCase()] ?? 0
  const sign = found[2] === undefined ? 0 : /[#♯]|sharp/.test(found[2]) ? 1 : 11
  return (natural + sign) % 12
}

export function hertzOf(pitch: number): number {
  return 440 * 2 ** ((pitch - 69) / 12)
}

/** Chords written as Roman numerals, relative to the major scale of the tonic. Accidentals and
 *  extensions are allowed: `I`, `vi7`, `bVII`, `V7b9`, `IVmaj7`, `iv/5`. */
import { type Key, scaleOf } from './key.ts'

export interface Chord {
  /** Pitch class of the root, 0 (C) to 11 (B). */
  root: number
  /** Pitch classes of the chord in this order: root, third, fifth, seventh, ninth, as far as the
   *  chord has them. */
  tones: readonly number[]
  /** Pitch class of the lowest note. */
  bass: number
  numeral: string
}

/** Which notes a style adds to a plain numeral: `triad` none, `seventh` the seventh of the scale,
 *  `ninth` the seventh and the ninth. `power` leaves out the third. */
export type Colour = 'power' | 'triad' | 'seventh' | 'ninth'

const degrees: Record<string, number> = { i: 0, ii: 2, iii: 4, iv: 5, v: 7, vi: 9, vii: 11 }
const written = /^([b#]?)([iv]+|[IV]+)(°|ø|\+)?(maj7|maj9|sus2|sus4|7b9|add9|13|7|9|6|5)?(?:\/(3|5|7))?$/

/** Returns the chord that a numeral names. Throws a TypeError for other text. */
export function chordOf(numeral: string, key: Key, colour: Colour): Chord {
  const found = written.exec(numeral)
  const degree = degrees[(found?.[2] ?? '').toLowerCase()]
  if (!found || degree === undefined) throw new TypeError(`${numeral} is no chord`)
  const [, accidental, roman = '', altered, extension, inversion] = found
  const root = (key.tonic + degree + (accidental === 'b' ? 11 : accidental === '#' ? 1 : 0)) % 12
  const third = roman === roman.toLowerCase() ? 3 : 4
  const fifth = altered === '°' || altered === 'ø' ? 6 : altered === '+' ? 8 : 7
  const intervals = tonesOf({ third, fifth, altered, extension, colour }, natural(key, root))
  const tones = intervals.map(interval => (root + interval) % 12)
  const bass = inversion === undefined ? root : (tones[(Number(inversion) - 1) >> 1] ?? root)
  return { root, tones, bass, numeral }
}

interface Shape {
  third: number
  fifth: number
  altered: string | undefined
  extension: string | undefined
  colour: Colour
}

function tonesOf({ third, fifth, altered, extension, colour }: Shape, scale: { seventh: number; ninth: number }): number[] {
  const triad = [0, third, fifth]
  const seventh = altered === '°' ? 9 : altered === 'ø' ? 10 : third === 3 ? 10 : scale.seventh
  switch (extension) {
    case 'maj7':
      return colour === 'ninth' ? [...triad, 11, 2] : [...triad, 11]
    case 'maj9':
      return [...triad, 11, 2]
    case '7':
      return colour === 'ninth' ? [...triad, 10, scale.ninth] : [...triad, 10]
    case '9':
      return [...triad, 10, 2]
    case '13':
      return [0, third, 9, 10, 2]
    case '7b9':
      return [...triad, 10, 1]
    case '6':
      return [...triad, 9]
    case 'add9':
      return [...triad, 2]
    case 'sus2':
      return [0, 2, fifth]
    case 'sus4':
      return [0, 5, fifth]
    case '5':
      return [0, fifth]
    default:
      break
  }
  if (colour === 'power') return [0, fifth]
  if (colour === 'triad') return triad
  return colour === 'seventh' ? [...triad, seventh] : [...triad, seventh, scale.ninth]
}

/** Returns the seventh and the ninth above a root that belong to the scale, as intervals in
 *  semitones. */
function natural(key: Key, root: number): { seventh: number; ninth: number } {
  const scale = scaleOf(key)
  const has = (interval: number) => scale.includes((root + interval) % 12)
  return { seventh: has(11) && !has(10) ? 11 : 10, ninth: has(1) && !has(2) ? 1 : 2 }
}

import type { ArtKey } from '../scene.ts'
import type { ArtMatch } from './entry.ts'

/** Each row is the name of a part in the drawing functions, and a pattern for the words that mean
 *  this part. */
const partNames: readonly [part: string, words: RegExp][] = [
  ['wheels', /\b(wheels?|tires?|tyres?|rims?|hubcaps?)$/],
  ['sails', /\bsails?$/],
  ['stripe', /\b(stripes?|bands?)$/],
  ['roof', /\b(roof|top|roof ?tiles)$/],
  ['door', /\bdoor$/],
  ['windows', /\b(windows|window frames)$/],
  ['walls', /\b(walls?|siding)$/],
  ['chimney', /\bchimney$/],
]

const housed = ['roof', 'door', 'windows', 'walls', 'chimney']

/** For each drawing, the parts that can have another colour than the rest. */
const drawings: Record<string, readonly string[]> = {
  car: ['wheels', 'roof', 'stripe'],
  pickup: ['wheels', 'stripe'],
  truck: ['wheels'],
  'dump-truck': ['wheels'],
  'cement-mixer': ['wheels'],
  'garbage-truck': ['wheels'],
  'school-bus': ['wheels', 'stripe'],
  'double-decker-bus': ['wheels', 'stripe'],
  convertible: ['wheels'],
  jeep: ['wheels', 'roof'],
  'race-car': ['wheels', 'stripe'],
  tricycle: ['wheels'],
  sailboat: ['sails', 'stripe'],
  train: ['stripe', 'roof'],
  house: housed,
  'blind-house': ['roof', 'door', 'walls', 'chimney'],
  'house-of-two-storeys': housed,
  'house-of-three-storeys': housed,
  'house-of-four-storeys': housed,
}

/** Returns the part that the words name, if one of the drawings of the thing can colour it; else
 *  undefined. */
export function paintedPart(match: ArtMatch | undefined, words: string): string | undefined {
  const part = partNames.find(([, pattern]) => pattern.test(words.toLowerCase()))?.[0]
  if (!match || part === undefined) return undefined
  return [match.entry.key, ...match.entry.alternatives].some(key => drawings[nameOf(key)]?.includes(part)) ? part : undefined
}

export function hasPaintedParts(key: ArtKey): boolean {
  return drawings[nameOf(key)] !== undefined
}

function nameOf(key: ArtKey): string {
  return key.startsWith('drawn:') ? key.slice('drawn:'.length) : ''
}

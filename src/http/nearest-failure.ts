import type { Family, FamilyEntry } from '../contract/family.ts'
import { failureAt, partsOf, placesOf } from '../contract/places.ts'

/** Returns a function that chooses the error format for an unknown path. It searches for the
 *  longest known path that is the beginning of the unknown path, and returns the format of that
 *  path's family, because the request most likely comes from a client of that family. Undefined
 *  when the unknown path begins with no known path. */
export function nearestFailure(families: readonly FamilyEntry[]): (path: string) => Family['failure'] | undefined {
  const places = placesOf(families).sort((a, b) => b.parts.length - a.parts.length || verbs(b.path) - verbs(a.path))
  return path => {
    const requested = partsOf(path)
    const nearest = places.find(({ parts }) => liesAbove(parts, requested))
    return nearest && failureAt(nearest.family, nearest.operation, nearest.path)
  }
}

function liesAbove(parts: readonly string[], requested: readonly string[]): boolean {
  return parts.length <= requested.length && parts.every((part, index) => matches(part, requested[index] ?? ''))
}

/** Returns 1 for a path with a verb (`{model}:generateContent`), otherwise 0. For a request with a
 *  verb, a path with a verb is nearer than a path without. */
function verbs(path: string): number {
  return Number(path.includes('}:'))
}

/** Returns true when the words are equal, or when `part` is a parameter. A parameter with a verb
 *  (`{model}:generateContent`) matches words with any verb. */
function matches(part: string, requested: string): boolean {
  return part.startsWith('{') ? part.endsWith('}') || requested.includes(':') : part === requested
}

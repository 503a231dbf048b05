import type { Family, FamilyEntry } from '../contract/family.ts'
import { failureAt, partsOf, placesOf } from '../contract/places.ts'

/** Returns a function that chooses the error format for an unknown path. The request most likely
 *  comes from a client of the family whose operation has the most similar path, so the function
 *  returns the format of that family; undefined when no path is similar. */
export function nearestFailure(families: readonly FamilyEntry[]): (path: string) => Family['failure'] | undefined {
  const places = placesOf(families).sort((a, b) => b.parts.length - a.parts.length || wordsAfter(b.parts) - wordsAfter(a.parts))
  return path => {
    const requested = partsOf(path)
    const nearest = places.find(({ parts }) => liesAbove(parts, requested))
    return nearest && failureAt(nearest.family, nearest.operation, nearest.path)
  }
}

/** Returns the number of characters that follow parameters (`:generateContent`): of two paths that
 *  match, the one with more of them is the more similar one. */
function wordsAfter(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + (part.startsWith('{') ? part.length - part.indexOf('}') : 0), 0)
}

function liesAbove(parts: readonly string[], requested: readonly string[]): boolean {
  return parts.length <= requested.length && parts.every((part, index) => matches(part, requested[index] ?? ''))
}

/** Returns true for the same word, and for any word in the place of a parameter. A parameter with a
 *  verb (`{model}:generateContent`) stands for words with any verb. */
function matches(part: string, requested: string): boolean {
  return part.startsWith('{') ? part.endsWith('}') || requested.includes(':') : part === requested
}

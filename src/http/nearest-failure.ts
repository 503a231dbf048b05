import type { Family, FamilyEntry } from '../contract/family.ts'
import { failureAt, partsOf, placesOf } from '../contract/places.ts'

/** Returns a function that chooses the error format for an unknown path. The request most likely
 *  comes from a client of the family whose operation has the most similar path, so the function
 *  returns the format of that family; undefined when no path is similar. */
export function nearestFailure(families: readonly FamilyEntry[]): (path: string) => Family['failure'] | undefined {
  const places = placesOf(families).sort((a, b) => b.parts.length - a.parts.length)
  return path => {
    const requested = partsOf(path)
    const nearest = places.find(({ parts }) => liesAbove(parts, requested))
    return nearest && failureAt(nearest.family, nearest.operation, nearest.path)
  }
}

function liesAbove(parts: readonly string[], requested: readonly string[]): boolean {
  return parts.length <= requested.length && parts.every((part, index) => part.startsWith('{') || part === requested[index])
}

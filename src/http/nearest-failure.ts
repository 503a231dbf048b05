import type { Family, FamilyEntry } from '../contract/family.ts'
import { failureAt, pathsOf } from '../contract/places.ts'

/** Returns a function that finds the error format for an unknown path: that of the family with the
 *  nearest operation above the path, whose clients most likely sent the request. Undefined without
 *  one. */
export function nearestFailure(families: readonly FamilyEntry[]): (path: string) => Family['failure'] | undefined {
  const places = families.flatMap(({ family }) =>
    Object.values(family.operations).flatMap(operation =>
      pathsOf(operation).map(path => ({ parts: partsOf(path), failure: failureAt(family, operation, path) })),
    ),
  )
  places.sort((a, b) => b.parts.length - a.parts.length)
  return path => {
    const requested = partsOf(path)
    return places.find(({ parts }) => liesAbove(parts, requested))?.failure
  }
}

function liesAbove(parts: readonly string[], requested: readonly string[]): boolean {
  return parts.length <= requested.length && parts.every((part, index) => part.startsWith('{') || part === requested[index])
}

function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '')
}

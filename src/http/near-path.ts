import { type NameList, nameList } from '@generation-gateway/kit/near-names.ts'
import type { FamilyEntry } from '../contract/family.ts'
import { partsOf, placesOf } from '../contract/places.ts'

/** Least similarity of a suggested path, from 0 to 1. A less similar suggestion would mislead. */
const least = 0.7

/** Returns a function that finds the operation path most similar to a wrong path, of the same
 *  method if possible; undefined when none is similar. */
export function nearPath(families: readonly FamilyEntry[]): (method: string, path: string) => string | undefined {
  const places = placesOf(families).map(({ operation, parts }) => ({ method: operation.method, parts }))
  // Paths without parameters are prepared once; in the others the parameters are filled from the
  // requested path.
  const fixed = Map.groupBy(
    places.filter(({ parts }) => !parts.some(isParameter)),
    ({ method }) => method,
  )
  const fixedLists = new Map([...fixed].map(([method, own]) => [method, nameList(own.map(({ parts }) => textOf(parts)))]))
  const open = places.filter(({ parts }) => parts.some(isParameter))
  return (method, path) => {
    const requested = partsOf(path)
    const text = textOf(requested)
    const filled = (own: boolean): NameList =>
      nameList(
        open
          .filter(place => (place.method === method) === own && place.parts.length === requested.length)
          .filter(({ parts }) => isLike(parts, requested))
          .map(({ parts }) => textOf(filledIn(parts, requested))),
      )
    const ofMethod = (own: boolean): string | undefined => {
      const near = [...fixedLists].flatMap(([each, list]) => ((each === method) === own ? list.near(text, { most: 1, least }) : []))
      return nameList([...near, ...filled(own).near(text, { most: 1, least })]).near(text, { most: 1, least })[0]
    }
    const found = ofMethod(true) ?? ofMethod(false)
    // The requested path itself is no suggestion: nothing serves it, although it matches a path
    // with a parameter.
    return found === text ? undefined : found
  }
}

/** Returns true when two paths are similar apart from their parameters. A long id in both would
 *  make any two paths similar. */
function isLike(parts: readonly string[], requested: readonly string[]): boolean {
  const fixed = parts.map(part => (isParameter(part) ? endOf(part) : part))
  const given = parts.map((part, at) => (isParameter(part) ? valueAndEnd(part, requested[at]).end : (requested[at] ?? '')))
  return nameList([textOf(fixed)]).near(textOf(given), { least }).length > 0
}

function filledIn(parts: readonly string[], requested: readonly string[]): string[] {
  return parts.map((part, at) => {
    if (!isParameter(part)) return part
    const { value } = valueAndEnd(part, requested[at])
    return value === '' ? part : value + endOf(part)
  })
}

/** Returns the part after a parameter: `:predict` for `{model}:predict`, or ''. */
function endOf(part: string): string {
  return part.slice(part.indexOf('}') + 1)
}

/** Splits the given part into the parameter's value and the rest: in `{model}:predict` the value
 *  ends at the first colon. */
function valueAndEnd(part: string, given = ''): { value: string; end: string } {
  const colon = endOf(part) === '' ? -1 : given.indexOf(':')
  return colon < 0 ? { value: given, end: '' } : { value: given.slice(0, colon), end: given.slice(colon) }
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

function textOf(parts: readonly string[]): string {
  return `/${parts.join('/')}`
}

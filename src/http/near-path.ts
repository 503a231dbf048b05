import { type NameList, nameList } from '@generation-gateway/kit/near-names.ts'
import type { FamilyEntry } from '../contract/family.ts'
import { partsOf, placesOf } from '../contract/places.ts'

/** Lowest similarity, from 0 to 1, at which a path is suggested. A suggestion less similar than
 *  this would mislead. */
const least = 0.7

/** Returns a function that returns the known operation path most similar to an unknown path, if
 *  possible one with the same method; undefined when no known path is similar enough. */
export function nearPath(families: readonly FamilyEntry[]): (method: string, path: string) => string | undefined {
  const places = placesOf(families).map(({ operation, parts }) => ({ method: operation.method, parts }))
  // Paths without parameters are prepared once. In all other paths, the parameters are filled in
  // from the requested path before the comparison.
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
    // The suggestion may be the requested path itself, which matches a pattern but is served by no
    // operation. Such a suggestion would not help the caller.
    return found === text ? undefined : found
  }
}

/** Returns true when two paths are similar apart from their parameters. Parameters are left out,
 *  because the same long id in both paths would make any two paths similar. */
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

/** Returns the text after the parameter in a segment: `:predict` for `{model}:predict`; '' when
 *  nothing follows. */
function endOf(part: string): string {
  return part.slice(part.indexOf('}') + 1)
}

/** Splits a segment of the requested path into the value of the parameter and the text after it.
 *  In `{model}:predict`, the value ends at the first colon. */
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

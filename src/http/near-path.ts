import { type NameList, nameList } from '@generation-gateway/kit/near-names.ts'
import type { FamilyEntry } from '../contract/family.ts'
import type { Operation } from '../contract/operation.ts'
import { pathsOf } from '../contract/places.ts'

/** How much of a path has to be there: a suggestion that is only guessed misleads. */
const least = 0.7

/** Finds the path of an operation that a wrong path may have meant; undefined where none is near. Of the same method where there is one. */
export function nearPath(families: readonly FamilyEntry[]): (method: string, path: string) => string | undefined {
  const places = families.flatMap(({ family }) =>
    Object.values<Operation>(family.operations).flatMap(operation =>
      pathsOf(operation).map(path => ({ method: operation.method, parts: partsOf(path) })),
    ),
  )
  // Paths without parameters are prepared once; the others are filled with the parts of the path that is asked for.
  const fixed = Map.groupBy(
    places.filter(({ parts }) => !parts.some(isParameter)),
    ({ method }) => method,
  )
  const fixedLists = new Map([...fixed].map(([method, own]) => [method, nameList(own.map(({ parts }) => textOf(parts)))]))
  const open = places.filter(({ parts }) => parts.some(isParameter))
  return (method, path) => {
    const asked = partsOf(path)
    const text = textOf(asked)
    const filled = (own: boolean): NameList =>
      nameList(
        open
          .filter(place => (place.method === method) === own && place.parts.length === asked.length)
          .filter(({ parts }) => isLike(parts, asked))
          .map(({ parts }) => textOf(filledIn(parts, asked))),
      )
    const ofMethod = (own: boolean): string | undefined => {
      const near = [...fixedLists].flatMap(([each, list]) => ((each === method) === own ? list.near(text, { most: 1, least }) : []))
      return nameList([...near, ...filled(own).near(text, { most: 1, least })]).near(text, { most: 1, least })[0]
    }
    const found = ofMethod(true) ?? ofMethod(false)
    // A path that nothing stands at is no suggestion, although it looks like a path of a parameter.
    return found === text ? undefined : found
  }
}

/** Whether two paths look alike without their parameters. Those are filled from the given path: a long id would make any two paths look alike. */
function isLike(parts: readonly string[], asked: readonly string[]): boolean {
  const fixed = parts.map(part => (isParameter(part) ? endOf(part) : part))
  const given = parts.map((part, at) => (isParameter(part) ? valueAndEnd(part, asked[at]).end : (asked[at] ?? '')))
  return nameList([textOf(fixed)]).near(textOf(given), { least }).length > 0
}

function filledIn(parts: readonly string[], asked: readonly string[]): string[] {
  return parts.map((part, at) => {
    if (!isParameter(part)) return part
    const { value } = valueAndEnd(part, asked[at])
    return value === '' ? part : value + endOf(part)
  })
}

/** `:predict` of `{model}:predict`, or nothing. */
function endOf(part: string): string {
  return part.slice(part.indexOf('}') + 1)
}

/** What the given part has for a parameter, and behind it: `{model}:predict` takes what stands before the first colon. */
function valueAndEnd(part: string, given = ''): { value: string; end: string } {
  const colon = endOf(part) === '' ? -1 : given.indexOf(':')
  return colon < 0 ? { value: given, end: '' } : { value: given.slice(0, colon), end: given.slice(colon) }
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '')
}

function textOf(parts: readonly string[]): string {
  return `/${parts.join('/')}`
}

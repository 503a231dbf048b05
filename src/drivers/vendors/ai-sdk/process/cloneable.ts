/** Prepares values for a channel, which can send neither functions nor URL objects. */
import { isObject } from '@generation-gateway/kit/json.ts'

const deepest = 64

/** Returns a copy of plain objects and lists, without functions and symbols. Members that are
 *  nested deeper than 64 levels are left out. An object that occurs several times is copied
 *  once; `copies` maps it to its copy. */
export function cloneable(value: unknown, depth = deepest, copies = new Map<object, object>()): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || depth === 0) return undefined
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  const copy = Array.isArray(value) ? [] : {}
  copies.set(value, copy)
  for (const [name, each] of Object.entries(value)) Reflect.set(copy, name, cloneable(each, depth - 1, copies))
  return copy
}

/** Returns an object with the members of `value` that the paths name (`response.body.meta`). */
export function picked(value: object, paths: readonly string[]): object {
  const copy = {}
  for (const path of paths) pick(value, copy, path.split('.'))
  return copy
}

function pick(from: object, to: object, [name = '', ...rest]: string[]): void {
  const value: unknown = Reflect.get(from, name)
  if (value === undefined) return
  if (rest.length === 0) {
    Reflect.set(to, name, value)
    return
  }
  if (!isObject(value)) return
  const inner = {}
  Reflect.set(to, name, inner)
  pick(value, inner, rest)
}

/** The place of a URL object in a value, and its text. */
export interface UrlPlace {
  path: string[]
  href: string
}

/** Removes the URL objects below `path` from a value, because a channel cannot send them.
 *  Returns their places. */
export function takeUrls(value: object, path: readonly string[]): UrlPlace[] {
  const found: UrlPlace[] = []
  const names = [...path]
  const walk = (owner: object): void => {
    for (const name in owner) {
      const each: unknown = Reflect.get(owner, name)
      if (typeof each !== 'object' || each === null || ArrayBuffer.isView(each) || names.length === deepest) continue
      names.push(name)
      if (each instanceof URL) {
        found.push({ path: [...names], href: each.href })
        Reflect.set(owner, name, undefined)
      } else walk(each)
      names.pop()
    }
  }
  walk(value)
  return found
}

/** Puts a URL object back into its place. */
export function putUrl(value: unknown, { path, href }: UrlPlace): void {
  const [last, ...outer] = path.toReversed()
  let owner: unknown = value
  for (const name of outer.toReversed()) owner = Reflect.get(Object(owner), name)
  if (last !== undefined && typeof owner === 'object' && owner !== null) Reflect.set(owner, last, new URL(href))
}

/** Returns the lists of numbers as 32-bit floats. Returns undefined when an element is not a list
 *  or contains anything other than numbers. */
export function packedVectors(lists: unknown): Float32Array<ArrayBuffer>[] | undefined {
  if (!Array.isArray(lists)) return undefined
  const vectors: Float32Array<ArrayBuffer>[] = []
  for (const list of lists) {
    if (!Array.isArray(list) || !list.every(each => typeof each === 'number')) return undefined
    vectors.push(Float32Array.from(list))
  }
  return vectors
}

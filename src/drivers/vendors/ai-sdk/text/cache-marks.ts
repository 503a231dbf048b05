/** Gives the caller's cache marks to parts, tools and instructions of a prompt, as options that the
 *  package documents. */
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { TextItem, TextPart } from '@generation-gateway/kit/requests/text.ts'

/** The key in `providerOptions` under which the package accepts cache marks; undefined when it
 *  accepts none. */
export interface MarkTarget {
  marksUnder: string | undefined
}

interface Marked {
  cacheControl?: JsonObject
}

/** Returns the part or tool with the cache mark among its options. */
export function withMark<Part extends { providerOptions?: JsonObject }>(
  part: Part,
  { cacheControl }: Marked,
  { marksUnder: key }: MarkTarget,
): Part {
  if (cacheControl === undefined || key === undefined) return part
  const options = objectOf(part.providerOptions)
  return { ...part, providerOptions: { ...options, [key]: { ...objectOf(options[key]), cacheControl } } }
}

/** Returns the cache mark of a result. A package accepts only one mark per result: the result's own
 *  mark is used, or without one the last mark of its parts. */
export function markOfResult({ cacheControl, output }: Extract<TextItem, { type: 'result' }>): Marked {
  if (cacheControl !== undefined) return { cacheControl }
  return typeof output === 'string' ? {} : lastMark(output)
}

/** Returns the last cache mark among the parts. */
export function lastMark(parts: readonly TextPart[]): Marked {
  const marked = parts.findLast(part => part.cacheControl !== undefined)
  return marked?.cacheControl === undefined ? {} : { cacheControl: marked.cacheControl }
}

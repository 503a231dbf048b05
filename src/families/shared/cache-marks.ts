/** Reads cache marks (`cache_control`). Anthropic's protocol has them in blocks and tools;
 *  services such as OpenRouter also accept them in the parts of chat messages. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'

interface Marked {
  cacheControl?: JsonObject
}

/** Returns the cache mark of an object of the protocol as a member of the neutral form; an empty
 *  object without a mark. */
export function markIn(wire: object): Marked {
  const mark: unknown = Reflect.get(wire, 'cache_control')
  return isObject(mark) ? { cacheControl: mark } : {}
}

/** Returns the neutral parts that one object of the protocol was translated into; the last part
 *  gets the cache mark of the object. */
export function markedParts<Part extends object>(parts: readonly Part[], wire: object): (Part & Marked)[] {
  const mark = markIn(wire)
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...mark } : part))
}

/** Reads cache marks (`cache_control`). Anthropic's protocol has them in blocks and tools;
 *  services such as OpenRouter also accept them in the parts of chat messages. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'

interface Marked {
  cacheControl?: JsonObject
}

/** Returns the cache mark of a block, tool or part as a member of its neutral form; an empty object
 *  when it has no mark. */
export function markIn(wire: object): Marked {
  const mark: unknown = Reflect.get(wire, 'cache_control')
  return isObject(mark) ? { cacheControl: mark } : {}
}

/** Returns the neutral parts into which one block, tool or part was translated. The last of them
 *  gets its cache mark. */
export function markedParts<Part extends object>(parts: readonly Part[], wire: object): (Part & Marked)[] {
  const mark = markIn(wire)
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...mark } : part))
}

/** Marks for the cache of a service, which Anthropic's protocol has in its blocks and tools, and
 *  services like OpenRouter in the parts of chat. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'

interface Marked {
  cacheControl?: JsonObject
}

/** Returns the mark of a wire object as a member of its neutral form; nothing without a mark. */
export function markIn(wire: object): Marked {
  const mark: unknown = Reflect.get(wire, 'cache_control')
  return isObject(mark) ? { cacheControl: mark } : {}
}

/** Returns the neutral parts of one wire object with its mark, which ends the last of them. */
export function markedParts<Part extends object>(parts: readonly Part[], wire: object): (Part & Marked)[] {
  const mark = markIn(wire)
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...mark } : part))
}

import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'

/** Returns the `providerOptions` of a call. Options that are derived from the request (`own`)
 *  are put under `key`, and left out when it is undefined. Options that the target sets for
 *  every call (`fixed`) override them. */
export function mergedOptions(key: string | undefined, own: JsonObject, fixed: Readonly<JsonObject>): JsonObject {
  if (key === undefined) return { ...fixed }
  const merged = { ...own, ...objectOf(fixed[key]) }
  return Object.keys(merged).length === 0 ? { ...fixed } : { ...fixed, [key]: merged }
}

/** Finds the fields of a body that a family does not translate into the neutral request. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'

/** Returns the members of a body whose names are not `known`, without those that are null. */
export function othersIn(body: object, known: ReadonlySet<string>): JsonObject {
  const others: JsonObject = {}
  // The loop creates no list of the members: for the 60,000 members of a hostile body, lists take
  // many times as long.
  for (const name in body) {
    if (known.has(name) || name === '__proto__') continue
    // The cast is safe: the body comes from JSON.parse, so all of its members are JSON.
    const value = (body as JsonObject)[name]
    if (value !== null && value !== undefined) others[name] = value
  }
  return others
}

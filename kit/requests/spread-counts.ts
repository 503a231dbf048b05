/** Collects token counts that a protocol spreads over several events of one answer. */
import { isObject, type Json, type JsonObject, objectOf } from '../json.ts'

/** Largest number of differently named counts that are kept of one answer; others are ignored. */
const mostNames = 100

/** Joins the objects with counts of one answer. A later count replaces an earlier one of the same
 *  name. Only a number above 0 or an object is a count; any other value is ignored. */
export class SpreadCounts {
  readonly #counts = new Map<string, Json>()

  add(counts: unknown): void {
    for (const [name, value] of Object.entries(objectOf(counts))) {
      const isCount = isObject(value) || (typeof value === 'number' && value > 0)
      if (isCount && (this.#counts.size < mostNames || this.#counts.has(name))) this.#counts.set(name, value)
    }
  }

  /** Returns all counts received so far as one object. */
  whole(): JsonObject {
    return Object.fromEntries(this.#counts)
  }
}

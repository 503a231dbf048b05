/** Token counts that a protocol spreads over several events of one answer. */
import { isObject, type Json, type JsonObject, objectOf } from '../json.ts'

/** Largest number of names of counts in one answer. */
const mostNames = 100

/** Joins the objects with counts of one answer. Later counts replace earlier ones of the same name;
 *  a value that is 0 or no count (null, text, below 0) replaces nothing. */
export class SpreadCounts {
  readonly #counts = new Map<string, Json>()

  add(counts: unknown): void {
    for (const [name, value] of Object.entries(objectOf(counts))) {
      const isCount = isObject(value) || (typeof value === 'number' && value > 0)
      if (isCount && (this.#counts.size < mostNames || this.#counts.has(name))) this.#counts.set(name, value)
    }
  }

  /** Returns all counts so far as one object. */
  whole(): JsonObject {
    return Object.fromEntries(this.#counts)
  }
}

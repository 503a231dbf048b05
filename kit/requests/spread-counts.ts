/** Collects token counts that a protocol spreads over several events of one answer. */
import { isObject, type Json, type JsonObject, objectOf, objectsOf } from '../json.ts'

/** Largest number of differently named counts that are kept of one answer; others are ignored. */
const mostNames = 100

/** Largest number of objects that are kept of a list; others are ignored. */
const mostSteps = 1_000

/** Longest name of a tier or speed, in characters. */
const longestWord = 40

/** Joins the counts of one answer, which arrive in several objects. A later count replaces an
 *  earlier one of the same name. Counts are numbers above 0, objects, and names of tiers; other
 *  values are ignored, and a name never replaces a number. Counts in an inner object
 *  (`cache_creation`) are joined in the same way. A list of objects (`iterations`) replaces an
 *  earlier list as a whole. */
export class SpreadCounts {
  readonly #counts = new Map<string, Json>()

  add(counts: unknown): void {
    for (const [name, value] of Object.entries(objectOf(counts))) {
      const earlier = this.#counts.get(name)
      if (earlier === undefined && this.#counts.size >= mostNames) continue
      const steps = objectsOf(value)
      if (steps.length > 0) this.#counts.set(name, steps.slice(0, mostSteps))
      else if (isObject(value)) this.#counts.set(name, joined(objectOf(earlier), value))
      else if (isCount(value) || (isWord(value) && !isCount(earlier))) this.#counts.set(name, value)
    }
  }

  /** Returns all counts received so far as one object. */
  whole(): JsonObject {
    return Object.fromEntries(this.#counts)
  }
}

function joined(earlier: JsonObject, later: JsonObject): JsonObject {
  const counts = Object.entries(later).filter(([, value]) => isCount(value))
  return Object.fromEntries(Object.entries({ ...earlier, ...Object.fromEntries(counts) }).slice(0, mostNames))
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && value > 0
}

function isWord(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length <= longestWord
}

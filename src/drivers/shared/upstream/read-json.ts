/** Looks into JSON of others: whatever is not as expected counts as absent. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { mostTokens } from '@generation-gateway/kit/requests/text.ts'

/** The texts of an array. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

/** A count, or 0: also for more than 2^31 - 1, which no service counts in one answer. It would stay in the reports and quotas of the account. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= mostTokens ? Math.round(value) : 0
}

const mostSeconds = 24 * 3600

/** Seconds of a sound or video, above 0 and at most a day; undefined for everything else. */
export function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value <= mostSeconds ? value : undefined
}

/** Only the members that have a value. */
export function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

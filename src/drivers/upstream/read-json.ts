/** Looks into JSON of others: whatever is not as expected counts as absent. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'

/** An object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The objects of an array. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The texts of an array. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

/** A count, or 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}

/** Only the members that have a value. */
export function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Plain JSON, as stored in rows. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined }

export type JsonObject = { [key: string]: Json | undefined }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** A list, or an empty one. */
export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

/** The objects of a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A JSON number with exactly these digits, also beyond the safe range. `JSON.rawJSON` is in Node 26 but not yet in the type library. */
export function exactNumber(digits: string): number {
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  return (JSON as unknown as { rawJSON(text: string): number }).rawJSON(digits)
}

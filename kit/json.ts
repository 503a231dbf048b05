/** A JSON value, as it is stored in the database. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined }

export type JsonObject = { [key: string]: Json | undefined }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value when it is an object; else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the value when it is a list; else an empty list. */
export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

/** Returns the objects in a list; empty when the value is not a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns the value when it is a non-empty string; else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the value of a JSON text; undefined when the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a JSON number with exactly the digits of this integer, even when a JavaScript number
 *  cannot hold it. The cast is needed because the type library lacks `JSON.rawJSON`, which Node 26
 *  has. */
export function exactNumber(digits: string): number {
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  return (JSON as unknown as { rawJSON(text: string): number }).rawJSON(String(BigInt(digits)))
}

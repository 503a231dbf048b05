/** Plain JSON, as stored in rows. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined }

export type JsonObject = { [key: string]: Json | undefined }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON number with exactly these digits, also beyond the safe range. `JSON.rawJSON` is in Node 26 but not yet in the type library. */
export function exactNumber(digits: string): number {
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  return (JSON as unknown as { rawJSON(text: string): number }).rawJSON(digits)
}

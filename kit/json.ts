/** Plain JSON, as stored in rows. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined }

export type JsonObject = { [key: string]: Json | undefined }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

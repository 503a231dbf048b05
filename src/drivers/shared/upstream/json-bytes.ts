/** Encodes JSON bodies; those with long strings, such as pictures in base64, in many turns of
 *  the event loop. `JSON.stringify` would take 2.6 ms of CPU time for each MB of such strings in
 *  a single turn. */
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'

/** A string with more characters than this is encoded in pieces of at most this many characters,
 *  one piece in each turn of the event loop. */
const mostAtOnce = 2 ** 21

/** Returns the value as JSON, with U+FFFD in place of each half of a surrogate pair. Many services
 *  answer the escape of such a half (`\ud83d`) with an error. */
export function jsonText(value: Json): string {
  const text = JSON.stringify(value)
  // `JSON.stringify` escapes only such halves in a way that begins with `\ud`. A text with a
  // backslash and these letters has this too; then the value is encoded twice and not changed.
  return text.includes('\\ud') ? JSON.stringify(wellFormed(value)) : text
}

/** Returns true for a body with a string so long that `jsonBytes` encodes it in several turns of
 *  the event loop. */
export function hasLongString(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.length > mostAtOnce
  if (Array.isArray(value)) return value.some(hasLongString)
  if (!isObject(value)) return false
  for (const name in value) if (hasLongString(value[name])) return true
  return false
}

/** Resolves with the bytes of `jsonText(value)`. */
export async function jsonBytes(value: JsonObject): Promise<Buffer> {
  const secret = randomUUID()
  const long: string[] = []
  const text = jsonText(withPlaceholders(value, each => `${secret}@${long.push(each) - 1}@`) ?? null)
  const pieces: Buffer[] = []
  // `split` with a capturing group puts the texts at even indexes and the numbers of the long
  // strings at odd ones.
  for (const [at, piece] of text.split(new RegExp(`"${secret}@([0-9]+)@"`)).entries()) {
    if (at % 2 === 0) pieces.push(Buffer.from(piece))
    else await addString(pieces, long[Number(piece)] ?? '')
  }
  return Buffer.concat(pieces)
}

async function addString(pieces: Buffer[], text: string): Promise<void> {
  pieces.push(Buffer.from('"'))
  for (let start = 0; start < text.length; ) {
    await nextTurn()
    let end = Math.min(start + mostAtOnce, text.length)
    // A cut must not separate the two halves of a surrogate pair.
    if (isFirstHalf(text.charCodeAt(end - 1)) && end < text.length) end += 1
    pieces.push(Buffer.from(jsonText(text.slice(start, end)).slice(1, -1)))
    start = end
  }
  pieces.push(Buffer.from('"'))
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

function withPlaceholders(value: Json | undefined, placeholderOf: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return value.length > mostAtOnce ? placeholderOf(value) : value
  if (Array.isArray(value)) return value.map(each => withPlaceholders(each, placeholderOf) ?? null)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withPlaceholders(each, placeholderOf)]))
}

function wellFormed(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(each => wellFormed(each) ?? null)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toWellFormed(), wellFormed(each)]))
}

/** Summaries of conversations in `encrypted_content`: callers send them back in place of the
 *  conversation, and only a gateway can read them. */
import { isObject, parsedJson } from '../json.ts'

const mark = 'summary='

/** Returns the text for `encrypted_content`. */
export function sealedSummary(summary: string): string {
  return mark + Buffer.from(JSON.stringify({ summary })).toString('base64url')
}

/** Returns true for an `encrypted_content` that a gateway wrote, and no upstream can read. */
export function isSealedSummary(encrypted: unknown): encrypted is string {
  return typeof encrypted === 'string' && encrypted.startsWith(mark)
}

/** Returns the summary; undefined for a content that no gateway wrote, or that is damaged. */
export function openedSummary(encrypted: string): string | undefined {
  if (!isSealedSummary(encrypted)) return undefined
  const value = parsedJson(Buffer.from(encrypted.slice(mark.length), 'base64url').toString())
  return isObject(value) && typeof value.summary === 'string' ? value.summary : undefined
}

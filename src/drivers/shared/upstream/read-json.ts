/** Reads the JSON of services. A value of an unexpected type counts as absent. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, textOf } from '@generation-gateway/kit/json.ts'
import { mostTokens } from '@generation-gateway/kit/requests/text.ts'

/** Returns the strings of an array. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

/** Returns the count as an integer. Returns 0 when the value is not a number above 0. Also returns
 *  0 above 2^31 - 1: no service reaches this in one answer, and a wrong count would stay in the
 *  account's reports and quotas. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= mostTokens ? Math.round(value) : 0
}

const mostSeconds = 24 * 3600

/** Returns the length of a sound or video in seconds, above 0 and at most a day; undefined for any
 *  other value. */
export function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value <= mostSeconds ? value : undefined
}

const longestId = 200

/** Returns an id that a service assigned: a text of 1 to 200 characters that a URL can contain;
 *  undefined for any other value. */
export function idOf(value: unknown): string | undefined {
  const id = urlTextOf(value)
  return id !== undefined && id.length <= longestId ? id : undefined
}

/** Returns a non-empty text that a URL can contain; undefined for any other value. A URL cannot
 *  contain half of a surrogate pair. */
export function urlTextOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text?.isWellFormed() ? text : undefined
}

/** Yields the chunks of an answer. Throws `upstream_error` when they have more than `maxBytes`
 *  together. */
export async function* chunksUpTo(maxBytes: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new GatewayError('upstream_error', `The upstream service answered with more than ${maxBytes} bytes.`)
    yield chunk
  }
}

/** Returns the value of a JSON text. Throws `upstream_error` with the sentence `says` when the text
 *  is not JSON. */
export function upstreamJson(text: string, says = 'The upstream service answered with something that is no JSON.'): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The message of a SyntaxError quotes the text, which must not be logged, so only the error's
    // name is kept.
    const cause = error instanceof Error ? error.name : undefined
    throw new GatewayError('upstream_error', says, { cause })
  }
}

/** The answer of `streamGenerateContent` without `alt=sse`: a JSON array whose elements are sent
 *  while they are made. */
import { type GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { googleFailure } from '../shared/google-failure.ts'
import type { ContentAnswer } from './reply-schema.ts'

/** Yields the bytes of the array. A failure before the first element is thrown; a later failure
 *  becomes the last element, `{ error }`. */
export async function* arrayOf(pieces: AsyncIterable<ContentAnswer>, requestId: string): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  try {
    for await (const piece of pieces) {
      yield Buffer.from(`${hasBegun ? ',\r\n' : '['}${JSON.stringify(piece)}`)
      hasBegun = true
    }
  } catch (error) {
    if (!hasBegun) throw error
    yield Buffer.from(endOfBroken(toGatewayError(error), requestId))
    return
  }
  yield Buffer.from(hasBegun ? ']' : '[]')
}

/** Returns the text that ends an array after an error: a comma, a last element `{ error }` and
 *  the bracket. The array must have at least one element. */
export function endOfBroken(error: GatewayError, requestId: string): string {
  return `,\r\n${JSON.stringify(googleFailure(error, requestId).body)}]`
}

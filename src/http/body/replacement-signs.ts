/** Finds texts whose bytes were not valid UTF-8. The multipart parser returns U+FFFD (the
 *  replacement character) for invalid bytes and also for a U+FFFD that the client sent; this
 *  module distinguishes the two. */
import { type GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'

const sign = '\ufffd'
const signBytes = Buffer.from(sign)

/** Compares the number of U+FFFD in the bytes of a body with the number in its decoded texts.
 *  Bytes of a file may look like the character and are counted, too: an invalid text may
 *  therefore be accepted, but no valid text is refused. */
export class ReplacementSigns {
  #sent = 0
  #told = 0
  /** Last bytes of the previous chunk, which may be the beginning of a U+FFFD (three bytes in
   *  UTF-8). */
  #tail = Buffer.alloc(0)

  see(chunk: Buffer): void {
    this.#sent += countIn(Buffer.concat([this.#tail, chunk.subarray(0, signBytes.length - 1)]), this.#tail.length)
    this.#sent += countIn(chunk, chunk.length)
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-(signBytes.length - 1))]).subarray(-(signBytes.length - 1))
  }

  /** Returns true when the text contains a U+FFFD that the client did not send. Must be called
   *  once for each text, in the order of the texts in the body. */
  isBroken(text: string): boolean {
    this.#told += text.split(sign).length - 1
    return this.#told > this.#sent
  }
}

export function notUtf8(field: string): GatewayError {
  return invalidField(field, `${field} is not valid UTF-8.`, 'utf8')
}

/** Counts the U+FFFD whose first byte lies before `end`. */
function countIn(bytes: Buffer, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(signBytes); at >= 0 && at < end; at = bytes.indexOf(signBytes, at + signBytes.length)) count += 1
  return count
}

/** Distinguishes texts whose bytes were not UTF-8 from texts that contain U+FFFD as sent; the
 *  multipart parser returns U+FFFD for both. */
import { type GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'

const sign = '\ufffd'
const signBytes = Buffer.from(sign)

/** Counts U+FFFD in the bytes of a body as they arrive, and in its texts. Bytes of a file that look
 *  like the character count, too: an invalid text may therefore be accepted, but no valid one is
 *  refused. */
export class ReplacementSigns {
  #sent = 0
  #told = 0
  /** The end of the last chunk, which may contain the beginning of the character. */
  #tail = Buffer.alloc(0)

  see(chunk: Buffer): void {
    this.#sent += countIn(Buffer.concat([this.#tail, chunk.subarray(0, signBytes.length - 1)]), this.#tail.length)
    this.#sent += countIn(chunk, chunk.length)
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-(signBytes.length - 1))]).subarray(-(signBytes.length - 1))
  }

  /** Returns true when the text contains a U+FFFD that was not sent. Call it once for each text, in
   *  their order. */
  isBroken(text: string): boolean {
    this.#told += text.split(sign).length - 1
    return this.#told > this.#sent
  }
}

export function notUtf8(field: string): GatewayError {
  return invalidField(field, `${field} is not valid UTF-8.`, 'utf8')
}

/** Counts the characters that begin before `end`. */
function countIn(bytes: Buffer, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(signBytes); at >= 0 && at < end; at = bytes.indexOf(signBytes, at + signBytes.length)) count += 1
  return count
}

/** Tells texts whose bytes were not UTF-8 from those that have the character U+FFFD of their own: the parser of parts gives U+FFFD for both. */
import { type GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'

const sign = '\ufffd'
const signBytes = Buffer.from(sign)

/** Counts the signs in the bytes of a body as they come, and those of its texts. Bytes of a file that look like one count too, so that a text may pass which is not UTF-8; none is refused that is. */
export class ReplacementSigns {
  #sent = 0
  #told = 0
  /** The end of the last chunk, in which a sign may begin. */
  #tail = Buffer.alloc(0)

  see(chunk: Buffer): void {
    this.#sent += countIn(Buffer.concat([this.#tail, chunk.subarray(0, signBytes.length - 1)]), this.#tail.length)
    this.#sent += countIn(chunk, chunk.length)
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-(signBytes.length - 1))]).subarray(-(signBytes.length - 1))
  }

  /** Whether the text has signs that nobody sent. Texts are asked for once each, in their order. */
  isBroken(text: string): boolean {
    this.#told += text.split(sign).length - 1
    return this.#told > this.#sent
  }
}

export function notUtf8(field: string): GatewayError {
  return invalidField(field, `${field} is not valid UTF-8.`, 'utf8')
}

/** Signs that begin before `end`. */
function countIn(bytes: Buffer, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(signBytes); at >= 0 && at < end; at = bytes.indexOf(signBytes, at + signBytes.length)) count += 1
  return count
}

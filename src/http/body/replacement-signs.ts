/** Finds texts whose bytes were not valid UTF-8. The multipart parser returns U+FFFD (the
 *  replacement character) for invalid bytes and also for a U+FFFD that the client sent; this
 *  module distinguishes the two. */
import { type GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import { Occurrences } from './occurrences.ts'

const sign = '\ufffd'

/** Compares the number of U+FFFD in the bytes of a body with the number in its decoded texts.
 *  Bytes of a file may look like the character and are counted, too: an invalid text may
 *  therefore be accepted, but no valid text is refused. */
export class ReplacementSigns {
  readonly #sent = new Occurrences(Buffer.from(sign))
  #told = 0

  see(chunk: Buffer): void {
    this.#sent.see(chunk)
  }

  /** Returns true when the text contains a U+FFFD that the client did not send. Must be called
   *  once for each text, in the order of the texts in the body. */
  isBroken(text: string): boolean {
    this.#told += text.split(sign).length - 1
    return this.#told > this.#sent.count
  }
}

export function notUtf8(field: string): GatewayError {
  return invalidField(field, `${field} is not valid UTF-8.`, 'utf8')
}

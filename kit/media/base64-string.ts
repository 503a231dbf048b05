/** Reads the contents of one JSON string that holds base64: resolves the escapes and passes the
 *  characters to the decoder. */
import { type Base64Decoder, Base64Error } from './base64-decoder.ts'

const quote = 0x22
const backslash = 0x5c
const slash = 0x2f
const letterU = 0x75
// Whitespace that JSON can write only as an escape: line breaks of MIME base64, and tabs.
const blankEscapes = new Set([0x6e, 0x72, 0x74, 0x66])

export class Base64String {
  readonly #decoder: Base64Decoder
  /** The beginning of an unfinished escape, including the backslash. */
  #escape = ''
  #isDone = false

  constructor(decoder: Base64Decoder) {
    this.#decoder = decoder
  }

  /** True once the closing quote has been read. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** Reads from `start` through the closing quote, else to the end of the chunk; returns the offset
   *  after the last byte read. Throws `Base64Error`. */
  read(chunk: Buffer, start: number): number {
    // The first quote ends the string: a quote inside the string would be escaped, and an escaped
    // quote is not base64.
    const found = chunk.indexOf(quote, start)
    const stop = found < 0 ? chunk.length : found
    const inside = chunk.subarray(0, stop)
    let at = start
    while (at < stop) {
      if (this.#escape !== '') {
        this.#readEscape(inside[at++]!)
        continue
      }
      const next = inside.indexOf(backslash, at)
      const end = next < 0 ? stop : next
      this.#decoder.append(inside, at, end)
      at = end
      if (next >= 0) {
        this.#escape = '\\'
        at += 1
      }
    }
    if (found < 0) return stop
    if (this.#escape !== '') throw new Base64Error('alphabet')
    this.#isDone = true
    this.#decoder.end()
    return found + 1
  }

  #readEscape(code: number): void {
    if (this.#escape === '\\') {
      if (code === letterU) this.#escape = '\\u'
      else if (code === slash) this.#resolve(slash)
      else if (blankEscapes.has(code)) this.#escape = ''
      else throw new Base64Error('alphabet')
      return
    }
    this.#escape += String.fromCharCode(code)
    if (this.#escape.length < 6) return
    const hex = this.#escape.slice(2)
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw new Base64Error('alphabet')
    const value = Number.parseInt(hex, 16)
    if (value === 0x09 || value === 0x0a || value === 0x0c || value === 0x0d) this.#escape = ''
    else if (value >= 0x20 && value < 0x7f) this.#resolve(value)
    else throw new Base64Error('alphabet')
  }

  #resolve(code: number): void {
    this.#escape = ''
    this.#decoder.appendByte(code)
  }
}

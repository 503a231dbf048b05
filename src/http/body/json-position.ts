/** Finds the offset at which a text stops being valid JSON, for the error message. `JSON.parse`
 *  reports the offset only for some errors, and its messages quote the caller's text, which must
 *  not appear in error messages. */
import { type JsonKind, JsonScanner, type JsonVisitor, keyText } from '@generation-gateway/kit/json-scanner.ts'

const backslash = 0x5c
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
/** Matches the start of a literal or number, complete or not: the longest prefix of the text
 *  that could still become a valid one. */
const scalarBegin =
  /^(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?)/

/** Returns the offset of the first byte that cannot be part of valid JSON. Returns the length of
 *  the text when the JSON is incomplete, and -1 when it is valid. */
export function findJsonError(text: Buffer): number {
  return new FaultFinder().find(text)
}

class FaultFinder implements JsonVisitor {
  readonly #scanner = new JsonScanner(this)
  #start = 0
  #first = -1

  find(text: Buffer): number {
    // A number at the end of the text could continue, so the scanner would wait for more digits.
    // The added space ends the number.
    this.#scanner.feed(Buffer.concat([text, Buffer.from(' ')]))
    return this.#first < 0 && !this.#scanner.isWhole ? text.length : this.#first
  }

  fault(at: number): void {
    if (this.#first < 0) this.#first = at
    this.#scanner.stop()
  }

  begin(_kind: JsonKind, at: number): void {
    this.#start = at
  }

  end(kind: JsonKind, at: number, chunk: Buffer): void {
    if (kind !== 'scalar' || isPlainInteger(chunk, this.#start, at)) return
    const text = keyText(chunk, this.#start, at)
    if (!scalar.test(text)) this.fault(this.#start + scalarBegin.exec(text)![0].length)
  }

  text(start: number, end: number, chunk: Buffer): void {
    const at = textFault(chunk, start, end)
    if (at >= 0) this.fault(at)
  }
}

/** Fast path: most literals and numbers are plain integers, which this check recognizes without
 *  creating a string. */
function isPlainInteger(text: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text[at]! < 0x30 || text[at]! > 0x39) return false
  return text[start] !== 0x30 || end === start + 1
}

/** Returns the offset of the first byte that is not allowed in a JSON string; -1 when there is
 *  none. */
function textFault(text: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (text[at]! < 0x20) return at
    if (text[at] !== backslash) continue
    const escaped = String.fromCharCode(text[++at]!)
    if (escaped !== 'u' && !'"\\/bfnrt'.includes(escaped)) return at
    if (escaped === 'u') for (const last = at + 4; at < last; ) if (!isHex(text[++at]!)) return at
  }
  return -1
}

function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)
}

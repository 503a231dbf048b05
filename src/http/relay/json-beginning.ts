/** Parses the beginning of a JSON text that is too large to be read completely. */
import { type JsonKind, JsonScanner, type JsonVisitor } from '@generation-gateway/kit/json-scanner.ts'

/** Returns the part of the value that has arrived: lists, objects and strings that are still
 *  open are closed at the end of the bytes. Undefined when the bytes are not the beginning of
 *  JSON. */
export function beginningOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(new Beginning().cut(bytes))
  } catch {
    return undefined
  }
}

class Beginning implements JsonVisitor {
  readonly #scanner = new JsonScanner(this)
  #closers = ''
  /** The last offset at which every open value can be closed. `closers` are the characters that
   *  close these values. */
  #safe = { end: 0, closers: '' }
  #isText = false
  #isBroken = false

  /** Returns the bytes up to the last offset at which all open values can be closed, completed to
   *  valid JSON; '' when the bytes contain a syntax error. */
  cut(bytes: Buffer): string {
    this.#scanner.feed(bytes)
    if (this.#isBroken) return ''
    if (this.#isText) return `${openText(bytes)}"${this.#closers}`
    return bytes.toString('utf8', 0, this.#safe.end) + this.#safe.closers
  }

  begin(kind: JsonKind, at: number): void {
    this.#isText = kind === 'string'
    if (kind === 'object' || kind === 'array') this.#note(at + 1, (kind === 'object' ? '}' : ']') + this.#closers)
  }

  end(kind: JsonKind, at: number): void {
    this.#isText = false
    this.#note(at, kind === 'object' || kind === 'array' ? this.#closers.slice(1) : this.#closers)
  }

  fault(): void {
    this.#isBroken = true
  }

  #note(end: number, closers: string): void {
    this.#closers = closers
    this.#safe = { end, closers }
  }
}

/** Closes a string that is not complete at the end of the bytes. An incomplete escape sequence
 *  is dropped. */
function openText(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/(?<!\\)((?:\\\\)*)\\(u[0-9a-fA-F]{0,3})?$/, '$1')
}

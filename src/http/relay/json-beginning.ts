/** Reads the beginning of JSON that is too large to wait for its end. */
import { type JsonKind, JsonScanner, type JsonVisitor } from '@generation-gateway/kit/json-scanner.ts'

/** The value whose JSON begins with these bytes, with what has come of it: lists and objects end where the bytes end, and so does
 *  a text that is a value. Undefined where the bytes begin no JSON. */
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
  /** The last place at which everything that is open can be closed, and what closes it. */
  #safe = { end: 0, closers: '' }
  #isText = false
  #isBroken = false

  /** The bytes up to that place as JSON; '' when something cannot stand there. */
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

/** A text that has not ended ends where it is; an escape at the end may be cut in two. */
function openText(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/(?<!\\)((?:\\\\)*)\\(u[0-9a-fA-F]{0,3})?$/, '$1')
}

/** Reads JSON while its bytes arrive, in chunks of any size, and reports keys and values to a
 *  visitor. It stores only one bit for each open container, and a key that is split between
 *  chunks. Malformed JSON is read to its end: each fault is reported, and reading continues
 *  after it. A string, comma or bracket at a wrong place is still read as such, except a closing
 *  bracket when nothing is open. */
import { GatewayError } from './errors.ts'

/** Deepest nesting of JSON that is accepted anywhere: code that reads the value recursively would
 *  overflow the stack on deeper JSON. */
export const maxDepth = 64

export type JsonKind = 'object' | 'array' | 'string' | 'scalar'

/** Callbacks of a `JsonScanner`. Every offset is an offset in `chunk`. */
export interface JsonVisitor {
  /** Called when a value begins at `at`: the offset of its bracket, its quote or its first
   *  character. */
  begin?(kind: JsonKind, at: number, chunk: Buffer): void
  /** Called when a value has ended; `at` is the offset after it. */
  end?(kind: JsonKind, at: number, chunk: Buffer): void
  /** Called with a whole key, without its quotes and with its escape sequences unresolved (see
   *  `keyText`). A key longer than 16 KB may be truncated. */
  key?(bytes: Buffer, start: number, end: number): void
  /** Called with the part of a string or key that lies in this chunk, without quotes and with
   *  escape sequences unresolved. `isLast` is true when the closing quote is at `end`. */
  text?(start: number, end: number, chunk: Buffer, isLast: boolean): void
  /** Called for a byte at `at` that is not allowed there. The contents of strings, numbers and
   *  words (`true`, `null`) are not checked. */
  fault?(at: number, chunk: Buffer): void
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const longestKey = 16 * 1024
/** Length in bytes up to which a loop over a string is faster than a call of `indexOf`. */
const shortText = 48
/** Lookup table by byte value: 1 for bytes that can be part of a number or word (`true`, `null`),
 *  which is every byte except blanks, control characters, quotes, brackets, commas and colons. */
const isInScalar = Uint8Array.from({ length: 256 }, (_, code) => (code > 0x20 && !'"[]{},:'.includes(String.fromCharCode(code)) ? 1 : 0))

/** Scans one document at a time. The visitor may read its public fields. */
export class JsonScanner {
  /** Number of containers around the value that is being reported. */
  depth = 0
  /** Number of bytes of the document before the current chunk; between two chunks, the number of
   *  all bytes so far. */
  offset = 0
  /** Number of opening brackets and commas so far, also in skipped containers. The document has at
   *  most one more value than this, because every value except the first follows one of these
   *  characters. */
  separators = 0
  /** True while the current string is a key. */
  isKey = false
  readonly #visitor: JsonVisitor
  /** The visitor's methods, looked up once per scanner. Looking a method up by name at each event
   *  would cost more than calling it, because the classes of visitors differ. */
  readonly #on: { [Name in keyof JsonVisitor]-?: JsonVisitor[Name] | undefined }
  readonly #deepest: number
  /** One bit for each open container: 1 for an array, 0 for an object. Each number holds 16
   *  bits. */
  readonly #arrays: number[] = []
  #expected: 'value' | 'item or end' | 'key' | 'key or end' | 'colon' | 'comma or end' = 'value'
  /** The kind of token in which the last chunk ended; undefined when that chunk ended between two
   *  tokens. */
  #inside: 'text' | 'scalar' | undefined
  /** Number of bytes at the beginning of the next chunk that are escaped by a backslash at the end
   *  of this one: 0 or 1. */
  #escaped = 0
  /** The beginning of a key that ends in a later chunk. */
  #key: Buffer | undefined
  /** Number of open containers within the value that is being skipped, that value included; 0 when
   *  none is skipped. */
  #skipped = 0
  #isStopped = false

  /** Creates a scanner. Reading throws `invalid_json` as soon as the JSON is nested deeper than
   *  `deepest`; an error that the visitor throws reaches the caller unchanged. */
  constructor(visitor: JsonVisitor, deepest = Number.POSITIVE_INFINITY) {
    this.#visitor = visitor
    const { begin, end, key, text, fault } = visitor
    this.#on = { begin, end, key, text, fault }
    this.#deepest = deepest
  }

  /** True when the value at the outermost level has ended. The end of a number or word is
   *  recognized only by the byte that follows it. */
  get isWhole(): boolean {
    return this.depth === 0 && this.#expected === 'comma or end' && this.#inside === undefined
  }

  /** Called by the visitor in `begin` to skip a container: neither its contents nor faults inside
   *  it are reported. */
  skip(): void {
    this.#skipped = 1
  }

  /** Stops reading until `reset`. */
  stop(): void {
    this.#isStopped = true
  }

  /** Prepares the scanner for another document. */
  reset(): void {
    this.depth = 0
    this.offset = 0
    this.separators = 0
    this.#expected = 'value'
    this.#inside = undefined
    this.#escaped = 0
    this.#key = undefined
    this.#skipped = 0
    this.#isStopped = false
  }

  /** Reads the chunk from `from` on. Returns the offset where it stopped: the chunk's length unless
   *  `stop` was called. */
  feed(chunk: Buffer, from = 0): number {
    let at = from
    if (this.#inside === 'text') at = this.#readText(chunk, at)
    else if (this.#inside === 'scalar') at = this.#readScalar(chunk, at)
    if (this.#skipped > 0) at = this.#skipInside(chunk, at)
    while (at < chunk.length && !this.#isStopped) at = this.#readToken(chunk, at)
    this.offset += at - from
    return at
  }

  /** Reads one token. Returns the offset after it. */
  #readToken(chunk: Buffer, at: number): number {
    const code = chunk[at]!
    switch (code) {
      case quote:
        return this.#beginText(chunk, at)
      case comma:
        return this.#comma(chunk, at)
      case colon:
        if (this.#expected === 'colon') this.#expected = 'value'
        else this.#fault(chunk, at)
        return at + 1
      case openBrace:
      case openBracket:
        return this.#open(chunk, at)
      case closeBrace:
      case closeBracket:
        return this.#close(chunk, at)
      default:
        if (code > 0x20) return this.#beginScalar(chunk, at)
        if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) this.#fault(chunk, at)
        return at + 1
    }
  }

  #fault(chunk: Buffer, at: number): void {
    this.#on.fault?.call(this.#visitor, at, chunk)
  }

  #expectsValue(): boolean {
    return this.#expected === 'value' || this.#expected === 'item or end'
  }

  /** Returns true when the innermost open container is an array. */
  #isInArray(): boolean {
    const level = this.depth - 1
    return ((this.#arrays[level >> 4]! >> (level & 15)) & 1) === 1
  }

  #comma(chunk: Buffer, at: number): number {
    this.separators += 1
    if (this.#expected !== 'comma or end' || this.depth === 0) this.#fault(chunk, at)
    this.#expected = this.depth === 0 || this.#isInArray() ? 'value' : 'key'
    return at + 1
  }

  #open(chunk: Buffer, at: number): number {
    const isArray = chunk[at] === openBracket
    this.separators += 1
    if (!this.#expectsValue()) this.#fault(chunk, at)
    if (this.depth === this.#deepest) throw tooDeep(this.#deepest)
    this.#on.begin?.call(this.#visitor, isArray ? 'array' : 'object', at, chunk)
    const word = this.depth >> 4
    const bit = 1 << (this.depth & 15)
    this.#arrays[word] = isArray ? (this.#arrays[word] ?? 0) | bit : (this.#arrays[word] ?? 0) & ~bit
    this.depth += 1
    this.#expected = isArray ? 'item or end' : 'key or end'
    return this.#skipped > 0 ? this.#skipInside(chunk, at + 1) : at + 1
  }

  #close(chunk: Buffer, at: number): number {
    const isArray = chunk[at] === closeBracket
    const isWanted = this.#expected === 'comma or end' || this.#expected === (isArray ? 'item or end' : 'key or end')
    if (!isWanted || this.depth === 0 || this.#isInArray() !== isArray) this.#fault(chunk, at)
    return this.depth === 0 ? at + 1 : this.#leave(chunk, at)
  }

  #leave(chunk: Buffer, at: number): number {
    const kind = this.#isInArray() ? 'array' : 'object'
    this.depth -= 1
    this.#expected = 'comma or end'
    this.#on.end?.call(this.#visitor, kind, at + 1, chunk)
    return at + 1
  }

  #skipInside(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const code = chunk[at]!
      if (isInScalar[code] === 1) continue
      if (code === quote) at = this.#endText(chunk, at + 1)
      else if (code === comma) this.separators += 1
      else if (code === openBrace || code === openBracket) {
        this.separators += 1
        if (this.depth + this.#skipped > this.#deepest) throw tooDeep(this.#deepest)
        this.#skipped += 1
      } else if (code === closeBrace || code === closeBracket) {
        this.#skipped -= 1
        if (this.#skipped === 0) return this.#leave(chunk, at)
      }
    }
    return chunk.length
  }

  #beginText(chunk: Buffer, at: number): number {
    const expected = this.#expected
    this.isKey = expected === 'key' || expected === 'key or end' || expected === 'colon'
    if (expected === 'colon' || expected === 'comma or end') this.#fault(chunk, at)
    if (!this.isKey) this.#on.begin?.call(this.#visitor, 'string', at, chunk)
    return this.#readText(chunk, at + 1)
  }

  #readText(chunk: Buffer, start: number): number {
    const end = this.#endText(chunk, start)
    const isLast = this.#inside === undefined
    if (this.#skipped > 0) return isLast ? end + 1 : end
    this.#on.text?.call(this.#visitor, start, end, chunk, isLast)
    if (this.isKey) this.#readKey(chunk, start, end)
    if (!isLast) return end
    if (this.isKey) {
      // In most documents the colon follows the key without a space. This case is handled here,
      // because it then takes no further step.
      const isNext = chunk[end + 1] === colon
      this.#expected = isNext ? 'value' : 'colon'
      return isNext ? end + 2 : end + 1
    }
    this.#expected = 'comma or end'
    this.#on.end?.call(this.#visitor, 'string', end + 1, chunk)
    return end + 1
  }

  /** Returns the offset of the quote that ends the string, or the chunk's length when the quote
   *  comes later. */
  #endText(chunk: Buffer, start: number): number {
    const end = closingQuote(chunk, start + this.#escaped)
    this.#inside = end < chunk.length ? undefined : 'text'
    this.#escaped = Math.max(0, end - chunk.length)
    return end - this.#escaped
  }

  #readKey(chunk: Buffer, start: number, end: number): void {
    if (this.#on.key === undefined) return
    const before = this.#key
    const isLast = this.#inside === undefined
    if (before === undefined && isLast) {
      this.#on.key.call(this.#visitor, chunk, start, end)
      return
    }
    const isLong = before !== undefined && before.length > longestKey
    const key = isLong ? before : Buffer.concat([before ?? chunk.subarray(0, 0), chunk.subarray(start, end)])
    this.#key = isLast ? undefined : key
    if (isLast) this.#on.key.call(this.#visitor, key, 0, key.length)
  }

  #beginScalar(chunk: Buffer, at: number): number {
    if (this.#expectsValue()) this.#on.begin?.call(this.#visitor, 'scalar', at, chunk)
    else this.#fault(chunk, at)
    return this.#readScalar(chunk, at)
  }

  #readScalar(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length && isInScalar[chunk[at]!] === 1) at += 1
    this.#inside = at < chunk.length ? undefined : 'scalar'
    if (this.#inside === 'scalar' || !this.#expectsValue()) return at
    this.#expected = 'comma or end'
    this.#on.end?.call(this.#visitor, 'scalar', at, chunk)
    return at
  }
}

function tooDeep(levels: number): GatewayError {
  return new GatewayError('invalid_json', `The body is nested deeper than ${levels} levels.`)
}

/** Returns the offset of the quote that closes the string, for a string whose next bytes begin at
 *  `from`. Without such a quote in the chunk, returns the length of the chunk. When the chunk ends
 *  with the backslash of an escape sequence, returns this length plus one. */
function closingQuote(chunk: Buffer, from: number): number {
  const near = Math.min(chunk.length, from + shortText)
  let at = from
  for (; at < near; at++) {
    const code = chunk[at]
    if (code === quote) return at
    if (code === backslash) at += 1
  }
  while (at < chunk.length) {
    const found = chunk.indexOf(quote, at)
    const end = found < 0 ? chunk.length : found
    let start = end
    while (start > at && chunk[start - 1] === backslash) start -= 1
    const isEscaped = (end - start) % 2 === 1
    if (!isEscaped) return end
    at = end + 1
  }
  return at
}

/** The keys that were converted last, by hash. Documents repeat the same keys, and converting bytes
 *  to text is the most expensive step. */
const recentKeys: string[] = Array.from({ length: 256 }, () => '')
const longestRecent = 32

/** Returns the key as text, with its escapes resolved. A malformed key is returned as written. */
export function keyText(bytes: Buffer, start: number, end: number): string {
  let hash = end - start
  for (let at = start; at < end; at++) {
    const code = bytes[at]!
    if (code === backslash || code >= 0x80) return unescaped(bytes.toString('utf8', start, end))
    hash = (hash * 31 + code) & 0xff
  }
  const recent = recentKeys[hash]!
  if (recent.length === end - start && isTextAt(recent, bytes, start)) return recent
  const text = bytes.toString('latin1', start, end)
  if (text.length <= longestRecent) recentKeys[hash] = text
  return text
}

/** Returns true when the bytes at `start` are equal to this ASCII text. */
export function isTextAt(text: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[start + at]) return false
  return true
}

function unescaped(written: string): string {
  if (!written.includes('\\')) return written
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return written
  }
}

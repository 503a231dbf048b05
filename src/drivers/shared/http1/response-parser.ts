/** Parses the answers that arrive over one connection. It is as strict as llhttp, Node's own
 *  parser: an ambiguous answer is refused and not interpreted (docs/decisions/0009). */
import { Http1Error } from './http1-error.ts'

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

export interface ResponseSink {
  /** Called with the head of an answer, except for answers with a 1xx status. Names of headers are
   *  in lower case; the values of a repeated header are an array. */
  onHead(status: number, headers: ResponseHeaders): void
  /** Called at most once per read: small chunks that arrived together form one piece. The receiver
   *  owns the piece. */
  onBody(piece: Buffer): void
  /** Called at the end of an answer. `hasRest` is true when further bytes, which belong to no
   *  answer, arrived together with the end. */
  onEnd(hasRest: boolean): void
}

type State =
  | 'status-line'
  | 'header-line'
  | 'sized-body'
  | 'body-until-close'
  | 'chunk-size'
  | 'chunk-extensions'
  | 'chunk-size-feed'
  | 'chunk-data'
  | 'chunk-data-return'
  | 'chunk-data-feed'
  | 'trailer-line'
  | 'ended'
  | 'stopped'

/** Largest size in bytes of a head, and of trailers; undici has the same limit. */
const maxHeadBytes = 16 * 1024
/** Number of characters of a head that are converted to text at once. JavaScript keeps the whole
 *  text in memory as long as one header that was cut from it is used, so the text is kept short. */
const textBytes = 2 * 1024
const maxSizeDigits = 16
const maxExtensionBytes = 256
const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a
const semicolon = 0x3b
const startOfLine = 'HTTP/1.'
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/
const digits = /^\d{1,16}$/
const extensions = /^(?:;[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[^"\\]*"))?)+$/
/** Lookup tables by byte value: characters allowed in a header name (1 or 0), characters allowed in
 *  a header value (1 or 0), and the value of a hexadecimal digit (-1 for other characters). */
const inName = tableOf(code => /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(code)))
const inValue = tableOf(code => code === 0x09 || (code >= 0x20 && code !== 0x7f))
const hexValue = Int8Array.from({ length: 256 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()))

/** Parses one answer after another; call `reset` between two answers. */
export class ResponseParser {
  /** Milliseconds for which the answer allows an idle connection to be kept: 0 for not at all,
   *  undefined when the answer states nothing. */
  keepMs: number | undefined
  readonly #sink: ResponseSink
  #state: State = 'status-line'
  #status = 0
  #headers: Record<string, string | string[] | undefined> = {}
  #length: number | undefined
  #isChunked = false
  #isOld = false
  /** The beginning of a line whose end has not arrived. */
  #line = ''
  #headBytes = 0
  /** Number of bytes that are still missing from the body, or from the current chunk. */
  #left = 0
  #digits = 0
  #extensions = ''
  /** Offset of the body within the data being read. */
  #bodyFrom = 0
  #bodyTo = 0

  constructor(sink: ResponseSink) {
    this.#sink = sink
  }

  reset(): void {
    this.#state = 'status-line'
    this.keepMs = undefined
    this.#length = undefined
    this.#isChunked = false
    this.#headBytes = 0
  }

  /** Stops calls to the sink, until `reset`. */
  stop(): void {
    this.#state = 'stopped'
  }

  /** Parses the first `length` bytes of `data`. It may change `data`, which the caller may reuse
   *  afterwards. Throws `HPE_STRICT` and `UND_ERR_HEADERS_OVERFLOW`. */
  read(data: Buffer, length: number): void {
    let at = 0
    try {
      while (at < length && this.#state !== 'ended' && this.#state !== 'stopped') at = this.#step(data, at, length)
    } finally {
      this.#giveBody(data)
    }
    if (this.#isEnded()) this.#sink.onEnd(at < length)
  }

  /** Reports that the other side has closed the connection without an error. Returns true when
   *  this is the proper end of an answer, which is so when its body has no stated length;
   *  returns false for an answer that is cut off. */
  finish(): boolean {
    if (this.#state !== 'body-until-close') return false
    this.#state = 'ended'
    this.#sink.onEnd(false)
    return true
  }

  /** Returns true when the answer has ended. A method is needed, because a callback may change the
   *  state and the compiler would assume that it did not. */
  #isEnded(): boolean {
    return this.#state === 'ended'
  }

  /** Continues to parse in the present state; returns the offset after the bytes it consumed. */
  #step(data: Buffer, from: number, length: number): number {
    switch (this.#state) {
      case 'status-line':
      case 'header-line':
      case 'trailer-line':
        return this.#readLines(data, from, length)
      case 'sized-body':
        return this.#readCounted(data, { from, length, next: 'ended' })
      case 'chunk-data':
        return this.#readCounted(data, { from, length, next: 'chunk-data-return' })
      case 'body-until-close':
        return this.#takeBody(data, from, length)
      case 'chunk-size':
        return this.#readChunkSize(data, from, length)
      case 'chunk-extensions':
        return this.#skipExtensions(data, from, length)
      case 'chunk-size-feed':
        return this.#expect(data[from] === lineFeed, from, this.#left === 0 ? 'trailer-line' : 'chunk-data')
      case 'chunk-data-return':
        return this.#expect(data[from] === carriageReturn, from, 'chunk-data-feed')
      case 'chunk-data-feed':
        return this.#expect(data[from] === lineFeed, from, 'chunk-size')
      default:
        return length
    }
  }

  #readLines(data: Buffer, from: number, length: number): number {
    const end = Math.min(length, from + textBytes)
    const kept = this.#line.length
    const text = this.#line + data.toString('latin1', from, end)
    this.#line = ''
    let at = 0
    while (this.#state === 'status-line' || this.#state === 'header-line' || this.#state === 'trailer-line') {
      const next = this.#readLine(text, at)
      if (this.#headBytes + (next < 0 ? text.length : next) - at > maxHeadBytes)
        throw new Http1Error('UND_ERR_HEADERS_OVERFLOW', `The head has more than ${maxHeadBytes} bytes.`)
      if (next < 0) {
        this.#line = text.slice(at)
        return end
      }
      this.#headBytes += next - at
      at = next
    }
    this.#headBytes = 0
    return from + at - kept
  }

  /** Parses the line at `at`; returns the offset after it, or -1 while its end has not arrived. */
  #readLine(text: string, at: number): number {
    if (this.#state === 'status-line') return this.#readStatus(text, at)
    let end = at
    while (isIn(inName, text, end)) end += 1
    if (end === text.length) return -1
    const code = text.charCodeAt(end)
    if (code === carriageReturn && end === at) return this.#endLines(text, end)
    if (code !== colon || end === at) throw invalid('a header has no valid name')
    const stop = lineEnd(text, end + 1)
    if (stop < 0) return -1
    const name = text.slice(at, end).toLowerCase()
    if (this.#state === 'header-line') this.#note(name, trimmed(text, end + 1, stop))
    else if (name === 'content-length' || name === 'transfer-encoding') throw invalid('a trailer speaks of the length')
    return stop + 2
  }

  #readStatus(text: string, at: number): number {
    const stop = lineEnd(text, at)
    if (stop < 0) {
      if (!startOfLine.startsWith(text.slice(at, at + startOfLine.length))) throw invalid('the answer is not HTTP/1')
      return -1
    }
    const found = statusLine.exec(text.slice(at, stop))
    if (!found) throw invalid('the status line is not one')
    this.#isOld = found[1] === '0'
    this.#status = Number(found[2])
    this.#headers = Object.create(null)
    this.#state = 'header-line'
    return stop + 2
  }

  #note(name: string, value: string): void {
    if (name === 'content-length') {
      if (this.#length !== undefined || !digits.test(value) || !Number.isSafeInteger(Number(value)))
        throw invalid('the content-length is not one number')
      this.#length = Number(value)
    } else if (name === 'transfer-encoding') {
      if (this.#isChunked || value.toLowerCase() !== 'chunked') throw invalid('the transfer-encoding is not chunked')
      this.#isChunked = true
    } else if (name === 'connection') {
      if (value.toLowerCase().includes('close')) this.keepMs = 0
    } else if (name === 'keep-alive' && this.keepMs === undefined) {
      const seconds = /timeout=(\d{1,9})/.exec(value)?.[1]
      if (seconds !== undefined) this.keepMs = Number(seconds) * 1000
    }
    const before = this.#headers[name]
    if (Array.isArray(before)) before.push(value)
    else this.#headers[name] = before === undefined ? value : [before, value]
  }

  /** Handles the empty line after a head or after trailers. */
  #endLines(text: string, at: number): number {
    if (at + 1 === text.length) return -1
    if (text.charCodeAt(at + 1) !== lineFeed) throw invalid('a carriage return stands alone')
    if (this.#state === 'trailer-line') this.#state = 'ended'
    else this.#endHead()
    return at + 2
  }

  #endHead(): void {
    if (this.#length !== undefined && this.#isChunked) throw invalid('it has both a content-length and a transfer-encoding')
    if (this.#isChunked && this.#isOld) throw invalid('HTTP/1.0 has no transfer-encoding')
    if (this.#status === 101) throw invalid('nobody asked for another protocol')
    if (this.#isOld) this.keepMs = 0
    if (this.#status < 200) {
      if (this.keepMs === 0) throw invalid('it announces another answer and the end of the connection')
      this.reset()
      return
    }
    this.#state = this.#bodyState()
    this.#sink.onHead(this.#status, this.#headers)
  }

  #bodyState(): State {
    if (this.#status === 204 || this.#status === 304 || this.#length === 0) return 'ended'
    this.#digits = 0
    this.#left = this.#length ?? 0
    if (this.#isChunked) return 'chunk-size'
    if (this.#length !== undefined) return 'sized-body'
    this.keepMs = 0
    return 'body-until-close'
  }

  #readCounted(data: Buffer, { from, length, next }: { from: number; length: number; next: State }): number {
    const end = Math.min(length, from + this.#left)
    this.#left -= end - from
    if (this.#left === 0) this.#state = next
    return this.#takeBody(data, from, end)
  }

  /** Moves this chunk of a body directly behind the chunks that arrived before it in the same read.
   *  It overwrites the chunk sizes between them. */
  #takeBody(data: Buffer, from: number, to: number): number {
    if (this.#bodyTo === 0) {
      this.#bodyFrom = from
      this.#bodyTo = to
      return to
    }
    data.copyWithin(this.#bodyTo, from, to)
    this.#bodyTo += to - from
    return to
  }

  #giveBody(data: Buffer): void {
    if (this.#bodyTo === 0) return
    const piece = Buffer.allocUnsafe(this.#bodyTo - this.#bodyFrom)
    data.copy(piece, 0, this.#bodyFrom, this.#bodyTo)
    this.#bodyTo = 0
    this.#sink.onBody(piece)
  }

  #readChunkSize(data: Buffer, from: number, length: number): number {
    for (let at = from; at < length; at++) {
      const byte = data[at]!
      const digit = hexValue[byte]!
      if (digit < 0) {
        const next = byte === carriageReturn ? 'chunk-size-feed' : 'chunk-extensions'
        this.#expect(this.#digits > 0 && (byte === carriageReturn || byte === semicolon), at, next)
        this.#digits = 0
        return at + 1
      }
      // `#left` is 0 before the first digit of a chunk size, because it counts down to 0 in every
      // chunk.
      this.#left = this.#left * 16 + digit
      this.#digits += 1
      if (this.#digits > maxSizeDigits || this.#left > Number.MAX_SAFE_INTEGER) throw invalid('a chunk is too large')
    }
    return length
  }

  #skipExtensions(data: Buffer, from: number, length: number): number {
    let end = from
    while (end < length && inValue[data[end]!] === 1) end += 1
    this.#extensions += data.toString('latin1', from, Math.min(end, from + maxExtensionBytes))
    if (this.#extensions.length >= maxExtensionBytes) throw invalid(`a chunk has extensions of ${maxExtensionBytes} bytes or more`)
    if (end === length) return end
    const areValid = extensions.test(`;${this.#extensions}`)
    this.#extensions = ''
    return this.#expect(areValid && data[end] === carriageReturn, end, 'chunk-size-feed')
  }

  #expect(isThere: boolean, at: number, next: State): number {
    if (!isThere) throw invalid('a chunk is not framed as it has to be')
    this.#state = next
    return at + 1
  }
}

/** Returns the offset of the CR LF that ends the line; -1 while it has not arrived. Throws for a
 *  character that is not allowed in any line. */
function lineEnd(text: string, from: number): number {
  let at = from
  while (isIn(inValue, text, at)) at += 1
  if (at === text.length) return -1
  if (text.charCodeAt(at) !== carriageReturn) throw invalid('a line has a character that none may have')
  if (at + 1 === text.length) return -1
  if (text.charCodeAt(at + 1) !== lineFeed) throw invalid('a carriage return stands alone')
  return at
}

function isIn(table: Uint8Array, text: string, at: number): boolean {
  return at < text.length && table[text.charCodeAt(at)] === 1
}

/** Returns the value without spaces and tabs before it and without spaces after it. A tab after
 *  the value stays, as in llhttp. So `chunked` followed by a tab is refused: servers disagree
 *  about its meaning. */
function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && (text.charCodeAt(start) === 0x20 || text.charCodeAt(start) === 0x09)) start += 1
  while (end > start && text.charCodeAt(end - 1) === 0x20) end -= 1
  return text.slice(start, end)
}

function tableOf(isAllowed: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(isAllowed(code)))
}

function invalid(what: string): Http1Error {
  return new Http1Error('HPE_STRICT', `The answer is not valid HTTP/1.1: ${what}.`)
}

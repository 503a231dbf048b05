/** Keeps the JSON of a body that is written to disk as it arrives, with its long strings left out: what is parsed stays small. */
import { randomBytes } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { tokensInJson } from '@generation-gateway/kit/requests/token-estimate.ts'
import { formatBytes } from '../format-bytes.ts'

/** A string of the body that was left out: its bytes in the body as sent, quotes not included. */
export interface CutString {
  start: number
  end: number
  /** About how many it has (kit/requests/token-estimate.ts). */
  tokens: number
}

/** Strings above this many bytes are left out. */
const longestKept = 64 * 1024
/** A parse costs about a microsecond per value (docs/measured.md#parsing): this limit bounds how
 *  long it blocks the event loop. */
const mostValues = 100_000
const marks = new Uint8Array(256)
for (const code of [0x2c, 0x5b, 0x7b]) marks[code] = 1
const quote = 0x22
const backslash = 0x5c

/** Feeds on the chunks of one body. Throws `payload_too_large` when what is kept, or the number of values, exceeds its limit. */
export class LongStrings {
  readonly #limit: number
  readonly #prefix = `cut:${randomBytes(16).toString('hex')}:`
  readonly #cuts = new Map<string, CutString>()
  /** From the kept length `at` on, the body is `shift` bytes ahead. */
  readonly #shifts: { at: number; shift: number }[] = []
  #kept = Buffer.allocUnsafe(64 * 1024)
  #length = 0
  #values = 0
  #consumed = 0
  #inString = false
  #isEscaped = false
  #stringStart = 0
  /** Offset in the body of the string that is being left out, or -1. */
  #cutFrom = -1
  #cutTokens = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  /** The JSON with a placeholder for each long string. */
  residual(): Buffer {
    return this.#kept.subarray(0, this.#length)
  }

  /** Placeholder -> place in the body. Placeholders cannot be guessed by the caller. */
  get cuts(): ReadonlyMap<string, CutString> {
    return this.#cuts
  }

  /** Offset in the body for an offset in the residual. */
  bodyOffset(residualOffset: number): number {
    const cut = this.#shifts.findLast(candidate => candidate.at <= residualOffset)
    return residualOffset + (cut?.shift ?? 0)
  }

  feed(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) at = this.#inString ? this.#readString(chunk, at) : this.#readStructure(chunk, at)
    this.#consumed += chunk.length
  }

  #readStructure(chunk: Buffer, from: number): number {
    const found = chunk.indexOf(quote, from)
    const end = found < 0 ? chunk.length : found + 1
    this.#keep(chunk, from, end)
    for (let at = from; at < end; at++) this.#values += marks[chunk[at]!]!
    if (this.#values > mostValues) throw new GatewayError('payload_too_large', `The body has more than ${mostValues} values.`)
    if (found >= 0) {
      this.#inString = true
      this.#isEscaped = false
      this.#stringStart = this.#length
    }
    return end
  }

  #readString(chunk: Buffer, from: number): number {
    const close = this.#findClose(chunk, from)
    const end = close < 0 ? chunk.length : close
    if (this.#cutFrom < 0) {
      const fits = this.#length - this.#stringStart + (end - from) <= longestKept
      if (fits) this.#keep(chunk, from, end)
      else this.#beginCut(from)
    }
    if (this.#cutFrom >= 0) this.#cutTokens += tokensInJson(chunk, from, end)
    if (close < 0) return end
    if (this.#cutFrom >= 0) this.#endCut(close)
    this.#inString = false
    // The closing quote is structure.
    this.#keep(chunk, close, close + 1)
    return close + 1
  }

  /** Offset of the quote that ends the string, or -1; remembers an escape that the chunk's end cuts in two. */
  #findClose(chunk: Buffer, from: number): number {
    let at = from
    if (this.#isEscaped) {
      this.#isEscaped = false
      at += 1
    }
    for (;;) {
      const found = chunk.indexOf(quote, at)
      const end = found < 0 ? chunk.length : found
      let before = end - 1
      while (before >= at && chunk[before] === backslash) before -= 1
      const isEscaped = (end - before) % 2 === 0
      if (found < 0) {
        this.#isEscaped = isEscaped
        return -1
      }
      if (!isEscaped) return found
      at = found + 1
    }
  }

  #beginCut(at: number): void {
    this.#cutFrom = this.#consumed + at - (this.#length - this.#stringStart)
    this.#cutTokens = tokensInJson(this.#kept, this.#stringStart, this.#length)
    this.#length = this.#stringStart
  }

  #endCut(close: number): void {
    const placeholder = `${this.#prefix}${this.#cuts.size}`
    this.#cuts.set(placeholder, { start: this.#cutFrom, end: this.#consumed + close, tokens: this.#cutTokens })
    this.#cutFrom = -1
    const bytes = Buffer.from(placeholder)
    this.#keep(bytes, 0, bytes.length)
    this.#shifts.push({ at: this.#length, shift: this.#consumed + close - this.#length })
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start
    if (needed > this.#limit) {
      throw new GatewayError('payload_too_large', `The JSON without its long strings is larger than ${formatBytes(this.#limit)}.`)
    }
    if (needed > this.#kept.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(needed, this.#kept.length * 2)))
      this.#kept.copy(grown, 0, 0, this.#length)
      this.#kept = grown
    }
    chunk.copy(this.#kept, this.#length, start, end)
    this.#length = needed
  }
}

/** Keeps the JSON of a body in memory without its long strings, so that little has to be parsed;
 *  the whole body is written to disk at the same time. */
import { randomBytes } from 'node:crypto'
import type { JsonVisitor } from '@generation-gateway/kit/json-scanner.ts'
import { tokensInJson } from '@generation-gateway/kit/requests/token-estimate.ts'
import { Residual } from './residual.ts'
import { limitValues, usualValues } from './value-limit.ts'

/** A string that was left out: the offsets of its first byte (inclusive) and its end (exclusive)
 *  in the body as sent, without the quotes. */
export interface CutString {
  start: number
  end: number
  /** Estimated number of tokens in the string (kit/requests/token-estimate.ts). */
  tokens: number
  /** The first 100 bytes, as Latin-1; in a data URL, they contain the media type. */
  head: string
}

/** Longest string in bytes that stays in the JSON. */
const longestKept = 64 * 1024
/** Number of bytes that `CutString.head` keeps of a string that is left out. */
const longestHead = 100
/** Largest number of object members in a body for which a larger number of values than usual is
 *  allowed. The larger number is meant for lists of numbers: parsing them takes a tenth of the time
 *  of parsing objects. */
const membersBesideLists = 10_000

/** Number of bytes of a long string that are kept in front of its placeholder, so that a string
 *  that has to begin like a URL still passes validation. */
const shownAtMost = 24
/** Matches the characters of a JSON string that need no decoding. */
const plainBeginning = /^[ !#-[\]-~]*/

export interface LongStringsLimits {
  /** Largest JSON in bytes without its long strings. */
  limitBytes: number
  /** Largest number of values; 100,000 when absent. When this number is larger than 100,000, the
   *  objects of a body may have at most 10,000 members in total. */
  mostValues?: number | undefined
}

/** Takes the chunks of one body. Throws `payload_too_large` when the JSON without long strings
 *  is too large or has too many values. */
export class LongStrings extends Residual implements JsonVisitor {
  readonly #prefix = `cut:${randomBytes(16).toString('hex')}:`
  readonly #cuts = new Map<string, CutString>()
  /** Offset at which the current string begins in the JSON that stays in memory; undefined outside
   *  of a string. */
  #start: number | undefined
  #cut: CutString | undefined
  #members = 0
  readonly #mostValues: number

  constructor({ limitBytes, mostValues = usualValues }: LongStringsLimits) {
    super({ limitBytes, leftOut: 'long strings', mostValues })
    this.#mostValues = mostValues
  }

  /** Placeholder -> the string's offsets in the body. Placeholders are random, so that a caller
   *  cannot use one as a value. */
  get cuts(): ReadonlyMap<string, CutString> {
    return this.#cuts
  }

  override feed(chunk: Buffer): void {
    super.feed(chunk)
    if (this.#mostValues > usualValues) limitValues(this.#members, membersBesideLists, 'members')
  }

  key(): void {
    this.#members += 1
  }

  text(start: number, end: number, chunk: Buffer, isLast: boolean): void {
    if (this.#cut === undefined) {
      this.#start ??= this.placeOf(start)
      if (this.placeOf(end) - this.#start > longestKept) this.#cut = this.#begin(this.#start, start)
    }
    if (this.#cut) this.#cut.tokens += tokensInJson(chunk, start, end)
    if (!isLast) return
    if (this.#cut) this.#end(this.#cut, end)
    this.#start = undefined
    this.#cut = undefined
  }

  #begin(start: number, at: number): CutString {
    const held = this.beginCut(start, at)
    const head = held.toString('latin1', 0, longestHead)
    return { start: this.scanner.offset + at - held.length, end: 0, tokens: tokensInJson(held, 0, held.length), head }
  }

  #end(cut: CutString, at: number): void {
    const beginning = plainBeginning.exec(cut.head.slice(0, shownAtMost))?.[0] ?? ''
    const placeholder = `${beginning}${this.#prefix}${this.#cuts.size}`
    cut.end = this.scanner.offset + at
    this.#cuts.set(placeholder, cut)
    this.endCut(placeholder, at)
  }
}

/** The residual of a JSON body: the bytes that stay in memory, with a placeholder for each
 *  string that is stored elsewhere. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { JsonScanner, type JsonVisitor } from '@generation-gateway/kit/json-scanner.ts'
import { formatBytes } from '../format-bytes.ts'
import { limitValues } from './value-limit.ts'

interface ResidualOptions {
  /** Largest residual in bytes. */
  limitBytes: number
  /** Name for the strings that are left out, such as `files`; used in the error message. */
  leftOut: string
  /** Deepest nesting of containers; default: no limit. */
  deepest?: number
  /** Largest number of values; 100,000 when absent. */
  mostValues?: number | undefined
}

/** Builds the residual from the chunks of one body. A subclass decides which strings are left
 *  out. Throws `payload_too_large` when the residual or the number of values exceeds its limit,
 *  and `invalid_json` for JSON nested deeper than `deepest`. */
export abstract class Residual {
  protected readonly scanner: JsonScanner
  readonly #options: ResidualOptions
  /** The differences between the offsets of a byte in the residual and in the body as sent. From
   *  offset `at` of the residual until the next entry, the offset in the body is larger by
   *  `shift`. */
  readonly #shifts: { at: number; shift: number }[] = []
  #bytes: Buffer = Buffer.allocUnsafe(4 * 1024)
  #length = 0
  #chunk: Buffer = this.#bytes
  /** Offset in the current chunk up to which the bytes are done (kept or left out); undefined
   *  while a string is being left out. */
  #done: number | undefined = 0

  constructor(options: ResidualOptions) {
    this.#options = options
    this.scanner = new JsonScanner(this as JsonVisitor, options.deepest)
  }

  /** Returns the JSON in which placeholders stand for the strings that were left out. */
  residual(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Number of opening brackets and commas so far. It is an estimate of the number of values: the
   *  true number is at most one larger. */
  get values(): number {
    return this.scanner.separators
  }

  /** Maps an offset in the residual to the offset in the body as sent. */
  bodyOffset(residualOffset: number): number {
    const cut = this.#shifts.findLast(({ at }) => at <= residualOffset)
    return residualOffset + (cut?.shift ?? 0)
  }

  feed(chunk: Buffer): void {
    this.#chunk = chunk
    if (this.#done !== undefined) this.#done = 0
    this.scanner.feed(chunk)
    limitValues(this.values, this.#options.mostValues)
    if (this.#done !== undefined) this.keepTo(chunk.length)
  }

  /** Returns the offset in the residual for the byte at offset `at` of the current chunk. Must
   *  not be called while a string is being left out. */
  protected placeOf(at: number): number {
    return this.#length + at - this.#done!
  }

  protected keepTo(at: number): void {
    this.#keep(this.#chunk, this.#done!, at)
    this.#done = at
  }

  /** Starts to leave out the string that begins at offset `start` of the residual. Removes the
   *  part of the string that is already in the residual (up to byte `at` of the chunk) and
   *  returns it. */
  protected beginCut(start: number, at: number): Buffer {
    this.keepTo(at)
    const held = Buffer.from(this.#bytes.subarray(start, this.#length))
    this.#length = start
    this.#done = undefined
    return held
  }

  /** Puts the placeholder into the residual, in place of the string that ends at byte `at` of
   *  the current chunk. */
  protected endCut(placeholder: string, at: number): void {
    const bytes = Buffer.from(placeholder)
    this.#keep(bytes, 0, bytes.length)
    this.#shifts.push({ at: this.#length, shift: this.scanner.offset + at - this.#length })
    this.#done = at
  }

  #keep(from: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start
    const { limitBytes, leftOut } = this.#options
    if (needed > limitBytes)
      throw new GatewayError('payload_too_large', `The JSON without its ${leftOut} is larger than ${formatBytes(limitBytes)}.`)
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.min(limitBytes, Math.max(needed, this.#bytes.length * 2)))
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    from.copy(this.#bytes, this.#length, start, end)
    this.#length = needed
  }
}

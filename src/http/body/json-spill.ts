/** Scans JSON bytes as they arrive: long strings of declared fields are decoded to files, and
 *  the rest is kept in memory for `JSON.parse`. */
import { randomBytes } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonKind, type JsonVisitor, keyText, maxDepth } from '@generation-gateway/kit/json-scanner.ts'
import { Base64Decoder, Base64Error } from '@generation-gateway/kit/media/base64-decoder.ts'
import { Base64String } from '@generation-gateway/kit/media/base64-string.ts'
import { formatBytes } from '../format-bytes.ts'
import { Residual } from './residual.ts'
import type { SpillFiles } from './spill-files.ts'
import { childNode, formatPath, type PathSegment, type SpillNode } from './spill-paths.ts'

/** Strings of spill fields (fields whose long strings are written to files) with up to this many
 *  characters stay in the JSON as text. */
export const spillThreshold = 64 * 1024

// Once half of the limit for the JSON in memory is used, strings of spill fields longer than this
// are written to files, too. A body with many middle-sized files then still fits.
const crowdedThreshold = 4 * 1024
const maxFiles = 256
// No integer type has this many digits; a longer literal is read as an ordinary number, without its
// exact digits.
const maxExactDigits = 40

export interface SpilledValue {
  placeholder: string
  segments: PathSegment[]
  /** File name in the `SpillFiles` folder. */
  name: string
  bytes: number
  mediaType: string | undefined
}

interface OpenSpill {
  string: Base64String
  value: SpilledValue
  maxBytes: number
}

export interface JsonSpillOptions {
  fields: SpillNode
  /** Largest JSON in bytes without the strings that were moved to files. */
  residualLimitBytes: number
  /** Largest number of values; 100,000 when absent. */
  mostValues?: number
  files: SpillFiles
}

/** Moves the strings of declared fields to files ("spills" them). Throws `invalid_json` for JSON
 *  nested too deep and for a control character in such a string; other malformed JSON is detected
 *  later, by `JSON.parse` of `residual()`. Throws `invalid_request` for a field that is not base64.
 *  Throws `payload_too_large` for a field that is too large, too much JSON besides the fields, too
 *  many values, or too many files. */
export class JsonSpill extends Residual implements JsonVisitor {
  readonly #options: JsonSpillOptions
  /** For each open container, by depth: the node of the compiled field tree, and the key or
   *  index of the value that is being read. */
  readonly #nodes: (SpillNode | undefined)[] = []
  readonly #segments: PathSegment[] = []
  readonly #spilled: SpilledValue[] = []
  readonly #exactIntegers = new Map<string, string>()
  /** Offset at which the latest string or number begins in the JSON that stays in memory. */
  #start = 0
  /** Node of the spill field whose string is being read, while the string may still be moved to a
   *  file; else undefined. */
  #candidate: SpillNode | undefined
  #spill: OpenSpill | undefined
  #decoder: Base64Decoder | undefined
  #placeholderPrefix: string | undefined

  constructor(options: JsonSpillOptions) {
    const { residualLimitBytes: limitBytes, mostValues } = options
    super({ limitBytes, leftOut: 'file fields', deepest: maxDepth, mostValues })
    this.#options = options
  }

  get spilled(): readonly SpilledValue[] {
    return this.#spilled
  }

  /** Exact digits of the top-level integers that a double cannot represent, by key. */
  get exactIntegers(): Map<string, string> {
    return this.#exactIntegers
  }

  override bodyOffset(residualOffset: number): number {
    return residualOffset >= this.residual().length ? this.scanner.offset : super.bodyOffset(residualOffset)
  }

  begin(kind: JsonKind, at: number): void {
    const { depth } = this.scanner
    const segment = this.#segments[depth]
    if (typeof segment === 'number') this.#segments[depth] = segment + 1
    const node = depth === 0 ? undefined : childNode(this.#nodes[depth], this.#segments[depth]!)
    if (kind === 'string') this.#candidate = node?.maxBytes === undefined ? undefined : node
    if (kind === 'string') this.#start = this.placeOf(at + 1)
    else if (kind === 'scalar') this.#start = this.placeOf(at)
    else this.#enter(kind, depth === 0 ? this.#options.fields : node)
  }

  end(kind: JsonKind, at: number): void {
    if (kind === 'string' && this.#spill) this.#endSpill(this.#spill, at - 1)
    if (kind === 'scalar' && this.scanner.depth === 1) this.#noteInteger(at)
  }

  key(bytes: Buffer, start: number, end: number): void {
    const { depth } = this.scanner
    const name = keyText(bytes, start, end)
    this.#segments[depth] = name
    // When a key occurs twice, the later value counts, as in `JSON.parse`.
    if (depth === 1) this.#exactIntegers.delete(name)
  }

  text(start: number, end: number, chunk: Buffer, isLast: boolean): void {
    if (this.scanner.isKey) return
    if (this.#candidate && this.placeOf(end) - this.#start > this.#threshold()) this.#beginSpill(this.#candidate, start)
    // The scanner passes the last piece of a string together with its closing quote.
    if (this.#spill) this.#readSpill(this.#spill, chunk.subarray(start, isLast ? end + 1 : end))
  }

  #enter(kind: 'object' | 'array', node: SpillNode | undefined): void {
    const inside = this.scanner.depth + 1
    this.#nodes[inside] = node
    this.#segments[inside] = kind === 'array' ? -1 : ''
    if (node === undefined) this.scanner.skip()
  }

  /** Records the exact digits of an integer that a double cannot represent. */
  #noteInteger(at: number): void {
    const key = this.#segments[1]
    const length = this.placeOf(at) - this.#start
    if (typeof key !== 'string' || length < 16 || length > maxExactDigits) return
    this.keepTo(at)
    const text = this.residual().toString('latin1', this.#start)
    if (/^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text))) this.#exactIntegers.set(key, text)
  }

  /** Returns the length in characters up to which a string of a spill field stays in the JSON. */
  #threshold(): number {
    const limit = this.#options.residualLimitBytes
    // A string may use only half of the remaining space, because placeholders and the rest of the
    // JSON need some as well.
    return this.#start > limit / 2 ? crowdedThreshold : Math.min(spillThreshold, (limit - this.#start) / 2)
  }

  #beginSpill(node: SpillNode, at: number): void {
    if (this.#spilled.length >= maxFiles) {
      throw new GatewayError('payload_too_large', `The body has more than ${maxFiles} files.`)
    }
    this.#candidate = undefined
    this.#placeholderPrefix ??= `spilled:${randomBytes(16).toString('hex')}:`
    this.#decoder ??= new Base64Decoder(bytes => this.#write(bytes))
    const value: SpilledValue = {
      placeholder: `${this.#placeholderPrefix}${this.#spilled.length}`,
      segments: this.#segments.slice(1, this.scanner.depth + 1),
      name: this.#options.files.open(),
      bytes: 0,
      mediaType: undefined,
    }
    this.#spill = { string: new Base64String(this.#decoder), value, maxBytes: node.maxBytes ?? 0 }
    this.#readSpill(this.#spill, this.beginCut(this.#start, at))
  }

  #readSpill(spill: OpenSpill, bytes: Buffer): void {
    try {
      spill.string.read(bytes, 0)
    } catch (error) {
      if (error instanceof Base64Error) throw asRequestError(error, formatPath(spill.value.segments))
      throw error
    }
  }

  #write(bytes: Buffer): void {
    const { value, maxBytes } = this.#spill!
    value.bytes += bytes.length
    if (value.bytes > maxBytes) {
      const field = formatPath(value.segments)
      throw new GatewayError('payload_too_large', `${field} is larger than ${formatBytes(maxBytes)}.`, { field })
    }
    this.#options.files.write(bytes)
  }

  #endSpill({ value }: OpenSpill, at: number): void {
    value.mediaType = this.#decoder?.mediaType
    this.#options.files.close()
    this.#spilled.push(value)
    this.#spill = undefined
    this.endCut(value.placeholder, at)
  }
}

function asRequestError(error: Base64Error, field: string): GatewayError {
  if (error.fault === 'control')
    return new GatewayError('invalid_json', `The body is not valid JSON: unescaped control character in ${field}.`)
  return new GatewayError('invalid_request', `${field} ${error.problem}`, { field, cause: error })
}

/** Reads JSON bytes as they arrive: declared long strings go to files, the rest is kept for `JSON.parse`. */
import { randomBytes } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { Base64Decoder, Base64Error } from '@generation-gateway/kit/media/base64-decoder.ts'
import { Base64String } from '@generation-gateway/kit/media/base64-string.ts'
import { formatBytes } from '../format-bytes.ts'
import { maxDepth } from './json-members.ts'
import type { SpillFiles } from './spill-files.ts'
import { childNode, formatPath, type PathSegment, type SpillNode } from './spill-paths.ts'

/** Declared strings up to this many characters stay in the JSON as text. */
export const spillThreshold = 64 * 1024

// Once the kept JSON is half full, declared strings above this go to disk too, so that many middle-sized files still fit.
const crowdedThreshold = 4 * 1024
const maxFiles = 256
// More digits than any integer type on the wire; a longer literal is just a number.
const maxExactDigits = 40

const quote = 0x22
const backslash = 0x5c

export interface SpilledValue {
  placeholder: string
  segments: PathSegment[]
  /** Name in the `SpillFiles` folder. */
  name: string
  bytes: number
  mediaType: string | undefined
}

interface Frame {
  isArray: boolean
  /** Key or index of the value that is being read. */
  segment: PathSegment
  expectsKey: boolean
  node: SpillNode | undefined
}

interface OpenSpill {
  string: Base64String
  value: SpilledValue
  maxBytes: number
}

export interface JsonSpillOptions {
  fields: SpillNode
  /** Largest JSON without the spilled strings, bytes. */
  residualLimitBytes: number
  files: SpillFiles
}

/** Tracks just enough JSON to know where it is; `JSON.parse` of `residual()` judges the rest.
 *  Throws `invalid_json` (depth), `invalid_request` (a field is not base64), `payload_too_large` (a field, the residual, too many files). */
export class JsonSpill {
  readonly #options: JsonSpillOptions
  readonly #frames: Frame[] = []
  readonly #spilled: SpilledValue[] = []
  readonly #exactIntegers = new Map<string, string>()
  /** From the residual length `at` on, the body that was sent is `shift` bytes ahead. */
  readonly #cuts: { at: number; shift: number }[] = []
  #residual = Buffer.allocUnsafe(4 * 1024)
  #length = 0
  /** Bytes of the body before the current chunk. */
  #consumed = 0
  #inString = false
  #isEscaped = false
  /** Offset in the residual of the string's first byte after its quote. */
  #stringStart = 0
  /** Set while the string that is read may be spilled. */
  #candidate: SpillNode | undefined
  #spill: OpenSpill | undefined
  #decoder: Base64Decoder | undefined
  #placeholderPrefix: string | undefined
  /** Offset in the residual of a top-level scalar, or -1. */
  #scalarStart = -1

  constructor(options: JsonSpillOptions) {
    this.#options = options
  }

  get spilled(): readonly SpilledValue[] {
    return this.#spilled
  }

  /** Digits of top-level integers that a double cannot hold, by key. */
  get exactIntegers(): Map<string, string> {
    return this.#exactIntegers
  }

  /** The JSON with placeholders for the spilled strings. */
  residual(): Buffer {
    return this.#residual.subarray(0, this.#length)
  }

  /** Offset in the body that was sent, for an offset in the residual. */
  bodyOffset(residualOffset: number): number {
    if (residualOffset >= this.#length) return this.#consumed
    const cut = this.#cuts.findLast(candidate => candidate.at <= residualOffset)
    return residualOffset + (cut?.shift ?? 0)
  }

  feed(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#spill !== undefined) at = this.#readSpill(this.#spill, chunk, at)
      else if (this.#inString) at = this.#readString(chunk, at)
      else at = this.#readStructure(chunk, at)
    }
    this.#consumed += chunk.length
  }

  #readStructure(chunk: Buffer, from: number): number {
    let start = from
    let at = from
    while (at < chunk.length) {
      const code = chunk[at++]!
      if (code <= 0x20 || (code > 0x2c && code < 0x3a)) continue
      if (code === quote) {
        this.#keep(chunk, start, at)
        this.#openString()
        return at
      }
      if (this.#frames.length < 2) {
        // Scalars at the top are read back from the residual, so it has to be complete.
        this.#keep(chunk, start, at)
        start = at
      }
      this.#step(code)
    }
    this.#keep(chunk, start, at)
    return at
  }

  #step(code: number): void {
    const frame = this.#frames.at(-1)
    switch (code) {
      case 0x7b: // {
      case 0x5b: // [
        this.#push(code === 0x5b, frame)
        break
      case 0x7d: // }
      case 0x5d: // ]
        this.#endTopLevelValue()
        this.#frames.pop()
        break
      case 0x2c: // ,
        this.#endTopLevelValue()
        if (frame === undefined) break
        if (typeof frame.segment === 'number') frame.segment += 1
        else frame.expectsKey = true
        break
      case 0x3a: // :
        if (frame !== undefined) frame.expectsKey = false
        if (this.#frames.length === 1) this.#scalarStart = this.#length
        break
    }
  }

  #push(isArray: boolean, parent: Frame | undefined): void {
    if (this.#frames.length === maxDepth) {
      throw new GatewayError('invalid_json', `The body is nested deeper than ${maxDepth} levels.`)
    }
    this.#scalarStart = -1
    const node = parent === undefined ? this.#options.fields : childNode(parent.node, parent.segment)
    this.#frames.push({ isArray, segment: isArray ? 0 : '', expectsKey: !isArray, node })
  }

  /** Notes an integer that a double would change. A later key of the same name replaces an earlier one, as in `JSON.parse`. */
  #endTopLevelValue(): void {
    const frame = this.#frames[0]
    if (this.#frames.length !== 1 || frame === undefined || typeof frame.segment === 'number') return
    const from = this.#scalarStart
    this.#scalarStart = -1
    this.#exactIntegers.delete(frame.segment)
    if (from < 0 || this.#length - from < 16) return
    const text = this.#residual.toString('latin1', from, this.#length - 1).trim()
    if (text.length > maxExactDigits || !/^-?[1-9]\d{15,}$/.test(text)) return
    if (!Number.isSafeInteger(Number(text))) this.#exactIntegers.set(frame.segment, text)
  }

  #openString(): void {
    this.#inString = true
    this.#isEscaped = false
    this.#stringStart = this.#length
    this.#scalarStart = -1
    this.#candidate = undefined
    const frame = this.#frames.at(-1)
    if (frame === undefined || frame.expectsKey) return
    const node = childNode(frame.node, frame.segment)
    if (node?.maxBytes !== undefined) this.#candidate = node
  }

  #readString(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + this.#charactersLeft())
    let at = start
    while (at < end) {
      const code = chunk[at++]!
      if (this.#isEscaped) this.#isEscaped = false
      else if (code === backslash) this.#isEscaped = true
      else if (code === quote) {
        this.#keep(chunk, start, at)
        this.#closeString()
        return at
      }
    }
    this.#keep(chunk, start, at)
    if (this.#candidate !== undefined && this.#charactersLeft() <= 0) this.#beginSpill(this.#candidate)
    return at
  }

  /** Characters until the current string is long enough to be spilled. */
  #charactersLeft(): number {
    if (this.#candidate === undefined) return Number.POSITIVE_INFINITY
    const limit = this.#options.residualLimitBytes
    // Half of what is left: the placeholder and what follows need room, too.
    const roomy = Math.min(spillThreshold, (limit - this.#stringStart) / 2)
    const threshold = this.#stringStart > limit / 2 ? crowdedThreshold : roomy
    return threshold + 1 - (this.#length - this.#stringStart)
  }

  #closeString(): void {
    this.#inString = false
    const frame = this.#frames.at(-1)
    if (frame?.expectsKey !== true) return
    // Keys matter on the way to a spill field and at the top, where they name exact integers.
    if (frame.node === undefined && this.#frames.length > 1) return
    frame.segment = decodeKey(this.#residual.toString('utf8', this.#stringStart, this.#length - 1))
  }

  #beginSpill(node: SpillNode): void {
    if (this.#spilled.length >= maxFiles) {
      throw new GatewayError('payload_too_large', `The body has more than ${maxFiles} files.`)
    }
    this.#placeholderPrefix ??= `spilled:${randomBytes(16).toString('hex')}:`
    this.#decoder ??= new Base64Decoder(bytes => this.#write(bytes))
    const value: SpilledValue = {
      placeholder: `${this.#placeholderPrefix}${this.#spilled.length}`,
      segments: this.#frames.map(frame => frame.segment),
      name: this.#options.files.open(),
      bytes: 0,
      mediaType: undefined,
    }
    this.#inString = false
    this.#spill = { string: new Base64String(this.#decoder), value, maxBytes: node.maxBytes ?? 0 }
    const held = Buffer.from(this.#residual.subarray(this.#stringStart, this.#length))
    this.#length = this.#stringStart
    this.#readSpill(this.#spill, held, 0)
  }

  #readSpill(spill: OpenSpill, chunk: Buffer, start: number): number {
    try {
      const at = spill.string.read(chunk, start)
      if (spill.string.isDone) this.#endSpill(spill, at)
      return at
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

  #endSpill(spill: OpenSpill, at: number): void {
    spill.value.mediaType = this.#decoder?.mediaType
    this.#options.files.close()
    this.#spilled.push(spill.value)
    this.#spill = undefined
    const replacement = Buffer.from(`${spill.value.placeholder}"`)
    this.#keep(replacement, 0, replacement.length)
    this.#cuts.push({ at: this.#length, shift: this.#consumed + at - this.#length })
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start
    const limit = this.#options.residualLimitBytes
    if (needed > limit) {
      throw new GatewayError('payload_too_large', `The JSON without its file fields is larger than ${formatBytes(limit)}.`)
    }
    if (needed > this.#residual.length) {
      const grown = Buffer.allocUnsafe(Math.min(limit, Math.max(needed, this.#residual.length * 2)))
      this.#residual.copy(grown, 0, 0, this.#length)
      this.#residual = grown
    }
    chunk.copy(this.#residual, this.#length, start, end)
    this.#length = needed
  }
}

/** A key as JSON.parse would read it; a malformed one stays as it is, the parse of the residual refuses it. */
function decodeKey(raw: string): string {
  if (!raw.includes('\\')) return raw
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch {
    return raw
  }
}

function asRequestError(error: Base64Error, field: string): GatewayError {
  if (error.fault === 'control')
    return new GatewayError('invalid_json', `The body is not valid JSON: unescaped control character in ${field}.`)
  const says = {
    prefix: 'is a data URL without ";base64,".',
    alphabet: 'is not valid base64.',
    padding: 'is not valid base64: its padding or length is wrong.',
  }
  return new GatewayError('invalid_request', `${field} ${says[error.fault]}`, { field, cause: error })
}

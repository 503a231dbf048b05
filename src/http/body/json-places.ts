/** Reads a JSON object as it passes, when it is too large to be kept: whether it is whole, and its short top-level members. */
import type { Span } from './json-members.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
/** A member that is asked for is a few hundred bytes; a longer one is none of them. */
const longestMember = 16 * 1024

/** Fed with the bytes of one answer. What is inside of strings is passed over; the rest is not judged any further. */
export class JsonPlaces {
  readonly #wanted: ReadonlySet<string>
  readonly #found: Record<string, unknown> = {}
  #depth = 0
  #hasBegun = false
  #isWrong = false
  #inString = false
  #isEscaped = false
  #expectsName = false
  #name = ''
  /** The name or the wanted value that is being read. */
  #taken = ''
  #takes: 'name' | 'value' | undefined
  readonly #marked: string | undefined
  #marks: Span[] = []
  #isMarking = false

  /** `marked` is the wanted member whose places are told, where it is a string. */
  constructor(wanted: ReadonlySet<string>, marked?: string) {
    this.#wanted = wanted
    this.#marked = marked
  }

  /** The object has begun as one and has ended. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0 && !this.#isWrong
  }

  /** It cannot become an object any more. */
  get isWrong(): boolean {
    return this.#isWrong
  }

  /** Wanted members that have come, parsed. */
  get found(): Readonly<Record<string, unknown>> {
    return this.#found
  }

  /** Where the marked member's string stands in the last chunk, whole or in part. */
  get marks(): readonly Span[] {
    return this.#marks
  }

  /** It goes on in the next chunk. */
  get isMarking(): boolean {
    return this.#isMarking
  }

  feed(chunk: Buffer): void {
    this.#marks = this.#isMarking ? [{ start: 0, end: chunk.length }] : []
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) at = this.#readString(chunk, at)
      else this.#step(chunk, at)
    }
  }

  /** Offset of the last byte of the string, or of the chunk. */
  #readString(chunk: Buffer, from: number): number {
    let at = from
    for (; at < chunk.length; at++) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (chunk[at] === backslash) this.#isEscaped = true
      else if (chunk[at] === quote) break
    }
    this.#take(chunk.toString('latin1', from, at + 1))
    if (at === chunk.length) return at
    if (this.#isMarking) this.#marks.at(-1)!.end = at + 1
    this.#isMarking = false
    this.#endString()
    return at
  }

  #endString(): void {
    this.#inString = false
    if (this.#takes !== 'name') return
    this.#name = nameOf(this.#taken.slice(0, -1))
    this.#takes = undefined
    this.#taken = ''
  }

  #step(chunk: Buffer, at: number): void {
    const code = chunk[at]!
    if (code <= 0x20) return
    if (this.#depth === 0) {
      this.#isWrong ||= this.#hasBegun || code !== 0x7b
      this.#hasBegun = true
    }
    if (code === quote) {
      this.#inString = true
      this.#isEscaped = false
      if (this.#depth === 1 && this.#expectsName) {
        this.#takes = 'name'
        this.#taken = ''
        this.#expectsName = false
        return
      }
      if (this.#takes === 'value' && this.#taken === '' && this.#name === this.#marked) {
        this.#isMarking = true
        this.#marks.push({ start: at, end: chunk.length })
      }
    }
    if (this.#depth === 1 && (code === comma || code === 0x7d)) this.#endMember()
    this.#take(String.fromCharCode(code))
    if (code === 0x3a && this.#depth === 1 && this.#wanted.has(this.#name)) {
      this.#takes = 'value'
      this.#taken = ''
    }
    if (code === 0x7b || code === 0x5b) this.#depth += 1
    else if (code === 0x7d || code === 0x5d) this.#depth -= 1
    if (this.#depth === 1 && (code === comma || code === 0x7b)) this.#expectsName = true
  }

  #endMember(): void {
    if (this.#takes !== 'value') return
    try {
      this.#found[this.#name] = JSON.parse(Buffer.from(this.#taken, 'latin1').toString())
    } catch {
      // Cut short for its length, or broken.
    }
    this.#takes = undefined
    this.#taken = ''
    this.#name = ''
  }

  #take(text: string): void {
    if (this.#takes !== undefined && this.#taken.length <= longestMember) this.#taken += text
  }
}

/** The name that is meant, also when it is written with escapes. */
function nameOf(written: string): string {
  if (!written.includes('\\')) return written
  try {
    return String(JSON.parse(`"${Buffer.from(written, 'latin1').toString()}"`))
  } catch {
    return written
  }
}

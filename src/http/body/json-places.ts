/** Scans a JSON object that is too large to be kept in memory, chunk by chunk: checks that the
 *  object is complete, and keeps short top-level members. */
import { type JsonKind, JsonScanner, type JsonVisitor, keyText } from '@generation-gateway/kit/json-scanner.ts'

/** Largest size in bytes of a wanted member that spans several chunks; a longer member is dropped.
 *  Typical members have a few hundred bytes. */
const longestMember = 16 * 1024

/** Collects the wanted top-level members of one JSON answer. Values nested inside other members
 *  are not checked. */
export class JsonPlaces implements JsonVisitor {
  readonly #scanner = new JsonScanner(this)
  readonly #wanted: ReadonlySet<string>
  readonly #found: Record<string, unknown> = {}
  #isWrong = false
  /** Name of the wanted member whose value comes next or is being read. */
  #member: string | undefined
  /** Bytes of the wanted value that earlier chunks contained. */
  #taken = Buffer.alloc(0)
  /** Offset in the current chunk at which the wanted value begins or continues; -1 when no
   *  wanted value is being read. */
  #from = -1

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted
  }

  /** True when the closing brace of the object has arrived. */
  get isWhole(): boolean {
    return this.#scanner.isWhole && !this.#isWrong
  }

  /** True when the bytes are not a JSON object. */
  get isWrong(): boolean {
    return this.#isWrong
  }

  /** The wanted members that have arrived so far: name -> parsed value. */
  get found(): Readonly<Record<string, unknown>> {
    return this.#found
  }

  feed(chunk: Buffer): void {
    this.#scanner.feed(chunk)
    if (this.#from >= 0) this.#take(chunk, chunk.length)
  }

  begin(kind: JsonKind, at: number): void {
    const { depth } = this.#scanner
    if (depth === 0) this.#isWrong ||= kind !== 'object'
    else if (kind === 'object' || kind === 'array') this.#scanner.skip()
    if (depth === 1 && this.#member !== undefined) this.#from = at
  }

  end(_kind: JsonKind, at: number, chunk: Buffer): void {
    if (this.#member === undefined || this.#scanner.depth !== 1) return
    this.#take(chunk, at)
    try {
      if (this.#member !== undefined) this.#found[this.#member] = JSON.parse(this.#taken.toString())
    } catch {
      // The value is not valid JSON, so the member counts as absent.
    }
    this.#forget()
  }

  key(bytes: Buffer, start: number, end: number): void {
    const name = keyText(bytes, start, end)
    this.#member = this.#wanted.has(name) ? name : undefined
  }

  fault(at: number, chunk: Buffer): void {
    this.#isWrong ||= this.#scanner.depth === 0 && chunk[at]! > 0x20
  }

  #take(chunk: Buffer, end: number): void {
    if (this.#taken.length > longestMember) this.#forget()
    else {
      this.#taken = Buffer.concat([this.#taken, chunk.subarray(this.#from, end)])
      this.#from = 0
    }
  }

  #forget(): void {
    this.#member = undefined
    this.#taken = Buffer.alloc(0)
    this.#from = -1
  }
}

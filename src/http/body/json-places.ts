/** Scans a JSON object that is too large to be kept in memory, chunk by chunk: checks that the
 *  object is complete, and keeps short members of it. */
import { type JsonKind, JsonScanner, type JsonVisitor, keyText } from '@generation-gateway/kit/json-scanner.ts'
import type { MemberTree } from '../../contract/relay.ts'

/** Largest number of bytes of one wanted member that are kept from earlier chunks while the member
 *  is incomplete; a longer member is dropped. Typical members have a few hundred bytes. */
const longestMember = 16 * 1024
/** Largest size in bytes of all wanted members together; each container counts as `container`
 *  bytes. Wanted members beyond this size are dropped. */
const mostBytes = 1024 * 1024
const container = 64

/** An open object or list from which members are wanted, with the members that have arrived. */
interface OpenContainer {
  wanted: MemberTree
  value: Record<string, unknown> | unknown[]
}

/** Collects the wanted members of one JSON answer. The other values are not checked. */
export class JsonPlaces implements JsonVisitor {
  readonly #scanner = new JsonScanner(this)
  readonly #wanted: MemberTree
  readonly #found: Record<string, unknown> = {}
  readonly #open: OpenContainer[] = []
  #room = mostBytes
  #isWrong = false
  /** The latest key, and which part of its value is wanted: all of it, some of its members, or
   *  nothing. */
  #name = ''
  #next: MemberTree | true | undefined
  /** Bytes of the wanted value that earlier chunks contained. */
  #taken = Buffer.alloc(0)
  /** Offset in the current chunk at which the wanted value begins or continues; -1 when no
   *  wanted value is being read. */
  #from = -1

  constructor(wanted: MemberTree) {
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
    const isContainer = kind === 'object' || kind === 'array'
    if (this.#scanner.depth === 0) {
      this.#isWrong ||= kind !== 'object'
      if (kind === 'object') this.#open.push({ wanted: this.#wanted, value: this.#found })
      return
    }
    const wanted = this.#wantedHere(kind)
    if (wanted === true) this.#from = at
    else if (wanted !== undefined && isContainer && this.#room > 0) {
      this.#descend(wanted, kind === 'array' ? [] : {})
      return
    }
    if (isContainer) this.#scanner.skip()
  }

  end(kind: JsonKind, at: number, chunk: Buffer): void {
    if (this.#from < 0) {
      const isOpen = (kind === 'object' || kind === 'array') && this.#scanner.depth < this.#open.length
      if (isOpen) this.#open.pop()
      return
    }
    this.#take(chunk, at)
    try {
      if (this.#from >= 0) this.#keep(JSON.parse(this.#taken.toString()))
    } catch {
      // The value is not valid JSON, so the member counts as absent.
    }
    this.#forget()
  }

  key(bytes: Buffer, start: number, end: number): void {
    const { wanted } = this.#open.at(-1) ?? {}
    this.#name = keyText(bytes, start, end)
    this.#next = wanted !== undefined && Object.hasOwn(wanted, this.#name) ? wanted[this.#name] : undefined
  }

  fault(at: number, chunk: Buffer): void {
    this.#isWrong ||= this.#scanner.depth === 0 && chunk[at]! > 0x20
  }

  /** Returns what is wanted of the value that begins now: its members, `true` for all of it, or
   *  undefined for nothing. */
  #wantedHere(kind: JsonKind): MemberTree | true | undefined {
    const within = this.#open.at(-1)
    if (within === undefined || !Array.isArray(within.value)) return this.#next
    return kind === 'object' ? within.wanted : undefined
  }

  #descend(wanted: MemberTree, value: OpenContainer['value']): void {
    this.#room -= container
    this.#keep(value)
    this.#open.push({ wanted, value })
    this.#next = undefined
  }

  #keep(value: unknown): void {
    const within = this.#open.at(-1)?.value
    if (Array.isArray(within)) within.push(value)
    else if (within !== undefined) within[this.#name] = value
  }

  #take(chunk: Buffer, end: number): void {
    this.#room -= end - this.#from
    if (this.#taken.length > longestMember || this.#room < 0) this.#forget()
    else {
      this.#taken = Buffer.concat([this.#taken, chunk.subarray(this.#from, end)])
      this.#from = 0
    }
  }

  #forget(): void {
    this.#next = undefined
    this.#taken = Buffer.alloc(0)
    this.#from = -1
  }
}

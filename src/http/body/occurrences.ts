/** Counts how often a sequence of bytes occurs in a body that arrives in chunks. */
export class Occurrences {
  readonly #needle: Buffer
  #count = 0
  /** Last bytes of the previous chunk, which may be the beginning of the sequence. */
  #tail: Buffer

  /** `before`: bytes that count as if they stood in front of the body. */
  constructor(needle: Buffer, before: Buffer = Buffer.alloc(0)) {
    this.#needle = needle
    this.#tail = before
  }

  get count(): number {
    return this.#count
  }

  see(chunk: Buffer): void {
    const rest = this.#needle.length - 1
    this.#count += this.#countIn(Buffer.concat([this.#tail, chunk.subarray(0, rest)]), this.#tail.length)
    this.#count += this.#countIn(chunk, chunk.length)
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-rest)]).subarray(-rest)
  }

  /** Counts the sequences whose first byte lies before `end`. */
  #countIn(bytes: Buffer, end: number): number {
    const needle = this.#needle
    let count = 0
    for (let at = bytes.indexOf(needle); at >= 0 && at < end; at = bytes.indexOf(needle, at + needle.length)) count += 1
    return count
  }
}

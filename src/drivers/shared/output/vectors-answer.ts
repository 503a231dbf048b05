/** Reads answers with vectors. 2,048 vectors of 3,072 numbers are 130 MB of JSON, and parsing them
 *  as a whole would block the event loop for more than half a second. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json } from '@generation-gateway/kit/json.ts'
import { encodedVector } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { chunksUpTo, upstreamJson } from '../upstream/read-json.ts'
import type { UpstreamAnswer } from '../upstream/upstream-answer.ts'

/** Largest size of a vector in bytes of JSON; 16,384 numbers fit in. */
const longestVector = 1024 * 1024
const openingBracket = 0x5b
const closingBracket = 0x5d

/** Returns the answer as JSON, in which each list of numbers in a member called `name` is replaced
 *  by its base64 (`encodedVector`). Throws `upstream_error` when the answer is not JSON or has more
 *  than `maxBytes`, and when such a list is empty, is longer than 1 MiB, or contains anything other
 *  than numbers. */
export async function vectorsAnswer(answer: Pick<UpstreamAnswer, 'chunks'>, name: string, maxBytes: number): Promise<Json> {
  const cutter = new VectorCutter(name)
  for await (const chunk of chunksUpTo(maxBytes, answer.chunks())) cutter.take(chunk)
  return cutter.whole()
}

/** Encodes the vectors of an answer as its bytes arrive, and keeps the rest of the answer. */
class VectorCutter {
  /** The member's name with its quotes. A search for these bytes finds nothing inside a longer
   *  JSON string, because quotes are escaped there. */
  readonly #name: Buffer
  readonly #member: string
  readonly #vectors: string[] = []
  /** The answer so far. Each vector is replaced by its index in `#vectors`. */
  readonly #pieces: Buffer[] = []
  /** The last bytes, which cannot be processed yet: an incomplete vector, or what may be the
   *  beginning of the member's name. */
  #held: Buffer[] = []
  #heldBytes = 0
  #isInVector = false

  constructor(name: string) {
    this.#member = name
    this.#name = Buffer.from(`"${name}"`)
  }

  take(chunk: Buffer): void {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    // The chunks are joined only when the vector is complete, so that a vector in many small chunks
    // costs little time.
    if (!this.#isInVector || chunk.includes(closingBracket)) this.#cut(Buffer.concat(this.#held))
    if (this.#heldBytes > longestVector) throw new GatewayError('upstream_error', 'The upstream service sent a vector of more than 1 MB.')
  }

  whole(): Json {
    const answer = upstreamJson(Buffer.concat([...this.#pieces, ...this.#held]).toString())
    this.#putBack(answer, 0)
    return answer
  }

  /** Puts the vectors back into the answer. Services send vectors only in the answer itself, in
   *  objects that are its members, and in objects that are elements of its lists. */
  #putBack(value: Json | undefined, level: number): void {
    if (Array.isArray(value)) for (const each of value) this.#putBack(each, level)
    else if (isObject(value)) {
      const { [this.#member]: place } = value
      if (typeof place === 'number') value[this.#member] = this.#vectors[place] ?? null
      if (level < 1) for (const each of Object.values(value)) this.#putBack(each, level + 1)
    }
  }

  #cut(bytes: Buffer): void {
    let done = 0
    for (let found = bytes.indexOf(this.#name); found >= 0; found = bytes.indexOf(this.#name, done)) {
      const start = valueAfter(bytes, found + this.#name.length)
      const isList = bytes[start] === openingBracket
      const end = isList ? bytes.indexOf(closingBracket, start) + 1 : start
      if (start === bytes.length || end === 0) {
        this.#keep(bytes, { from: done, held: found, isInVector: isList })
        return
      }
      this.#pieces.push(Buffer.from(bytes.subarray(done, start)))
      if (isList) this.#pieces.push(Buffer.from(String(this.#vectors.push(encoded(bytes.subarray(start, end))) - 1)))
      done = end
    }
    // The last bytes may be the beginning of the member's name (`#name`), so they are kept and
    // searched again together with the next chunk.
    this.#keep(bytes, { from: done, held: Math.max(done, bytes.length - this.#name.length), isInVector: false })
  }

  /** Keeps the bytes from the offset `from`; those from `held` on are searched again. */
  #keep(bytes: Buffer, { from, held, isInVector }: { from: number; held: number; isInVector: boolean }): void {
    this.#pieces.push(Buffer.from(bytes.subarray(from, held)))
    this.#held = [bytes.subarray(held)]
    this.#heldBytes = bytes.length - held
    this.#isInVector = isInVector
  }
}

/** Returns the offset of the value after a member's name. Returns the length of `bytes` when the
 *  value has not arrived. `end` is the offset after the name. */
function valueAfter(bytes: Buffer, end: number): number {
  let at = end
  while (at < bytes.length && (bytes[at]! <= 0x20 || bytes[at] === 0x3a)) at += 1
  return at
}

function encoded(list: Buffer): string {
  const numbers = upstreamJson(list.toString('latin1'))
  if (Array.isArray(numbers) && numbers.length > 0 && numbers.every(each => typeof each === 'number'))
    return encodedVector(Float32Array.from(numbers))
  throw new GatewayError('upstream_error', 'The upstream service sent a vector that is not a list of numbers.')
}

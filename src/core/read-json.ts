/** Reads JSON that the gateway has stored as a blob. */
import { createHash, randomBytes } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { JsonScanner, type JsonVisitor } from '@generation-gateway/kit/json-scanner.ts'
import { withTexts } from '@generation-gateway/kit/json-texts.ts'
import { KiB } from '@generation-gateway/kit/units.ts'
import type { BlobStore, StoredBlob } from './ports/blobs.ts'

/** Number of bytes that are read in one turn of the event loop. */
const turnBytes = 512 * KiB

/** Returns the JSON object that a blob contains. A large one is read in many turns of the event
 *  loop. Throws `gone` when the bytes are missing, and `store_unavailable` when the store returns
 *  other bytes, such as the page of a proxy in front of a bucket. */
export async function readJson(blobs: Pick<BlobStore, 'read'>, { key, sha256 }: Pick<StoredBlob, 'key' | 'sha256'>): Promise<JsonObject> {
  const reader = new PiecewiseReader()
  const hash = createHash('sha256')
  let sinceTurn = 0
  for await (const chunk of await blobs.read(key)) {
    const bytes = Buffer.from(chunk)
    for (let at = 0; at < bytes.length; at += turnBytes) {
      const piece = bytes.subarray(at, at + turnBytes)
      hash.update(piece)
      feed(reader, piece)
      sinceTurn += piece.length
      if (sinceTurn < turnBytes) continue
      sinceTurn = 0
      await nextTurn()
    }
  }
  if (hash.digest('hex') !== sha256) throw otherBytes()
  return reader.value()
}

/** Throws `store_unavailable` when the piece is not JSON, and therefore not of the stored bytes. */
function feed(reader: PiecewiseReader, piece: Buffer): void {
  try {
    reader.feed(piece)
  } catch (error) {
    throw otherBytes(error)
  }
}

function otherBytes(cause?: unknown): GatewayError {
  return new GatewayError('store_unavailable', 'The store of the files returned other bytes than were stored.', {
    cause,
    retryAfterSeconds: 5,
  })
}

/** Parses JSON that arrives in pieces. A string that lies in several pieces is decoded piece by
 *  piece. All other JSON is parsed at the end, with placeholders for these strings. */
class PiecewiseReader implements JsonVisitor {
  readonly #scanner = new JsonScanner(this)
  readonly #prefix = `text:${randomBytes(16).toString('hex')}:`
  readonly #texts = new Map<string, string>()
  /** The JSON that is parsed at the end. */
  readonly #rest: Buffer[] = []
  /** The string that began in an earlier piece. */
  #open: PiecewiseText | undefined
  /** Position in the current piece at which the JSON that has not been added to `#rest` begins:
   *  after the last string that is decoded piece by piece. */
  #from = 0

  feed(piece: Buffer): void {
    this.#from = 0
    this.#scanner.feed(piece)
    if (this.#open === undefined) this.#rest.push(piece.subarray(this.#from))
  }

  text(start: number, end: number, piece: Buffer, isLast: boolean): void {
    if (this.#scanner.isKey || (isLast && this.#open === undefined)) return
    if (this.#open === undefined) {
      this.#rest.push(piece.subarray(this.#from, start))
      this.#open = new PiecewiseText()
    }
    this.#open.add(piece.subarray(start, end))
    if (!isLast) return
    const placeholder = this.#prefix + this.#texts.size
    this.#texts.set(placeholder, this.#open.text)
    this.#rest.push(Buffer.from(placeholder))
    this.#open = undefined
    this.#from = end
  }

  async value(): Promise<JsonObject> {
    const value: JsonObject = JSON.parse(Buffer.concat(this.#rest).toString())
    if (this.#texts.size === 0) return value
    await nextTurn()
    // The cast is safe: only strings in the object are replaced.
    return withTexts(value, this.#texts) as JsonObject
  }
}

/** The text of a JSON string that is decoded piece by piece. */
class PiecewiseText {
  text = ''
  readonly #decoder = new StringDecoder('utf8')
  /** The beginning of an escape sequence that ends in the next piece. */
  #rest = ''

  add(bytes: Buffer): void {
    const quoted = this.#rest + this.#decoder.write(bytes)
    const end = wholeLength(quoted)
    this.#rest = quoted.slice(end)
    this.text += JSON.parse(`"${quoted.slice(0, end)}"`)
  }
}

/** Returns the length of the text without an escape sequence that is cut off at its end. */
function wholeLength(quoted: string): number {
  const at = quoted.lastIndexOf('\\')
  let before = at
  while (quoted[before - 1] === '\\') before -= 1
  // When the number of backslashes at this position is even, the last one completes a whole escape
  // sequence `\\`, so nothing is cut off.
  if (at < 0 || (at - before) % 2 === 1) return quoted.length
  const length = quoted[at + 1] === 'u' ? 6 : 2
  return at + length <= quoted.length ? quoted.length : at
}

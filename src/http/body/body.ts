/** Reads JSON request bodies. A small body is read at once. In a large one, files are decoded to
 *  disk as they arrive. */
import { isUtf8 } from 'node:buffer'
import { createHash, type Hash, hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RoomReservation } from '@generation-gateway/kit/disk-room.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { maxDepth } from '@generation-gateway/kit/json-scanner.ts'
import { formatBytes } from '../format-bytes.ts'
import { assertPlain } from './body-headers.ts'
import { defaultRate, tooLarge } from './chunks.ts'
import { discardBody } from './discard-body.ts'
import { type Members, readMembers, readMembersInTurns, turnBytes } from './json-members.ts'
import { findJsonError } from './json-position.ts'
import { JsonSpill, spillThreshold } from './json-spill.ts'
import { type RawBody, RawSpool } from './raw-spool.ts'
import { type SpilledFile, SpillFiles } from './spill-files.ts'
import { compiledFields, type SpillField } from './spill-paths.ts'
import { spilledFiles } from './spilled-values.ts'
import { limitMembers } from './value-limit.ts'

export type { SpilledFile } from './spill-files.ts'
export type { SpillField } from './spill-paths.ts'

export interface ReadJsonOptions {
  /** Largest size in bytes of the body as it is sent, inclusive. A file in base64 counts with
   *  4/3 of its own size. */
  maxBytes: number
  /** Largest JSON in bytes after the strings stored in files were replaced by placeholders;
   *  default 1 MiB. Bounds the time that parsing takes. */
  residualLimitBytes?: number
  /** With `keepsRaw`: largest number of values in a body above 1 MiB; default 100,000. Without
   *  `keepsRaw`, the limit is always 100,000 and applies to bodies above 64 KiB. */
  residualValues?: number | undefined
  /** The string fields that hold base64 or a data URL and may be stored in a file ("spilled").
   *  Pass the same array at each call, because it is compiled once per array. */
  spillFields?: readonly SpillField[]
  /** Creates an empty folder for files of the body; called only when there is a file to write. */
  scratch: () => Promise<string>
  /** Disk space reserved for the files of the body; no limit when absent. */
  room?: RoomReservation | undefined
  /** True to get `raw`, the body as sent. In `value`, placeholders then stand for long strings
   *  until `restore` fills them in. `spillFields` has no effect with this option. */
  keepsRaw?: boolean
  /** With `keepsRaw`: names of the top-level members whose byte offsets are reported, so that a
   *  relay can replace their values. */
  spliced?: ReadonlySet<string>
  /** With `keepsRaw`: names of members whose values the gateway acts on. The body is refused
   *  when it contains one of them in another case, or any name twice in one object, because the
   *  upstream's parser might read such a body differently. */
  judged?: ReadonlySet<string>
  /** True to get `bodySha256`, the hash of the body. */
  hash?: boolean
  /** Minimum rate at which the client has to send, measured over a window; default 16 KiB/s over
   *  30 s. Time in which the gateway does not read does not count. */
  minimumRate?: { bytesPerSecond: number; windowMs: number }
}

export interface JsonBody {
  /** The parsed JSON. Strings that are stored in files are replaced by placeholders. */
  value: unknown
  /** Placeholder -> file. Placeholders are random, so that a caller cannot use one as a value. A
   *  string of a spill field with up to 64 KiB (4 KiB once half of the limit for the JSON is
   *  used) stays in `value` as text. */
  spilled: ReadonlyMap<string, SpilledFile>
  /** SHA-256 in hex of the body as sent. For a multipart body, it is a hash of the parts, because a
   *  repeat of the same request has another boundary between the parts. */
  bodySha256?: string
  /** Top-level integers that a double cannot represent exactly: key -> the digits as sent.
   *  `value` contains the rounded number. */
  exactIntegers: ReadonlyMap<string, string>
  /** The body as sent, when `keepsRaw` was set. */
  raw?: RawBody
  /** True for a body so long that each further step with it should have a turn of the event loop
   *  of its own. */
  isLong?: boolean
  /** Removes the scratch folder with its contents. Must be called when the files were moved to
   *  their final place, or when the request has failed. */
  discard: () => Promise<void>
}

const defaultResidualLimit = 1024 * 1024
// Two thresholds of pending bytes: at the first, writing to disk starts; at the second, reading
// from the client pauses until the pending bytes are written.
const writeBytes = 128 * 1024
const pauseBytes = 384 * 1024
const none: ReadonlyMap<string, never> = new Map<string, never>()
const noNames: ReadonlySet<string> = new Set()
const noFields = compiledFields([])
/** Largest relayed body in bytes that stays in memory. */
const rawInMemory = 1024 * 1024

interface LargeBody {
  /** Keeps the JSON without its long strings, which is parsed at the end. Also maps an offset in
   *  that JSON to the offset in the body as sent. */
  reader: JsonSpill | RawSpool
  files: SpillFiles
  hash: Hash | undefined
}

/** Reads and parses the JSON body of a request whose body is still unread. Throws
 *  `unsupported_media_type`, `payload_too_large` (body, residual, values, members or one field),
 *  `invalid_json` (with the byte), `invalid_request` (a field that is not base64, a name that
 *  `judged` refuses, a client that disconnected), `request_timeout`, `disk_full`,
 *  `internal_error`. After an error nothing is left on disk and the rest of the body is
 *  discarded. */
export async function readJsonBody(request: IncomingMessage, options: ReadJsonOptions): Promise<JsonBody> {
  try {
    assertPlain(request, options.maxBytes)
    return await new BodyReader(request, options).read()
  } catch (error) {
    discardBody(request)
    throw error
  }
}

/** Returns a small JSON body that has arrived in the same packet as its headers. Such a body is
 *  read synchronously, because listeners and a timer would cost more than the reading. Returns
 *  undefined for every other body, and consumes nothing of it. Throws the errors of
 *  `readJsonBody`. */
export function readArrivedJson(request: IncomingMessage, options: ReadJsonOptions): JsonBody | undefined {
  const length = Number(request.headers['content-length'])
  if (!(length > 0 && length <= smallBytes(options) && request.readableLength === length)) return undefined
  assertPlain(request, options.maxBytes)
  const bytes: Buffer = request.read()
  const body = smallBody(bytes, parseInMemory(bytes), options)
  const { keepsRaw, spliced = noNames, judged } = options
  return keepsRaw ? { ...body, raw: { buffer: bytes, members: readMembers(bytes, spliced, judged) } } : body
}

/** Returns the size in bytes up to which a body is kept in memory. */
function smallBytes({ keepsRaw, residualLimitBytes = defaultResidualLimit }: ReadJsonOptions): number {
  return Math.min(keepsRaw ? rawInMemory : spillThreshold, residualLimitBytes)
}

function sameOffset(offset: number): number {
  return offset
}

class BodyReader {
  readonly #request: IncomingMessage
  readonly #options: ReadJsonOptions
  readonly #residualLimit: number
  readonly #rate: { bytesPerSecond: number; windowMs: number }
  /** The chunks of the body, while it is small enough to stay in memory. */
  #chunks: Buffer[] = []
  #received = 0
  #large: LargeBody | undefined
  #isPaused = false
  #isWriting = false
  #timer: NodeJS.Timeout | undefined
  #receivedBefore = 0
  #pausedAt = 0
  #pausedMs = 0

  constructor(request: IncomingMessage, options: ReadJsonOptions) {
    this.#request = request
    this.#options = options
    this.#residualLimit = options.residualLimitBytes ?? defaultResidualLimit
    this.#rate = options.minimumRate ?? defaultRate
  }

  async read(): Promise<JsonBody> {
    try {
      await this.#receive()
      const body = this.#large === undefined ? await this.#parseSmall() : await this.#parseLarge(this.#large)
      await this.#letOthersRun()
      return { ...body, isLong: this.#isLong }
    } catch (error) {
      await this.#large?.files.discard()
      throw error
    }
  }

  /** Resolves when the body has ended and all of its chunks were processed. */
  #receive(): Promise<void> {
    const request = this.#request
    if (request.destroyed && !request.complete) return Promise.reject(clientLeft())
    return new Promise((resolve, reject) => {
      const finish = (error?: unknown) => {
        clearTimeout(this.#timer)
        request.off('data', onData)
        request.off('end', onEnd)
        request.off('close', onClose)
        request.off('error', onClose)
        if (error === undefined) resolve()
        else reject(error)
      }
      const onData = (chunk: Buffer) => {
        try {
          this.#take(chunk, finish)
        } catch (error) {
          finish(error)
        }
      }
      const onEnd = () => finish()
      const onClose = () => finish(clientLeft())
      request.on('data', onData)
      request.on('end', onEnd)
      request.on('close', onClose)
      request.on('error', onClose)
      this.#watchRate(finish)
    })
  }

  #take(chunk: Buffer, fail: (error: unknown) => void): void {
    this.#received += chunk.length
    if (this.#received > this.#options.maxBytes) throw tooLarge(this.#options.maxBytes)
    if (this.#large !== undefined) {
      this.#large.hash?.update(chunk)
      this.#large.reader.feed(chunk)
      this.#write(this.#large.files, fail)
      return
    }
    this.#chunks.push(chunk)
    const { keepsRaw = false } = this.#options
    if (this.#received <= smallBytes(this.#options)) return
    const files = new SpillFiles(this.#options.scratch, this.#options.room)
    const reader = keepsRaw
      ? new RawSpool(files, { limitBytes: this.#residualLimit, mostValues: this.#options.residualValues })
      : new JsonSpill({ fields: compiledFields(this.#options.spillFields), residualLimitBytes: this.#residualLimit, files })
    this.#large = { reader, files, hash: this.#options.hash === true ? createHash('sha256') : undefined }
    for (const early of this.#chunks) {
      this.#large.hash?.update(early)
      reader.feed(early)
    }
    this.#chunks = []
    this.#write(files, fail)
  }

  /** Starts a write to disk when enough bytes are waiting. Pauses reading from the client while
   *  too many are waiting. */
  #write(files: SpillFiles, fail: (error: unknown) => void): void {
    if (!this.#isPaused && files.pendingBytes > pauseBytes) {
      this.#isPaused = true
      this.#pausedAt = performance.now()
      this.#request.pause()
    }
    if (this.#isWriting || files.pendingBytes < writeBytes) return
    this.#isWriting = true
    files.drain().then(() => {
      this.#isWriting = false
      if (this.#isPaused) {
        this.#isPaused = false
        this.#pausedMs += performance.now() - this.#pausedAt
        this.#request.resume()
      }
    }, fail)
  }

  #watchRate(fail: (error: unknown) => void): void {
    const { bytesPerSecond, windowMs } = this.#rate
    this.#timer = setTimeout(() => {
      const pausedMs = this.#pausedMs + (this.#isPaused ? performance.now() - this.#pausedAt : 0)
      const needed = ((windowMs - pausedMs) / 1000) * bytesPerSecond
      if (this.#received - this.#receivedBefore < needed) {
        fail(new GatewayError('request_timeout', `The body arrived slower than ${formatBytes(bytesPerSecond)} a second.`))
        return
      }
      this.#receivedBefore = this.#received
      this.#pausedMs = 0
      this.#pausedAt = performance.now()
      this.#watchRate(fail)
    }, windowMs)
  }

  async #parseSmall(): Promise<JsonBody> {
    const bytes = Buffer.concat(this.#chunks)
    const parsed = parseInMemory(bytes)
    await this.#letOthersRun()
    const body = smallBody(bytes, parsed, this.#options)
    return this.#options.keepsRaw ? { ...body, raw: { buffer: bytes, members: await this.#members(bytes) } } : body
  }

  #members(json: Buffer): Promise<Members> | Members {
    const { spliced = noNames, judged } = this.#options
    return this.#isLong ? readMembersInTurns(json, spliced, judged) : readMembers(json, spliced, judged)
  }

  get #isLong(): boolean {
    return this.#received > turnBytes
  }

  /** Ends the turn of the event loop between two steps of a long body, each of which may take
   *  tens of milliseconds. */
  #letOthersRun(): Promise<void> | undefined {
    return this.#isLong ? nextTurn() : undefined
  }

  async #parseLarge({ reader, files, hash }: LargeBody): Promise<JsonBody> {
    const value = parse(reader.residual(), offset => reader.bodyOffset(offset))
    await this.#letOthersRun()
    const body: JsonBody = { value, spilled: none, exactIntegers: none, discard: () => files.discard() }
    if (hash !== undefined) body.bodySha256 = hash.digest('hex')
    if (reader instanceof RawSpool) return { ...body, raw: await reader.finish(await this.#members(reader.residual())) }
    return { ...body, spilled: await spilledFiles(value, reader, files), exactIntegers: reader.exactIntegers }
  }
}

interface ParsedBody {
  value: unknown
  /** True when the bytes have to be scanned as well (`needsScan`). */
  mustScan: boolean
}

function parseInMemory(bytes: Buffer): ParsedBody {
  const value = parse(bytes, sameOffset)
  return { value, mustScan: needsScan(bytes, value) }
}

function smallBody(bytes: Buffer, { value, mustScan }: ParsedBody, options: ReadJsonOptions): JsonBody {
  const body: JsonBody = { value, spilled: none, exactIntegers: none, discard: nothingToDiscard }
  if (options.hash === true) body.bodySha256 = hash('sha256', bytes)
  if (!mustScan) return body
  const files = new SpillFiles(options.scratch)
  const scan = new JsonSpill({ fields: noFields, residualLimitBytes: bytes.length, mostValues: bytes.length, files })
  scan.feed(bytes)
  return { ...body, exactIntegers: scan.exactIntegers }
}

/** Parses JSON. An error names the byte of the caller's body at which the JSON is malformed;
 *  `bodyOffset` converts an offset in `bytes` to that position. */
function parse(bytes: Buffer, bodyOffset: (offset: number) => number): unknown {
  if (bytes.length === 0) throw new GatewayError('invalid_json', 'The body is empty; a JSON object is expected.')
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', 'The body is not valid UTF-8.')
  if (bytes.length > turnBytes) limitMembers(bytes, offset => `The object at byte ${bodyOffset(offset)}`)
  const markBytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  try {
    return JSON.parse(bytes.toString('utf8', markBytes, bytes.length))
  } catch (cause) {
    const at = findJsonError(bytes.subarray(markBytes)) + markBytes
    const what = at >= bytes.length ? 'it ends too early' : 'unexpected character'
    throw new GatewayError('invalid_json', `The body is not valid JSON: ${what} at byte ${bodyOffset(at)}.`, { cause })
  }
}

/** Returns true when a small body has to be scanned as well, because it may be nested too deep
 *  or may contain an integer whose last digits were lost in parsing. */
function needsScan(bytes: Buffer, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  // `Object.values` would copy the values, which is costly for a body with very many members.
  for (const name in value) {
    const item: unknown = value[name as keyof typeof value]
    if (typeof item === 'number' && !Number.isSafeInteger(item) && Math.abs(item) > Number.MAX_SAFE_INTEGER) return true
  }
  return count(bytes, 0x5b, maxDepth) + count(bytes, 0x7b, maxDepth) > maxDepth
}

/** Counts how often a byte occurs; stops at `enough` + 1. */
function count(bytes: Buffer, code: number, enough: number): number {
  let found = 0
  for (let at = bytes.indexOf(code); at >= 0 && found <= enough; at = bytes.indexOf(code, at + 1)) found += 1
  return found
}

function clientLeft(): GatewayError {
  return new GatewayError('invalid_request', 'The connection ended before the body was complete.')
}

/** The `discard` function for a body without files: there is nothing to remove. */
export async function nothingToDiscard(): Promise<void> {}

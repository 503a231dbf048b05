/** A file that is downloaded over several connections: the part already on disk, and the version to
 *  which the next answer must belong (RFC 9110, 13.1.5 and 14). */
import { type FileHandle, open, rm, unlink } from 'node:fs/promises'
import { openRoom, type RoomReservation } from '@generation-gateway/kit/disk-room.ts'
import { type AnswerHeaders, headerOf } from '../upstream/upstream-failures.ts'
import { fileFailure } from '../upstream/url-failures.ts'
import { TooManyBytesError } from './save-body.ts'

/** Thrown when the server is busy or fails, or when its answer belonged to another version of
 *  the file or was shorter or longer than announced. The next try may complete the file. */
export class InterruptionError extends Error {
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, retryAfterSeconds?: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A `last-modified` date identifies a version only when it is at least this many milliseconds
 *  older than the answer: with a smaller gap, differing clocks could hide a change (RFC 9110,
 *  8.8.2.2). */
const strongDateMs = 60_000

export class PartialFile {
  readonly #handle: FileHandle
  readonly #path: string
  readonly #maxBytes: number
  #bytes = 0
  #room: RoomReservation | undefined
  /** Size of the whole file; undefined until an answer states it. */
  #total: number | undefined
  /** Value of `if-range` that identifies this version of the file; undefined when the server offers
   *  none, so that only the whole file can be requested. */
  #validator: string | undefined
  /** True after the server answered a request for the rest with 416 or with bytes that do not
   *  continue this file; further tries then request the whole file. */
  #isRangeBroken = false

  private constructor(handle: FileHandle, path: string, maxBytes: number) {
    this.#handle = handle
    this.#path = path
    this.#maxBytes = maxBytes
  }

  /** Creates a new file, which replaces any file at the path. The caller closes it with `close`, or
   *  removes it with `drop`. */
  static async create(path: string, maxBytes: number): Promise<PartialFile> {
    try {
      await rm(path, { force: true })
      // In append mode, the first byte after a truncation is written at the beginning of the file.
      return new PartialFile(await open(path, 'ax', 0o600), path, maxBytes)
    } catch (error) {
      throw fileFailure(error)
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Headers that request the rest of the file; empty when the whole file must be requested. */
  rangeHeaders(): Record<string, string> {
    if (this.#bytes === 0 || this.#validator === undefined) return {}
    return { range: `bytes=${this.#bytes}-`, 'if-range': this.#validator }
  }

  /** Accepts the head of an answer with status 200, 206 or 416, and reserves disk space for the
   *  announced size. Throws `InterruptionError` when the answer does not continue the file,
   *  `TooManyBytesError`, `disk_full`. */
  async begin(status: number, headers: AnswerHeaders): Promise<void> {
    const isRest = status === 206 && this.#takesRest(headers)
    if (!isRest) await this.#empty()
    if (status !== 200 && !isRest) {
      this.#isRangeBroken = true
      throw new InterruptionError(`the answer ${status} does not fit what was there of the file`)
    }
    if (status === 200) {
      this.#total = countOf(headerOf(headers, 'content-length'))
      this.#validator = this.#isRangeBroken ? undefined : validatorOf(headers)
    }
    if (this.#total !== undefined && this.#total > this.#maxBytes) throw new TooManyBytesError()
    this.#room?.close()
    this.#room = openRoom(this.#path, Math.max(0, (this.#total ?? 0) - this.#bytes))
  }

  /** Writes a chunk. Throws `TooManyBytesError`, `disk_full`, `InterruptionError` for more bytes
   *  than announced, and `internal_error` for other errors of the disk. */
  async append(chunk: Buffer): Promise<void> {
    const bytes = this.#bytes + chunk.length
    if (this.#total !== undefined && bytes > this.#total) {
      await this.#empty()
      throw new InterruptionError('more came than the server had said')
    }
    if (bytes > this.#maxBytes) throw new TooManyBytesError()
    this.#room?.take(chunk.length)
    try {
      await this.#handle.appendFile(chunk)
    } catch (error) {
      throw fileFailure(error)
    }
    this.#bytes = bytes
  }

  /** Throws `InterruptionError` when the answer was shorter than announced. */
  end(): void {
    if (this.#total !== undefined && this.#bytes < this.#total) throw new InterruptionError('less came than the server had said')
  }

  async close(): Promise<void> {
    this.#room?.close()
    await this.#handle.close()
  }

  /** Closes and removes the file. */
  async drop(): Promise<void> {
    this.#room?.close()
    await this.#handle.close()
    await unlink(this.#path).catch(() => {})
  }

  async #empty(): Promise<void> {
    try {
      await this.#handle.truncate(0)
    } catch (error) {
      throw fileFailure(error)
    }
    this.#bytes = 0
    this.#total = undefined
    this.#validator = undefined
  }

  /** Returns true when a 206 answer begins where the file ends and belongs to the same version. */
  #takesRest(headers: AnswerHeaders): boolean {
    if (this.#bytes === 0 || this.#validator === undefined) return false
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headerOf(headers, 'content-range')?.trim() ?? '') ?? []
    if (Number(first) !== this.#bytes || total === undefined) return false
    if (this.#total !== undefined && Number(total) !== this.#total) return false
    const etag = headerOf(headers, 'etag')
    if (etag !== undefined && this.#validator.startsWith('"') && etag !== this.#validator) return false
    this.#total = Number(total)
    return true
  }
}

/** Returns the value that identifies this version of the file: its entity tag, or without one
 *  its `last-modified` date. Undefined when the tag is weak, the date is not old enough, both
 *  are missing, or the server says that it supports no ranges. */
function validatorOf(headers: AnswerHeaders): string | undefined {
  if (headerOf(headers, 'accept-ranges')?.trim().toLowerCase() === 'none') return undefined
  const etag = headerOf(headers, 'etag')
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : undefined
  const changed = headerOf(headers, 'last-modified')
  const age = Date.parse(headerOf(headers, 'date') ?? '') - Date.parse(changed ?? '')
  return age >= strongDateMs ? changed : undefined
}

function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}

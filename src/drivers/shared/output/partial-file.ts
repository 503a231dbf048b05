/** A file that comes over several connections: what is here of it, and what the next answer has to fit to (RFC 9110, 13.1.5 and 14). */
import { type FileHandle, open, rm, unlink } from 'node:fs/promises'
import { openRoom, type RoomTaken } from '@generation-gateway/kit/disk-room.ts'
import { type AnswerHeaders, headerOf } from '../upstream/upstream-failures.ts'
import { fileFailure } from '../upstream/url-failures.ts'
import { TooManyBytesError } from './save-body.ts'

/** What came is not the file or not all of it; the next try may bring it. */
export class InterruptionError extends Error {
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, retryAfterSeconds?: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** RFC 9110, 8.8.2.2 wants a gap that no difference between clocks explains. */
const strongDateMs = 60_000

export class PartialFile {
  readonly #handle: FileHandle
  readonly #path: string
  readonly #maxBytes: number
  #bytes = 0
  #room: RoomTaken | undefined
  /** Of the whole file; undefined while no answer has told. */
  #total: number | undefined
  /** Names this very version of the file; undefined when the rest of it cannot be asked for. */
  #validator: string | undefined
  /** The server has answered a range with something that does not fit. */
  #isRangeBroken = false

  private constructor(handle: FileHandle, path: string, maxBytes: number) {
    this.#handle = handle
    this.#path = path
    this.#maxBytes = maxBytes
  }

  /** A new file in place of what may lie at the path. The caller closes or drops it. */
  static async create(path: string, maxBytes: number): Promise<PartialFile> {
    try {
      await rm(path, { force: true })
      // Appending: after a cut to nothing the next byte is the first again.
      return new PartialFile(await open(path, 'ax', 0o600), path, maxBytes)
    } catch (error) {
      throw fileFailure(error)
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Asks for the rest of what is here; empty when the whole has to be asked for. */
  rangeHeaders(): Record<string, string> {
    if (this.#bytes === 0 || this.#validator === undefined) return {}
    return { range: `bytes=${this.#bytes}-`, 'if-range': this.#validator }
  }

  /** Takes the head of an answer with the status 200, 206 or 416, and keeps room for what it announces. Throws `InterruptionError` when it does not fit, `TooManyBytesError`, `disk_full`. */
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

  /** Throws `TooManyBytesError`, `disk_full`, `InterruptionError` (more than the server said), and as `fileFailure` says. */
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

  /** Throws `InterruptionError` when the answer was shorter than the server had said. */
  end(): void {
    if (this.#total !== undefined && this.#bytes < this.#total) throw new InterruptionError('less came than the server had said')
  }

  async close(): Promise<void> {
    this.#room?.close()
    await this.#handle.close()
  }

  /** Closes and removes it. */
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

  /** Whether a 206 begins where the file ends, and belongs to the same version. */
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

/** A strong entity tag, else a date of the last change that is old enough; undefined when there is none, or the server takes no ranges. */
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

/** Files that contain parts of one request body. Bytes are queued and written in order, without
 *  blocking the event loop. */
import { type FileHandle, open, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { RoomReservation } from '@generation-gateway/kit/disk-room.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** A value of the body that was decoded to a file. */
export interface SpilledFile {
  file: string
  bytes: number
  /** Media type in the prefix of a data URL, as the caller wrote it (`image/png`, without
   *  parameters). The caller may be wrong: the bytes may be of another type. */
  mediaTypePrefix?: string
  /** Path of the value in the body, as in `images[2].data`. */
  field: string
  /** File name that the caller gave the part. */
  name?: string
}

interface Piece {
  file: string
  buffers: Buffer[]
  isLast: boolean
}

/** Owns its scratch folder until `discard`. `open`, `write` and `close` only add to a queue;
 *  `drain` does the queued work. */
export class SpillFiles {
  readonly #scratch: () => Promise<string>
  readonly #room: RoomReservation | undefined
  readonly #queue: Piece[] = []
  #folder: string | undefined
  #handle: FileHandle | undefined
  #draining: Promise<void> | undefined
  #count = 0
  #pending = 0
  #discarded = false
  /** The first error; once it is set, nothing more is written. */
  #failure: GatewayError | undefined

  /** @param scratch creates the folder; called at most once, and only when there are bytes to
   *  write. @param room disk space of the whole body. */
  constructor(scratch: () => Promise<string>, room?: RoomReservation) {
    this.#scratch = scratch
    this.#room = room
  }

  /** Bytes queued but not yet written. */
  get pendingBytes(): number {
    return this.#pending
  }

  get count(): number {
    return this.#count
  }

  /** Begins the next file and returns its name in the scratch folder. */
  open(): string {
    const file = `spill-${this.#count++}`
    this.#queue.push({ file, buffers: [], isLast: false })
    return file
  }

  write(bytes: Buffer): void {
    this.#current().buffers.push(bytes)
    this.#pending += bytes.length
  }

  close(): void {
    this.#current().isLast = true
  }

  /** Resolves when everything queued so far is written. Throws `disk_full` and `internal_error`
   *  (with the cause). */
  drain(): Promise<void> {
    if (this.#draining !== undefined) return this.#draining
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (!this.#hasWork()) return Promise.resolve()
    this.#draining = this.#work()
    return this.#draining
  }

  /** Returns the full path of a file. Call it only after `drain`, which creates the folder. */
  pathOf(file: string): string {
    if (this.#folder === undefined) throw new TypeError('no scratch folder yet')
    return join(this.#folder, file)
  }

  async remove(file: string): Promise<void> {
    await unlink(this.pathOf(file))
  }

  /** Stops writing, and removes the folder with its contents. */
  async discard(): Promise<void> {
    this.#discarded = true
    // The folder can be removed only when the write in progress has ended or failed.
    await this.#draining?.catch(() => {})
    await this.#handle?.close()
    this.#handle = undefined
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
  }

  async #work(): Promise<void> {
    try {
      while (!this.#discarded && this.#hasWork()) await this.#writePiece(this.#queue[0]!)
    } catch (error) {
      this.#failure = writeFailure(error)
      throw this.#failure
    } finally {
      this.#draining = undefined
    }
  }

  #hasWork(): boolean {
    const piece = this.#queue[0]
    return piece !== undefined && (piece.buffers.length > 0 || piece.isLast)
  }

  async #writePiece(piece: Piece): Promise<void> {
    this.#folder ??= await this.#scratch()
    this.#handle ??= await open(join(this.#folder, piece.file), 'wx', 0o600)
    const isLast = piece.isLast
    const buffers = piece.buffers.splice(0)
    this.#room?.take(buffers.reduce((sum, { length }) => sum + length, 0))
    await writeAll(this.#handle, buffers)
    for (const buffer of buffers) this.#pending -= buffer.length
    // More bytes may have been queued while this write ran, even if the file was closed meanwhile.
    // The next call writes them, and then closes the file.
    if (!isLast) return
    await this.#handle.close()
    this.#handle = undefined
    this.#queue.shift()
  }

  #current(): Piece {
    const piece = this.#queue.at(-1)
    if (piece === undefined || piece.isLast) throw new TypeError('no open spill file')
    return piece
  }
}

async function writeAll(handle: FileHandle, buffers: Buffer[]): Promise<void> {
  if (buffers.length === 0) return
  let left = buffers
  while (left.length > 0) {
    let { bytesWritten } = await handle.writev(left)
    // The system wrote only some of the bytes (after a signal, or on a nearly full disk): continue
    // after them.
    left = left.flatMap(buffer => {
      const taken = Math.min(bytesWritten, buffer.length)
      bytesWritten -= taken
      return taken === buffer.length ? [] : [buffer.subarray(taken)]
    })
  }
}

/** Returns the error for a failed write: `disk_full` when the disk was full, otherwise
 *  `internal_error`. A `GatewayError` is returned unchanged. */
export function writeFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  if (isFull) return new GatewayError('disk_full', 'There is no room on disk for the files of this request.', { cause: error })
  return new GatewayError('internal_error', 'The files of this request could not be written.', { cause: error })
}

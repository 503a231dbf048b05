/** Outputs that callers stream while a run is still producing them. The run writes the bytes
 *  into files, from which any number of callers read. When the process is restarted, these files
 *  are lost together with the run; the run then starts again. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { BlobStore } from '../ports/blobs.ts'

export interface EarlyOutputs {
  /** Returns a writer for the outputs of a new run of the task. Outputs of an earlier run can no
   *  longer be read from then on. */
  open(taskId: string): EarlyWriter
  /** Returns the indexes of the outputs that have begun; empty when no run in this process streams
   *  outputs of the task. */
  begun(taskId: string): readonly number[]
  /** Streams the bytes of one output from its start, as they are produced, until the output is
   *  complete; undefined when it has not begun in this process. Reading fails with `conflict` when
   *  the run is interrupted, and ends when `signal` is aborted. The file is opened when the
   *  iteration begins, and closed at its end. */
  read(taskId: string, index: number, signal: AbortSignal): AsyncIterable<Uint8Array> | undefined
}

export interface EarlyWriter {
  /** Appends bytes to an output. Resolves when they are on disk; the run waits for this. An
   *  output is complete as soon as the next one begins. Never rejects: when bytes cannot be
   *  written, only the streams of waiting callers break, and the run continues. */
  put(index: number, bytes: Uint8Array): Promise<void>
  /** Marks all outputs as complete. New readers still find them. */
  finish(): void
  /** Removes the outputs: new readers no longer find them, but a reader of a complete output can
   *  finish. */
  close(): Promise<void>
}

interface Deps {
  blobs: Pick<BlobStore, 'scratch'>
  log: { warn(fields: object, message: string): void }
}

/** Number of bytes that are read from the file, and sent to the caller, at a time. */
const pieceBytes = 64 * 1024

export function createEarlyOutputs(deps: Deps): EarlyOutputs {
  const writers = new Map<string, Writer>()
  return {
    open: taskId => {
      const writer = new Writer(deps, taskId, () => {
        if (writers.get(taskId) === writer) writers.delete(taskId)
      })
      writers.set(taskId, writer)
      return writer
    },
    begun: taskId => writers.get(taskId)?.begun() ?? [],
    read: (taskId, index, signal) => writers.get(taskId)?.track(index)?.follow(signal),
  }
}

/** Opens the file for reading. Throws `conflict` when the run has ended and the file was just
 *  removed. */
async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    throw endedEarly(cause)
  }
}

function endedEarly(cause?: unknown): GatewayError {
  return new GatewayError('conflict', 'The run ended before its output was taken.', { cause })
}

class Writer implements EarlyWriter {
  readonly #deps: Deps
  readonly #taskId: string
  readonly #forget: () => void
  readonly #tracks = new Map<number, Track>()
  #folder: Promise<string> | undefined
  #isGivenUp = false
  /** The latest `put`; it never rejects. */
  #putting: Promise<void> | undefined

  constructor(deps: Deps, taskId: string, forget: () => void) {
    this.#deps = deps
    this.#taskId = taskId
    this.#forget = forget
  }

  begun(): number[] {
    return Array.from(this.#tracks).flatMap(([index, { bytes }]) => (bytes > 0 ? [index] : []))
  }

  track(index: number): Track | undefined {
    const track = this.#tracks.get(index)
    return track && track.bytes > 0 ? track : undefined
  }

  async put(index: number, bytes: Uint8Array): Promise<void> {
    if (this.#isGivenUp) return
    this.#putting = this.#put(index, bytes)
    await this.#putting
  }

  async #put(index: number, bytes: Uint8Array): Promise<void> {
    try {
      for (const [earlier, track] of this.#tracks) if (earlier !== index) await track.end('whole')
      await (await this.#trackFor(index)).add(bytes)
    } catch (error) {
      this.#isGivenUp = true
      this.#deps.log.warn({ err: error, taskId: this.#taskId }, 'an output could not be told while it is made')
      await this.#end('broken')
    }
  }

  finish(): void {
    void this.#end('whole')
  }

  async close(): Promise<void> {
    this.#isGivenUp = true
    this.#forget()
    // A `put` in progress may be opening a file that is not in `#tracks` yet, so it is awaited
    // first. Otherwise its file would never be closed, and Node ends the process when the garbage
    // collector closes a file handle.
    await this.#putting
    await this.#end('broken')
    const folder = await this.#folder?.catch(() => undefined)
    if (folder === undefined) return
    await rm(folder, { recursive: true, force: true }).catch(error =>
      this.#deps.log.warn({ err: error, taskId: this.#taskId }, 'a scratch folder could not be removed'),
    )
  }

  async #trackFor(index: number): Promise<Track> {
    this.#folder ??= this.#deps.blobs.scratch(`early-${this.#taskId}`)
    const path = join(await this.#folder, String(index))
    const track = this.#tracks.get(index) ?? new Track(path, await open(path, 'wx', 0o600))
    this.#tracks.set(index, track)
    return track
  }

  async #end(how: 'whole' | 'broken'): Promise<void> {
    await Promise.all(Array.from(this.#tracks.values(), track => track.end(how)))
  }
}

/** A reader that waits for more bytes. `wake` is called when there are more, or when the output
 *  has ended. */
interface OutputReader {
  wake: () => void
}

/** The file of one output in progress. */
class Track {
  readonly #path: string
  readonly #file: FileHandle
  readonly #readers = new Set<OutputReader>()
  #state: 'open' | 'whole' | 'broken' = 'open'
  /** Number of bytes of the output that are on disk. */
  bytes = 0

  constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  async add(bytes: Uint8Array): Promise<void> {
    if (this.#state !== 'open') throw new TypeError('outputs are told one behind the other')
    for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten
    this.bytes += bytes.length
    this.#wake()
  }

  /** Ends the output as complete or broken; only the first call has an effect. */
  async end(how: 'whole' | 'broken'): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = how
    this.#wake()
    await this.#file.close().catch(() => {})
  }

  async *follow(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const file = await openToRead(this.#path)
    const reader: OutputReader = { wake: () => {} }
    const stop = () => reader.wake()
    this.#readers.add(reader)
    signal.addEventListener('abort', stop, { once: true })
    try {
      for (let at = 0; !signal.aborted; ) {
        if (at < this.bytes) {
          const piece = Buffer.allocUnsafe(Math.min(pieceBytes, this.bytes - at))
          const { bytesRead } = await file.read(piece, 0, piece.length, at)
          if (bytesRead === 0) throw new GatewayError('gone', 'The part that was made so far is no longer available.')
          at += bytesRead
          yield piece.subarray(0, bytesRead)
        } else if (this.#state === 'whole') {
          return
        } else if (this.#state === 'broken') {
          throw endedEarly()
        } else {
          // There was no `await` since the state was checked, so the state is still the same.
          await new Promise<void>(resolve => {
            reader.wake = resolve
          })
        }
      }
    } finally {
      signal.removeEventListener('abort', stop)
      this.#readers.delete(reader)
      await file.close()
    }
  }

  #wake(): void {
    for (const { wake } of this.#readers) wake()
  }
}

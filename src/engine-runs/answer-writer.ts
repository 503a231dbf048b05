import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname } from 'node:path'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { type AnswerHead, aliveEveryMs, frameOf, wireErrorOf } from './wire.ts'

/** Shortest time in ms between two reports of progress. More frequent reports would be useless,
 *  because the node that gets them does not store each one. */
const progressEveryMs = 500

/** Writes the frames of one answer, one after the other. `event`, `file` and `outcome` wait until
 *  their frames are written and the connection takes further data; they throw the signal's reason
 *  once the requesting node has closed the connection. `progress` does not wait. */
export class AnswerWriter implements Disposable {
  readonly #response: ServerResponse
  readonly #signal: AbortSignal
  readonly #timer: NodeJS.Timeout
  /** Resolves when the latest frame is written; the next frame waits for it. */
  #last: Promise<void> = Promise.resolve()
  #isWriting = false
  #progressAt = Number.NEGATIVE_INFINITY

  constructor(response: ServerResponse, signal: AbortSignal) {
    this.#response = response
    this.#signal = signal
    this.#timer = setInterval(() => this.#beat(), aliveEveryMs)
    this.#timer.unref()
  }

  progress(fraction: number): void {
    const now = performance.now()
    if (this.#isWriting || now - this.#progressAt < progressEveryMs) return
    this.#progressAt = now
    void this.#frame({ type: 'progress', fraction }).catch(() => {})
  }

  event(event: object): Promise<void> {
    const { bytes, ...rest }: { bytes?: Uint8Array } = event
    if (bytes === undefined) return this.#frame({ type: 'event', event: rest })
    return this.#frame({ type: 'event', event: rest, bytes: bytes.length }, [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)])
  }

  async file({ path, ...facts }: OutputFile, isOutcome: boolean): Promise<void> {
    const { size } = await stat(path)
    const head: AnswerHead = { type: 'file', file: facts, extension: extname(path), isOutcome, bytes: size }
    await this.#frame(head, size === 0 ? [] : bytesOf(path, size))
  }

  /** Writes the output files of the run, then its outcome. */
  async outcome(outcome: Outcome): Promise<void> {
    if (outcome.state === 'failed') return this.#frame({ type: 'outcome', outcome })
    for (const file of outcome.files) await this.file(file, true)
    await this.#frame({ type: 'outcome', outcome: { ...outcome, files: [] } })
  }

  async error(error: GatewayError): Promise<void> {
    await this.#frame({ type: 'error', ...wireErrorOf(error) }).catch(() => {})
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    if (!this.#isWriting) void this.#frame({ type: 'alive' }).catch(() => {})
  }

  #frame(head: AnswerHead, bytes: Iterable<Buffer> | AsyncIterable<Buffer> = []): Promise<void> {
    const written = this.#last.then(() => this.#write(head, bytes))
    this.#last = written.catch(() => {})
    return written
  }

  async #write(head: AnswerHead, bytes: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    this.#isWriting = true
    try {
      await this.#put(frameOf(head))
      for await (const part of bytes) await this.#put(part)
    } finally {
      this.#isWriting = false
    }
  }

  async #put(bytes: Buffer): Promise<void> {
    this.#signal.throwIfAborted()
    // Data may still come after the end of the answer, because an engine may report progress after
    // its outcome.
    if (this.#response.writableEnded) throw new Error('the answer has ended')
    if (this.#response.write(bytes)) return
    await once(this.#response, 'drain', { signal: this.#signal })
  }
}

/** Returns the first `size` bytes of a file. The file is opened only when its frame is sent. If it
 *  were opened earlier and then not read, the file would stay open, and an error of the stream
 *  would not be handled. */
async function* bytesOf(path: string, size: number): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { end: size - 1 })
}

/** Sends a request body from a stream, as fast as the connection accepts it. */
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Http1Error } from './http1-error.ts'

export interface UploadEvents {
  onSent(): void
  /** Called when the stream failed, ended early or gave more bytes than announced. */
  onUploadError(error: Error): void
}

export class Upload {
  readonly #socket: Socket
  readonly #stream: Readable
  readonly #events: UploadEvents
  #left: number

  /** Takes over the stream: `stop` destroys it. */
  constructor(socket: Socket, { stream, bytes }: { stream: Readable; bytes: number }, events: UploadEvents) {
    this.#socket = socket
    this.#stream = stream
    this.#left = bytes
    this.#events = events
  }

  /** True when all of the body has been handed to the connection. */
  get isDone(): boolean {
    return this.#left === 0
  }

  start(): void {
    const stream = this.#stream
    this.#socket.on('drain', this.#onDrain)
    stream.on('data', this.#onData)
    for (const event of ['end', 'close']) stream.on(event, this.#onOver)
    // A stream that failed before this point does not emit its error again, so it is checked here.
    if (stream.destroyed) this.#onOver()
  }

  /** Stops reading the stream and sending. */
  stop(): void {
    const stream = this.#stream
    this.#socket.off('drain', this.#onDrain)
    stream.off('data', this.#onData)
    for (const event of ['end', 'close']) stream.off(event, this.#onOver)
    stream.destroy()
  }

  readonly #onDrain = (): void => {
    this.#events.onSent()
    this.#stream.resume()
  }

  readonly #onData = (chunk: Buffer): void => {
    if (chunk.length > this.#left) {
      this.#events.onUploadError(new Http1Error('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', 'The body has more bytes than were announced.'))
      return
    }
    this.#left -= chunk.length
    if (!this.#socket.write(chunk)) this.#stream.pause()
    this.#events.onSent()
  }

  readonly #onOver = (): void => {
    if (this.#left === 0) return
    const error = new Http1Error('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', `The body ended ${this.#left} bytes early.`)
    this.#events.onUploadError(this.#stream.errored ?? error)
  }
}

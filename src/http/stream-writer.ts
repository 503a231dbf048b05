import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const largestString = 4 * 1024

/** Writes the parts of a stream of events, each as one string with its chunk frame: `response.write` makes three pieces of every part, and a stream is nothing but small parts
 *  (docs/decisions/0007). The response's head has to be out. What cannot be framed here (HTTP 1.0, a response that waits for its turn) goes through `response.write`. */
export class StreamWriter {
  readonly #response: ServerResponse
  readonly #socket: Socket | undefined
  readonly #onDrain: () => void

  /** `onDrain` is called when the client has caught up. */
  constructor(response: ServerResponse, onDrain: () => void) {
    this.#response = response
    this.#onDrain = onDrain
    const isFramed = response.chunkedEncoding && response.headersSent && response.socket !== null
    this.#socket = isFramed && response.socket ? response.socket : undefined
    if (this.#socket) this.#socket.on('drain', onDrain)
    else response.on('drain', onDrain)
  }

  /** False when the client is behind: `onDrain` tells when it has caught up. Not for empty bytes, which would end the stream. */
  write(bytes: Buffer): boolean {
    if (this.#socket === undefined) return this.#response.write(bytes)
    if (this.#response.destroyed || this.#response.writableEnded) return false
    // Both ways keep their order on the socket. Large parts are better off as they are: a copy of them is garbage.
    if (bytes.length > largestString) return this.#response.write(bytes)
    // Latin-1 maps every byte to one character and back.
    return this.#socket.write(`${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`, 'latin1')
  }

  get isBehind(): boolean {
    return this.#socket === undefined ? this.#response.writableNeedDrain : this.#socket.writableNeedDrain
  }

  /** Lets go of the connection, which lives on; before the response ends. */
  release(): void {
    this.#socket?.off('drain', this.#onDrain)
  }
}

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
    // Latin-1 maps every byte to one character and back.
    if (bytes.length <= largestString)
      return this.#socket.write(`${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`, 'latin1')
    return writeLarge(this.#socket, bytes)
  }

  get isBehind(): boolean {
    return this.#socket === undefined ? this.#response.writableNeedDrain : this.#socket.writableNeedDrain
  }

  /** Lets go of the connection, which lives on; before the response ends. */
  release(): void {
    this.#socket?.off('drain', this.#onDrain)
  }
}

/** Large parts go out as they are: a copy of them would only be garbage. Never by `response.write`, which holds its parts back and would change their order with ours. */
function writeLarge(socket: Socket, bytes: Buffer): boolean {
  socket.cork()
  socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
  socket.write(bytes)
  const isRoomy = socket.write('\r\n', 'latin1')
  socket.uncork()
  return isRoomy
}

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const largestString = 4 * 1024

/** Writes the parts of an event stream, each as one string that contains the chunk header of
 *  HTTP. `response.write` would send three strings per part, which is costly for a stream of
 *  many small parts (docs/decisions/0007). The head of the response must have been sent. Some
 *  responses cannot be written this way and use `response.write`: those of HTTP 1.0, and those
 *  that wait until an earlier answer on the connection was sent. */
export class StreamWriter {
  readonly #response: ServerResponse
  readonly #socket: Socket | undefined
  readonly #onDrain: () => void

  /** `onDrain` is called when the client has accepted the bytes that were waiting. */
  constructor(response: ServerResponse, onDrain: () => void) {
    this.#response = response
    this.#onDrain = onDrain
    const isFramed = response.chunkedEncoding && response.headersSent && response.socket !== null
    this.#socket = isFramed && response.socket ? response.socket : undefined
    if (this.#socket) this.#socket.on('drain', onDrain)
    else response.on('drain', onDrain)
  }

  /** Writes bytes; there must be at least one, because an empty chunk would end the stream.
   *  Returns false under back-pressure; `onDrain` is then called when the client has caught up. */
  write(bytes: Buffer): boolean {
    if (this.#socket === undefined) return this.#response.write(bytes)
    if (this.#response.destroyed || this.#response.writableEnded) return false
    // In Latin-1 each byte is one character, so the bytes survive the conversion to a string and
    // back.
    if (bytes.length <= largestString)
      return this.#socket.write(`${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`, 'latin1')
    return writeLarge(this.#socket, bytes)
  }

  get isBehind(): boolean {
    return this.#socket === undefined ? this.#response.writableNeedDrain : this.#socket.writableNeedDrain
  }

  /** Removes the writer's listener from the connection, which stays open. Must be called before
   *  the response ends. */
  release(): void {
    this.#socket?.off('drain', this.#onDrain)
  }
}

/** Writes a large part without copying it into a string, because the copy would burden the
 *  garbage collector. `response.write` cannot be used here: it delays what it writes, so the
 *  parts would arrive in another order. */
function writeLarge(socket: Socket, bytes: Buffer): boolean {
  socket.cork()
  socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
  socket.write(bytes)
  const isRoomy = socket.write('\r\n', 'latin1')
  socket.uncork()
  return isRoomy
}

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const largestString = 4 * 1024

/** Writes the parts of an event stream, each as one string with its chunk frame. `response.write`
 *  would make three pieces of every part, and a stream consists of many small parts
 *  (docs/decisions/0007). The response's head must have been sent. Responses that cannot be framed
 *  here (HTTP 1.0, a response that waits for its turn) are written with `response.write`. */
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

  /** Writes bytes, at least one (an empty chunk would end the stream). Returns false under
   *  back-pressure; `onDrain` is called when it ends. */
  write(bytes: Buffer): boolean {
    if (this.#socket === undefined) return this.#response.write(bytes)
    if (this.#response.destroyed || this.#response.writableEnded) return false
    // Latin-1 maps every byte to one character and back without loss.
    if (bytes.length <= largestString)
      return this.#socket.write(`${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`, 'latin1')
    return writeLarge(this.#socket, bytes)
  }

  get isBehind(): boolean {
    return this.#socket === undefined ? this.#response.writableNeedDrain : this.#socket.writableNeedDrain
  }

  /** Releases the connection, which stays open; call it before the response ends. */
  release(): void {
    this.#socket?.off('drain', this.#onDrain)
  }
}

/** Writes large parts without a copy, which would only burden the garbage collector.
 *  `response.write` is not used: it holds its parts back, which would change the order. */
function writeLarge(socket: Socket, bytes: Buffer): boolean {
  socket.cork()
  socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
  socket.write(bytes)
  const isRoomy = socket.write('\r\n', 'latin1')
  socket.uncork()
  return isRoomy
}

/** Discards the rest of a refused body, so that the client can read the answer instead of seeing a
 *  connection reset. */
import type { IncomingMessage } from 'node:http'

const lingerBytes = 32 * 1024 * 1024
const lingerMs = 10_000
const checkEveryMs = 250
const discarded = new WeakSet<IncomingMessage>()

/** Discards the rest of the body, at most about 32 MiB or 10 s; then the connection is cut. Does
 *  nothing when the body was already read, or when this function was called before for the same
 *  request. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.readableEnded || request.destroyed || discarded.has(request)) return
  discarded.add(request)
  const { socket } = request
  // Bytes are counted on the socket: once the answer was sent, the server drops the body without an
  // event per chunk.
  const bytesBefore = socket.bytesRead
  let looks = 0
  const timer = setInterval(() => {
    looks += 1
    if (looks * checkEveryMs >= lingerMs || socket.bytesRead - bytesBefore > lingerBytes) request.destroy()
  }, checkEveryMs)
  timer.unref()
  // The client may disconnect now, which raises an error. The answer was already sent, so the error
  // is ignored.
  request.on('error', () => {})
  request.on('end', () => clearInterval(timer))
  request.on('close', () => clearInterval(timer))
  request.resume()
}

/** Swallows the rest of a refused body, so that the client gets to read the answer instead of a reset connection. */
import type { IncomingMessage } from 'node:http'

const lingerBytes = 32 * 1024 * 1024
const lingerMs = 10_000
const lookEveryMs = 250
const discarded = new WeakSet<IncomingMessage>()

/** Reads and drops what still comes, about 32 MiB and 10 s at most; then the connection is cut. Does nothing when all was read, or a second time. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.readableEnded || request.destroyed || discarded.has(request)) return
  discarded.add(request)
  const { socket } = request
  // Counted on the socket: once the answer is out, the server drops the body without telling anybody.
  const bytesBefore = socket.bytesRead
  let looks = 0
  const timer = setInterval(() => {
    looks += 1
    if (looks * lookEveryMs >= lingerMs || socket.bytesRead - bytesBefore > lingerBytes) request.destroy()
  }, lookEveryMs)
  timer.unref()
  // A client that leaves now was told what it needs to know.
  request.on('error', () => {})
  request.on('end', () => clearInterval(timer))
  request.on('close', () => clearInterval(timer))
  request.resume()
}

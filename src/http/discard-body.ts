/** Swallows the rest of a refused body, so that the client gets to read the answer instead of a reset connection. */
import type { IncomingMessage } from 'node:http'

const lingerBytes = 32 * 1024 * 1024
const lingerMs = 10_000

/** Reads and drops what still comes, at most 32 MiB and 10 s; then the connection is cut. Does nothing when all was read. */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return
  let bytes = 0
  const timer = setTimeout(() => request.destroy(), lingerMs)
  timer.unref()
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > lingerBytes) request.destroy()
  })
  // A client that leaves now was told what it needs to know.
  request.on('error', () => {})
  request.on('end', () => clearTimeout(timer))
  request.on('close', () => clearTimeout(timer))
  request.resume()
}

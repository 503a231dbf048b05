import type { IncomingMessage } from 'node:http'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { formatBytes } from '../format-bytes.ts'

export interface ChunkLimits {
  /** Largest body on the wire, bytes, inclusive. */
  maxBytes: number
  /** Minimum rate at which the client has to send, measured over a window; default 16 KiB/s over
   *  30 s. Time in which the gateway does not read does not count. */
  minimumRate?: { bytesPerSecond: number; windowMs: number }
}

export const defaultRate = { bytesPerSecond: 16 * 1024, windowMs: 30_000 }

/** Yields the chunks of a request body that nothing has read yet; the next chunk is read only
 *  when the consumer asks for it. Throws `payload_too_large`, `request_timeout`, and
 *  `invalid_request` when the client disconnected. */
export async function* bodyChunks(request: IncomingMessage, limits: ChunkLimits): AsyncGenerator<Buffer> {
  const { bytesPerSecond, windowMs } = limits.minimumRate ?? defaultRate
  // Ending the iteration after an error must not destroy the socket, because the error answer is
  // sent on it.
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })
  let received = 0
  let windowBytes = 0
  let waitedMs = 0
  let coming: Promise<IteratorResult<Buffer>> | undefined
  try {
    for (;;) {
      const requested = performance.now()
      coming ??= chunks.next()
      const next = await withinMs(coming, windowMs - waitedMs)
      waitedMs += performance.now() - requested
      if (next === undefined || waitedMs >= windowMs) {
        if (windowBytes < (windowMs / 1000) * bytesPerSecond)
          throw new GatewayError('request_timeout', `The body arrived slower than ${formatBytes(bytesPerSecond)} a second.`)
        windowBytes = 0
        waitedMs = 0
      }
      if (next === undefined) continue
      coming = undefined
      if (next.done) return
      received += next.value.length
      windowBytes += next.value.length
      if (received > limits.maxBytes) throw tooLarge(limits.maxBytes)
      yield next.value
    }
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('invalid_request', 'The connection ended before the body was complete.', { cause: error })
  }
}

/** Returns the whole body in one buffer; for small bodies. Throws the errors of `bodyChunks`. */
export async function wholeBody(request: IncomingMessage, limits: ChunkLimits): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of bodyChunks(request, limits)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('payload_too_large', `The body is larger than ${formatBytes(maxBytes)}.`)
}

/** Returns the result of the promise; undefined when it takes longer than `ms`. The promise is not
 *  cancelled. */
async function withinMs<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<undefined>(resolve => {
      timer = setTimeout(resolve, Math.max(0, ms), undefined)
    })
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

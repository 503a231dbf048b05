import type { IncomingMessage } from 'node:http'

const early = new WeakMap<IncomingMessage, Buffer>()

/** The whole body of a request that was read before it was known that it takes the long way. */
export function earlyBody(request: IncomingMessage): Buffer | undefined {
  return early.get(request)
}

export function keepEarlyBody(request: IncomingMessage, body: Buffer): void {
  early.set(request, body)
}

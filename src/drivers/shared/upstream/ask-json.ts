/** Sends requests that may be repeated: polls, look-ups, cancellations and searches. */
import type { Json } from '@generation-gateway/kit/json.ts'
import type { ServiceAddress } from './service-settings.ts'
import type { JsonCall, Upstream } from './upstream.ts'

interface Question extends Pick<JsonCall, 'path' | 'body' | 'headers' | 'isStored' | 'signal'> {
  /** HTTP method; default GET. */
  method?: JsonCall['method']
  /** Largest answer in bytes; default 1 MiB. */
  maxBytes?: number
}

const usualMaxBytes = 1024 * 1024

/** Returns the JSON answer. The whole answer must arrive within twice the target's wait for a first
 *  byte. A status 404 means that the object in the path does not exist; when `isStored` is false,
 *  it means that the model does not exist. Throws as `Upstream.json`. */
export async function askJson(upstream: Upstream, { upstream: target, waits }: ServiceAddress, question: Question): Promise<Json> {
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: usualMaxBytes }
  return (await upstream.json(target, { method: 'GET', isStored: true, ...limits, ...question })).body
}

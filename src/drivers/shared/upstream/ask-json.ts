/** Sends requests that may be repeated: polls, look-ups, cancellations and searches. */
import type { Json } from '@generation-gateway/kit/json.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'
import type { ServiceAddress } from './service-settings.ts'
import type { JsonCall, Upstream } from './upstream.ts'
import { answerBehind } from './upstream-failures.ts'

interface Question extends Pick<JsonCall, 'path' | 'body' | 'headers' | 'isStored' | 'signal'> {
  /** HTTP method; default GET. */
  method?: JsonCall['method']
  /** Largest answer in bytes; default 1 MiB. */
  maxBytes?: number
}

const usualMaxBytes = 1024 * 1024

/** Returns the JSON answer. All of it must arrive within twice the target's wait for a first byte.
 *  Status 404 means that the object in the path does not exist, unless `isStored` is false; then it
 *  means the model. Throws as `Upstream.json`. */
export async function askJson(upstream: Upstream, { upstream: target, waits }: ServiceAddress, question: Question): Promise<Json> {
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: usualMaxBytes }
  return (await upstream.json(target, { method: 'GET', isStored: true, ...limits, ...question })).body
}

/** Returns the result of a poll. When the upstream answers 404, it does not know the task (any
 *  more); this returns a failure with the sentence `gone`. The failure may be charged, because the
 *  upstream may have finished the work earlier. */
export async function unlessGone<State>(poll: Promise<State>, gone: string): Promise<State | Failed> {
  try {
    return await poll
  } catch (error) {
    if (answerBehind(error)?.status === 404) return failedAfterPay('upstream_error', gone)
    throw error
  }
}

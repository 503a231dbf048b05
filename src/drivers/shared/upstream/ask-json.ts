/** Requests that cost nothing and may be sent again: polls, look-ups, cancellations. */
import type { Json } from '@generation-gateway/kit/json.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failedAfterPay } from '../failed.ts'
import type { ServiceAddress } from './service-settings.ts'
import type { JsonCall, Upstream } from './upstream.ts'
import { answerBehind } from './upstream-failures.ts'

interface Question extends Pick<JsonCall, 'path' | 'body' | 'headers' | 'isStored' | 'signal'> {
  /** Default: GET. */
  method?: JsonCall['method']
  /** Largest answer in bytes; default 1 MiB. */
  maxBytes?: number
}

const usualMaxBytes = 1024 * 1024

/** The JSON answer, which may take twice the wait for its first byte. A 404 is about what the path
 *  names, not about the model, unless `isStored` is false. Throws as `Upstream.json`. */
export async function askJson(upstream: Upstream, { upstream: target, waits }: ServiceAddress, question: Question): Promise<Json> {
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: usualMaxBytes }
  return (await upstream.json(target, { method: 'GET', isStored: true, ...limits, ...question })).body
}

/** The result of a poll; a failure that says `gone` when the upstream answers 404: it does not have
 *  the task, or no longer. The work may have been done long ago. */
export async function unlessGone<State>(poll: Promise<State>, gone: string): Promise<State | Failed> {
  try {
    return await poll
  } catch (error) {
    if (answerBehind(error)?.status === 404) return failedAfterPay('upstream_error', gone)
    throw error
  }
}

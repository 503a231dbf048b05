import type { CallRecord } from '../core/ports.ts'
import type { Call } from './call.ts'

export type RecordedCall = Pick<Call, 'requestId' | 'operation' | 'startedAt' | 'key' | 'endpoint' | 'model' | 'usage' | 'target'>

/** What the ledger keeps of an answered call. `now` is Unix milliseconds. */
export function callRecord(call: RecordedCall, status: number, now: number): CallRecord {
  const { usage } = call
  return {
    requestId: call.requestId,
    at: now,
    accountId: call.key.accountId,
    keyId: call.key.id,
    endpoint: call.endpoint.name,
    operation: call.operation,
    model: call.model?.id ?? '',
    target: call.target ?? '',
    status,
    ms: Math.round(performance.now() - call.startedAt),
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    cachedInputTokens: usage?.cachedInputTokens ?? 0,
    reasoningTokens: usage?.reasoningTokens ?? 0,
  }
}

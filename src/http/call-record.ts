import { type Price, priced } from '../core/ledger.ts'
import type { CallRecord } from '../core/ports.ts'
import type { Call } from './call.ts'

export type RecordedCall = Pick<
  Call,
  'requestId' | 'operation' | 'startedAt' | 'key' | 'endpoint' | 'model' | 'usage' | 'target' | 'holdId'
>

/** What the ledger keeps of an answered call, which is the end of its hold. `now` is Unix milliseconds. */
export function callRecord(call: RecordedCall, status: number, now: number): CallRecord {
  const { usage, holdId } = call
  const record: CallRecord = {
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
    inputCostMicros: 0,
    cachedInputCostMicros: 0,
    outputCostMicros: 0,
  }
  if (usage && call.model?.price) addCosts(record, call.model.price)
  if (holdId !== undefined) {
    record.holdId = holdId
    if (!usage) record.isUncounted = true
    delete call.holdId
  }
  return record
}

function addCosts(record: CallRecord, price: Price): void {
  const [input, cachedInput, output] = priced(price, [
    { unit: 'input_tokens', units: record.inputTokens },
    { unit: 'cached_input_tokens', units: record.cachedInputTokens },
    { unit: 'output_tokens', units: record.outputTokens },
  ])
  record.inputCostMicros = input?.costMicros ?? 0
  record.cachedInputCostMicros = cachedInput?.costMicros ?? 0
  record.outputCostMicros = output?.costMicros ?? 0
}

import type { CallRecord } from '../../core/ports/usage.ts'
import type { Call } from './call.ts'
import { usageOfCall } from './call-counts.ts'

export type RecordedCall = Pick<
  Call,
  | 'requestId'
  | 'operation'
  | 'startedAt'
  | 'key'
  | 'endpoint'
  | 'model'
  | 'expected'
  | 'runs'
  | 'hold'
  | 'isOnRecord'
  | 'owed'
  | 'openReadings'
  | 'target'
>

/** Returns the ledger record of an answered call, and clears `call.hold` (the amounts reserved for
 *  the call in quotas). `now` is Unix milliseconds. */
export function callRecord(call: RecordedCall, status: number, now: number): CallRecord {
  const record = recordOf(call, status, now)
  const used = usageOfCall(call, call.model?.price)
  if (used) record.units = used.units
  if (used?.isEstimated) record.isEstimated = true
  if (call.owed) record.owed = call.owed
  if (call.openReadings) record.openReadings = call.openReadings
  call.hold = undefined
  call.isOnRecord = false
  return record
}

/** Returns the ledger record of a call that is still running, with status 500. The store keeps
 *  this record if the process is killed before the call ends. */
export function recordUnderway(call: RecordedCall, now: number): CallRecord {
  return { ...recordOf(call, 500, now), holdId: call.requestId }
}

function recordOf(call: RecordedCall, status: number, now: number): CallRecord {
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
    units: [],
  }
  if (call.hold || call.isOnRecord) record.holdId = call.requestId
  return record
}

import type { DatabaseSync } from 'node:sqlite'
import type { CallRecord } from '../../core/ports/usage.ts'
import { number, type Row, text } from './values.ts'

export type ReadCalls = (filter: { accountId?: string; from: number; to: number; limit: number }) => CallRecord[]

/** Reads records of calls, newest first; `to` is exclusive. */
export function prepareReadCalls(database: DatabaseSync): ReadCalls {
  const select = (condition: string) =>
    database.prepare(
      `SELECT at, request_id, account_id, key_id, endpoint, operation, target, model, status, ms,
         input_tokens, output_tokens, cached_input_tokens, reasoning_tokens,
         input_cost_micros, cached_input_cost_micros, output_cost_micros, estimated
       FROM calls JOIN call_sources ON call_sources.id = calls.source_id
       WHERE at >= ? AND at < ? ${condition} ORDER BY at DESC, calls.id DESC LIMIT ?`,
    )
  const ofAll = select('')
  const ofAccount = select('AND account_id = ?')
  return ({ accountId, from, to, limit }) => {
    const rows = accountId === undefined ? ofAll.all(from, to, limit) : ofAccount.all(from, to, accountId, limit)
    return rows.map(toCall)
  }
}

function toCall(row: Row): CallRecord {
  const record: CallRecord = {
    requestId: text(row, 'request_id'),
    at: number(row, 'at'),
    accountId: text(row, 'account_id'),
    keyId: text(row, 'key_id'),
    endpoint: text(row, 'endpoint'),
    operation: text(row, 'operation'),
    model: text(row, 'model'),
    target: text(row, 'target'),
    status: number(row, 'status'),
    ms: number(row, 'ms'),
    inputTokens: number(row, 'input_tokens'),
    outputTokens: number(row, 'output_tokens'),
    cachedInputTokens: number(row, 'cached_input_tokens'),
    reasoningTokens: number(row, 'reasoning_tokens'),
    inputCostMicros: number(row, 'input_cost_micros'),
    cachedInputCostMicros: number(row, 'cached_input_cost_micros'),
    outputCostMicros: number(row, 'output_cost_micros'),
  }
  if (number(row, 'estimated') === 1) record.isEstimated = true
  return record
}

import { endOfCall } from '../../core/ledger/lines.ts'
import type { EndedHold } from '../../core/ports/store.ts'
import type { CallRecord } from '../../core/ports/usage.ts'

/** Records of calls on their way to the writer thread: few values to copy, however many records. */
export interface CallBatch {
  /** Account, key, endpoint, operation, target and model of each source, one after the other. */
  sources: string[]
  /** All request ids, without separators. */
  requestIds: string
  /** `cellsPerCall` numbers of each record: position of its source, time, length of its request id, status, milliseconds, the four kinds of tokens, the cost of input, cached input and output, and whether it is an estimate. */
  cells: Float64Array
  /** Holds that end with these calls, and what each of them used. */
  ended: EndedHold[]
}

export const namesPerSource = 6
export const cellsPerCall = 13

/** Times and counts are rounded to whole numbers. */
export function encodeCalls(records: readonly CallRecord[]): CallBatch {
  const positions = new Map<string, number>()
  const sources: string[] = []
  const cells = new Float64Array(records.length * cellsPerCall)
  const ended: CallBatch['ended'] = []
  let requestIds = ''
  let at = 0
  for (const record of records) {
    const { accountId, keyId, endpoint, operation, target, model } = record
    // The model comes last: it is the caller's own word and may hold the separator.
    const name = `${accountId}\n${keyId}\n${endpoint}\n${operation}\n${target}\n${model}`
    let position = positions.get(name)
    if (position === undefined) {
      position = positions.size
      positions.set(name, position)
      sources.push(accountId, keyId, endpoint, operation, target, model)
    }
    requestIds += record.requestId
    cells[at++] = position
    cells[at++] = Math.round(record.at)
    cells[at++] = record.requestId.length
    cells[at++] = record.status
    cells[at++] = Math.round(record.ms)
    cells[at++] = Math.round(record.inputTokens)
    cells[at++] = Math.round(record.outputTokens)
    cells[at++] = Math.round(record.cachedInputTokens)
    cells[at++] = Math.round(record.reasoningTokens)
    cells[at++] = record.inputCostMicros
    cells[at++] = record.cachedInputCostMicros
    cells[at++] = record.outputCostMicros
    cells[at++] = record.isEstimated === true ? 1 : 0
    const end = endOfCall(record)
    if (end) ended.push(end)
  }
  return { sources, requestIds, cells, ended }
}

import type { CallRecord } from '../../core/ports/usage.ts'
import type { PricedUnits } from '../../core/records/ledger.ts'
import type { Connection } from './statements.ts'
import { number, type Row, text } from './values.ts'

export type ReadCalls = (filter: { accountId?: string; from: number; to: number; limit: number }) => Promise<CallRecord[]>

/** Reads records of calls, newest first; `to` is exclusive. */
export function prepareReadCalls(connection: Connection): ReadCalls {
  const select = (condition: string) =>
    connection.prepare(
      `SELECT at, request_id, account_id, key_id, endpoint, operation, target, model, status, ms, estimated, units
       FROM calls JOIN call_sources ON call_sources.id = calls.source_id
       WHERE at >= ? AND at < ? ${condition} ORDER BY at DESC, calls.id DESC LIMIT ?`,
    )
  const ofAll = select('')
  const allUnits = connection.prepare('SELECT id, unit FROM call_units')
  const ofAccount = select('AND account_id = ?')
  return async ({ accountId, from, to, limit }) => {
    const rows = await (accountId === undefined ? ofAll.all(from, to, limit) : ofAccount.all(from, to, accountId, limit))
    const names = new Map((await allUnits.all()).map(row => [number(row, 'id'), text(row, 'unit')]))
    return rows.map(row => toCall(row, names))
  }
}

function toCall(row: Row, names: ReadonlyMap<number, string>): CallRecord {
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
    units: toUnits(text(row, 'units'), names),
  }
  if (number(row, 'estimated') === 1) record.isEstimated = true
  return record
}

function toUnits(json: string, names: ReadonlyMap<number, string>): PricedUnits[] {
  // The cast is safe: `src/stores/sql/write/calls.ts` writes this column as a list of numbers.
  const cells = JSON.parse(json) as number[]
  const units: PricedUnits[] = []
  for (let at = 0; at < cells.length; at += 3)
    units.push({ unit: names.get(cells[at] ?? 0) ?? '', units: cells[at + 1] ?? 0, costMicros: cells[at + 2] ?? 0 })
  return units
}

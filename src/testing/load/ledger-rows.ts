/** Reads the ledger directly from the store, for tests that compare it with what was really
 *  sent. */
import type { SQLOutputValue } from 'node:sqlite'
import type { Hold } from '../../core/records/ledger.ts'
import { queryRows } from '../stores/database.ts'

export interface CallRow {
  requestId: string
  account: string
  key: string
  endpoint: string
  operation: string
  model: string
  status: number
  input: number
  output: number
  cached: number
  reasoning: number
  inputCost: number
  cachedCost: number
  outputCost: number
  isEstimated: boolean
}

/** Usage of a response or task in one unit; `id` ends with the name of the unit. */
export interface UsageRow {
  id: string
  account: string
  key: string
  model: string
  unit: string
  units: number
  cost: number
}

export interface LedgerRows {
  calls: CallRow[]
  usage: UsageRow[]
  /** Totals of each day; their `id` is empty. */
  days: UsageRow[]
  quotas: { id: string; used: number; held: number }[]
  /** For each call that is not settled yet, the number of output tokens that are reserved for
   *  it. */
  holds: number[]
}

type Row = Record<string, SQLOutputValue>

export async function ledgerRows(dataDir: string): Promise<LedgerRows> {
  const all = (sql: string): Promise<Row[]> => queryRows(dataDir, sql)
  const days = `SELECT '' AS id, account_id, key_id, model, unit, sum(units) AS units, sum(cost_micros) AS cost_micros FROM usage_days
    GROUP BY account_id, key_id, model, unit`
  const quotas = await all('SELECT id, used, held FROM quota_counts')
  const holds = await all('SELECT hold FROM call_holds WHERE counted_at IS NULL')
  return {
    calls: (await rowsOfCalls(dataDir, 'calls.id')).map(callRow),
    usage: (await all('SELECT * FROM usage')).map(usageRow),
    days: (await all(days)).map(usageRow),
    quotas: quotas.map(row => ({ id: String(row.id), used: Number(row.used), held: Number(row.held) })),
    holds: holds.map(row => outputTokens(JSON.parse(String(row.hold)))),
  }
}

function outputTokens({ lines }: Hold): number {
  return lines.find(({ unit }) => unit === 'output_tokens')?.units ?? 0
}

/** Returns the rows of calls. For each unit, a row has a column with the amount (`input_tokens`)
 *  and one with the cost (`input_tokens cost`); both are 0 when the call has none. */
export async function rowsOfCalls(dataDir: string, order: string): Promise<Row[]> {
  const rows = await queryRows(dataDir, `SELECT * FROM calls JOIN call_sources ON call_sources.id = source_id ORDER BY ${order}`)
  // The units are read after the calls, so that every unit of a call is among them.
  const units = await queryRows(dataDir, 'SELECT id, unit FROM call_units')
  return rows.map(row => {
    const cells: number[] = JSON.parse(String(row.units))
    const used: Row = { ...row }
    for (const { id, unit } of units) {
      const at = cells.findIndex((cell, index) => index % 3 === 0 && cell === id)
      used[`${unit}`] = at < 0 ? 0 : (cells[at + 1] ?? 0)
      used[`${unit} cost`] = at < 0 ? 0 : (cells[at + 2] ?? 0)
    }
    return used
  })
}

function callRow(row: Row): CallRow {
  return {
    requestId: String(row.request_id),
    account: String(row.account_id),
    key: String(row.key_id),
    endpoint: String(row.endpoint),
    operation: String(row.operation),
    model: String(row.model),
    status: Number(row.status),
    input: Number(row.input_tokens),
    output: Number(row.output_tokens),
    cached: Number(row.cached_input_tokens),
    reasoning: Number(row.reasoning_tokens),
    inputCost: Number(row['input_tokens cost']),
    cachedCost: Number(row['cached_input_tokens cost']),
    outputCost: Number(row['output_tokens cost']),
    isEstimated: row.estimated === 1,
  }
}

function usageRow(row: Row): UsageRow {
  return {
    id: String(row.id),
    account: String(row.account_id),
    key: String(row.key_id),
    model: String(row.model),
    unit: String(row.unit),
    units: Number(row.units),
    cost: Number(row.cost_micros),
  }
}

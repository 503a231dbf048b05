import type { PricedUnits } from '../../core/ledger/ledger.ts'
import type { CallRecord } from '../../core/ports/usage.ts'
import { type CallBatch, cellsPerCall, encodeCalls, namesPerSource } from './call-batch.ts'
import type { Cell, Handlers } from './operations.ts'
import { number } from './values.ts'
import type { WriteContext } from './write-context.ts'
import { prepareHoldEnd } from './write-ledger.ts'
import { prepareCallHolds, prepareQuotas } from './write-quotas.ts'
import { prepareAddToDay, utcDay } from './write-usage.ts'

/** Rows of one statement: beyond this the longer list of parameters costs what the fewer statements save. */
const rowsAtOnce = 20
const dayMs = 24 * 3600 * 1000
const units = ['requests', 'input_tokens', 'output_tokens', 'cached_input_tokens', 'reasoning_tokens'] as const

export function callOperations(context: WriteContext): Pick<Handlers, 'recordCalls' | 'countLeftHolds' | 'sweepCalls'> {
  const sourceIds = prepareSourceIds(context)
  const insertCalls = prepareCallInsert(context)
  const addTotals = prepareTotals(context)
  const holds = prepareCallHolds(context, prepareQuotas(context))
  const endHold = prepareHoldEnd(context, holds)
  const record = (batch: CallBatch): void => {
    insertCalls(batch, sourceIds(batch.sources))
    addTotals(batch)
    for (const ended of batch.ended) endHold(ended)
  }
  const deleteOld = context.prepare('DELETE FROM calls WHERE id IN (SELECT id FROM calls WHERE at < ? ORDER BY at LIMIT ?)')
  return {
    recordCalls(batch) {
      record(batch)
      return undefined
    },
    countLeftHolds() {
      const left = holds.left().map(({ record, lines }) => recordOf(record, lines))
      record(encodeCalls(left))
      return left.length
    },
    sweepCalls: ({ before, limit }) => Number(deleteOld.run(before, limit).changes),
  }
}

/** The record of a call whose process was killed: nobody counted it, so it counts as it was held. */
function recordOf(record: CallRecord, lines: readonly PricedUnits[]): CallRecord {
  const of = (unit: string): PricedUnits | undefined => lines.find(line => line.unit === unit)
  return {
    ...record,
    inputTokens: of('input_tokens')?.units ?? 0,
    inputCostMicros: of('input_tokens')?.costMicros ?? 0,
    outputTokens: of('output_tokens')?.units ?? 0,
    outputCostMicros: of('output_tokens')?.costMicros ?? 0,
    isEstimated: true,
  }
}

/** Gives each source of a batch its row. */
function prepareSourceIds(context: WriteContext): (sources: string[]) => number[] {
  const names = 'account_id, key_id, endpoint, operation, target, model'
  const find = context.prepare(
    'SELECT id FROM call_sources WHERE account_id = ? AND key_id = ? AND endpoint = ? AND operation = ? AND target = ? AND model = ?',
  )
  const insert = context.prepare(`INSERT INTO call_sources (${names}) VALUES (?, ?, ?, ?, ?, ?)`)
  return sources => {
    const ids: number[] = []
    for (let at = 0; at < sources.length; at += namesPerSource) {
      const source = sources.slice(at, at + namesPerSource)
      const found = find.get(...source)
      ids.push(found === undefined ? Number(insert.run(...source).lastInsertRowid) : number(found, 'id'))
    }
    return ids
  }
}

function prepareCallInsert(context: WriteContext): (batch: CallBatch, sourceIds: number[]) => void {
  const columns = [
    'source_id, at, request_id, status, ms, input_tokens, output_tokens, cached_input_tokens, reasoning_tokens',
    'input_cost_micros, cached_input_cost_micros, output_cost_micros, estimated',
  ].join(', ')
  const row = `(${Array(cellsPerCall).fill('?').join(', ')})`
  const insertRows = (count: number) => context.prepare(`INSERT INTO calls (${columns}) VALUES ${Array(count).fill(row).join(', ')}`)
  const insertMany = insertRows(rowsAtOnce)
  const insertOne = insertRows(1)
  return ({ requestIds, cells }, sourceIds) => {
    let idStart = 0
    const valuesOf = (count: number, from: number): Cell[] => {
      const values: Cell[] = []
      for (let at = from; at < from + count * cellsPerCall; at += cellsPerCall) {
        const idEnd = idStart + (cells[at + 2] ?? 0)
        values.push(sourceIds[cells[at] ?? 0] ?? null, cells[at + 1] ?? null, requestIds.slice(idStart, idEnd))
        for (let column = 3; column < cellsPerCall; column += 1) values.push(cells[at + column] ?? null)
        idStart = idEnd
      }
      return values
    }
    let at = 0
    for (; at + rowsAtOnce * cellsPerCall <= cells.length; at += rowsAtOnce * cellsPerCall) insertMany.run(...valuesOf(rowsAtOnce, at))
    for (; at < cells.length; at += cellsPerCall) insertOne.run(...valuesOf(1, at))
  }
}

/** Cell of a call's cost for each of `units`: requests and reasoning tokens cost nothing of their own. */
const costCells = [undefined, 9, 11, 10, undefined]

/** Adds the batch to its days: one row written per source, day and unit, whatever the number of records. */
function prepareTotals(context: WriteContext): (batch: CallBatch) => void {
  const addToDay = prepareAddToDay(context)
  return ({ sources, cells }) => {
    const days = new Map<number, { sums: Float64Array; costs: Float64Array }>()
    for (let at = 0; at < cells.length; at += cellsPerCall) {
      const day = Math.floor((cells[at + 1] ?? 0) / dayMs)
      let totals = days.get(day)
      if (totals === undefined) {
        const size = (sources.length / namesPerSource) * units.length
        totals = { sums: new Float64Array(size), costs: new Float64Array(size) }
        days.set(day, totals)
      }
      const { sums, costs } = totals
      const sum = (cells[at] ?? 0) * units.length
      sums[sum] = (sums[sum] ?? 0) + 1
      for (let unit = 1; unit < units.length; unit += 1) {
        sums[sum + unit] = (sums[sum + unit] ?? 0) + (cells[at + 4 + unit] ?? 0)
        const cost = costCells[unit]
        if (cost !== undefined) costs[sum + unit] = (costs[sum + unit] ?? 0) + (cells[at + cost] ?? 0)
      }
    }
    for (const [dayNumber, { sums, costs }] of days) {
      const day = utcDay(dayNumber * dayMs)
      for (const [index, total] of sums.entries()) {
        if (total === 0) continue
        const [accountId = '', keyId = '', , , , model = ''] = sources.slice(Math.floor(index / units.length) * namesPerSource)
        const costMicros = costs[index] ?? 0
        addToDay({ day, accountId, keyId, model, unit: units[index % units.length] ?? '', units: total, costMicros })
      }
    }
  }
}

import { dayMs } from '@generation-gateway/kit/units.ts'
import type { UsageTotal } from '../../../core/ports/store.ts'
import { assertAmount } from '../../../core/records/ledger.ts'
import { type CallBatch, cellsPerCall, cellsPerUnit, encodeCalls, namesPerSource } from '../call-batch.ts'
import type { Handlers } from '../operations.ts'
import { type Steps, sideBySide } from '../steps.ts'
import { type Cell, number, type Row, text } from '../values.ts'
import { prepareCountHolds } from './call-holds.ts'
import type { WriteContext } from './context.ts'
import { prepareEndHolds } from './ledger.ts'
import { prepareAddToDays, utcDay } from './usage.ts'

/** Number of rows in one statement. With more rows there are fewer statements, but the longer
 *  lists of parameters cost the time that this saves. */
const rowsAtOnce = 20
const columns = ['source_id', 'at', 'request_id', 'status', 'ms', 'estimated', 'units']

export function callOperations(context: WriteContext): Pick<Handlers, 'recordCalls' | 'sweepCalls'> {
  const record = prepareRecord(context)
  const deleteOld = context.prepare('DELETE FROM calls WHERE id IN (SELECT id FROM calls WHERE at < ? ORDER BY at LIMIT ?)')
  return {
    *recordCalls(batch) {
      yield* record(batch)
      return undefined
    },
    *sweepCalls({ before, limit }) {
      return yield* deleteOld.run(before, limit)
    },
  }
}

function prepareRecord(context: WriteContext): (batch: CallBatch) => Steps<void> {
  const sourceIds = prepareSourceIds(context)
  const unitIds = prepareUnitIds(context)
  const insertCalls = prepareCallInsert(context)
  const addTotals = prepareTotals(context)
  const endHolds = prepareEndHolds(context)
  return function* (batch) {
    const [sources, units] = yield* sideBySide([sourceIds(batch.sources), unitIds(batch.units)])
    insertCalls(batch, sources, units)
    addTotals(batch)
    yield* endHolds(batch.ended)
  }
}

/** Records the calls that other sessions without a live node left unfinished, with their held
 *  amounts. */
export function prepareCountLeft(context: WriteContext): (session: string, now: number) => Steps<void> {
  const countLeft = prepareCountHolds(context)
  const recordCalls = prepareRecord(context)
  return function* (session, now) {
    const left = yield* countLeft(session, now)
    if (left.length > 0) yield* recordCalls(encodeCalls(left))
  }
}

/** Returns the row id of each source of a batch, inserting new ones. */
function prepareSourceIds(context: WriteContext): (sources: readonly string[]) => Steps<number[]> {
  const columns = ['account_id', 'key_id', 'endpoint', 'operation', 'target', 'model']
  const findOrInsert = prepareFindOrInsert(context, 'call_sources', columns)
  return sources => {
    const rows: string[][] = []
    for (let at = 0; at < sources.length; at += namesPerSource) rows.push(sources.slice(at, at + namesPerSource))
    return findOrInsert(rows)
  }
}

/** Returns the row id of each unit, inserting new ones. */
function prepareUnitIds(context: WriteContext): (units: readonly string[]) => Steps<number[]> {
  const findOrInsert = prepareFindOrInsert(context, 'call_units', ['unit'])
  return units => findOrInsert(units.map(unit => [unit]))
}

/** Returns the ids of rows with these texts, inserting those that are missing. */
function prepareFindOrInsert(
  context: WriteContext,
  table: string,
  columns: readonly string[],
): (rows: readonly string[][]) => Steps<number[]> {
  const listed = columns.join(', ')
  const find = context.prepareEach(
    ({ text, join }) =>
      `SELECT id, ${listed} FROM ${table} ${join} WHERE ${columns.map((column, index) => `${column} = ${text(index)}`).join(' AND ')}`,
  )
  const insert = context.prepareEach(
    ({ text, source }) => `INSERT INTO ${table} (${listed}) ${source(...columns.map((_, index) => text(index)))} RETURNING id, ${listed}`,
  )
  return function* (rows) {
    const ids = new Map<string, number>()
    const note = (found: readonly Row[]): void => {
      for (const row of found) ids.set(JSON.stringify(columns.map(column => text(row, column))), number(row, 'id'))
    }
    const names = rows.map(row => JSON.stringify(row))
    note(yield* find.get(rows))
    const missing = rows.filter((_, index) => !ids.has(names[index] ?? ''))
    note(yield* insert.get(missing))
    return names.map(name => ids.get(name) ?? 0)
  }
}

function prepareCallInsert(context: WriteContext): (batch: CallBatch, sourceIds: number[], unitIds: number[]) => void {
  const row = `(${Array(columns.length).fill('?').join(', ')})`
  const insertRows = (count: number) =>
    context.prepare(`INSERT INTO calls (${columns.join(', ')}) VALUES ${Array(count).fill(row).join(', ')}`)
  const insertMany = insertRows(rowsAtOnce)
  const insertOne = insertRows(1)
  return ({ requestIds, cells }, sourceIds, unitIds) => {
    let idStart = 0
    let values: Cell[] = []
    for (let at = 0; at < cells.length; ) {
      const idEnd = idStart + (cells[at + 2] ?? 0)
      const requestId = requestIds.slice(idStart, idEnd)
      idStart = idEnd
      const first = at + cellsPerCall
      const end = first + (cells[at + 6] ?? 0) * cellsPerUnit
      const used = unitsText(unitIds, cells, first, end)
      values.push(sourceIds[cells[at] ?? 0] ?? null, cells[at + 1] ?? null, requestId)
      values.push(cells[at + 3] ?? null, cells[at + 4] ?? null, cells[at + 5] ?? null, used)
      at = end
      if (values.length < rowsAtOnce * columns.length) continue
      insertMany.send(...values)
      values = []
    }
    for (let at = 0; at < values.length; at += columns.length) insertOne.send(...values.slice(at, at + columns.length))
  }
}

/** Returns the column `units` of a record, built from its cells. */
function unitsText(unitIds: readonly number[], cells: Float64Array, first: number, end: number): string {
  let text = ''
  for (let at = first; at < end; at += cellsPerUnit) {
    const id = unitIds[cells[at] ?? 0]
    const units = cells[at + 1] ?? 0
    const costMicros = cells[at + 2] ?? 0
    assertAmount('a call', units)
    assertAmount('cost', costMicros)
    text += `${text === '' ? '' : ','}${id},${units},${costMicros}`
  }
  return `[${text}]`
}

/** Returns a function that adds the usage in a batch of call records to the totals of the days on
 *  which the calls were made. It writes one row for each source, day and unit, however many records
 *  the batch has. */
function prepareTotals(context: WriteContext): (batch: CallBatch) => void {
  const addToDays = prepareAddToDays(context)
  return ({ sources, units, cells }) => {
    const names = ['requests', ...units]
    const days = new Map<number, { sums: Float64Array; costs: Float64Array }>()
    for (let at = 0; at < cells.length; ) {
      const day = Math.floor((cells[at + 1] ?? 0) / dayMs)
      let totals = days.get(day)
      if (totals === undefined) {
        const size = (sources.length / namesPerSource) * names.length
        totals = { sums: new Float64Array(size), costs: new Float64Array(size) }
        days.set(day, totals)
      }
      const { sums, costs } = totals
      const start = (cells[at] ?? 0) * names.length
      sums[start] = (sums[start] ?? 0) + 1
      const end = at + cellsPerCall + (cells[at + 6] ?? 0) * cellsPerUnit
      for (at += cellsPerCall; at < end; at += cellsPerUnit) {
        const sum = start + 1 + (cells[at] ?? 0)
        sums[sum] = (sums[sum] ?? 0) + (cells[at + 1] ?? 0)
        costs[sum] = (costs[sum] ?? 0) + (cells[at + 2] ?? 0)
      }
    }
    const written: UsageTotal[] = []
    for (const [dayNumber, { sums, costs }] of days) {
      const day = utcDay(dayNumber * dayMs)
      for (const [index, total] of sums.entries()) {
        if (total === 0) continue
        const [accountId = '', keyId = '', , , , model = ''] = sources.slice(Math.floor(index / names.length) * namesPerSource)
        const unit = names[index % names.length] ?? ''
        written.push({ day, accountId, keyId, model, unit, units: total, costMicros: costs[index] ?? 0 })
      }
    }
    addToDays(written)
  }
}

import { dayMs } from '@generation-gateway/kit/units.ts'
import type { UsageTotal } from '../../../core/ports/store.ts'
import type { CallRecord } from '../../../core/ports/usage.ts'
import type { Hold } from '../../../core/records/ledger.ts'
import type { Steps } from '../steps.ts'
import { optionalNumber, optionalText, type Row, text } from '../values.ts'
import type { WriteContext } from './context.ts'
import { parseHold, prepareQuotas, type QuotaChanges } from './quotas.ts'
import { prepareAddToDays, utcDay } from './usage.ts'

/** Time in milliseconds for which the hold of a call is kept after its amounts were counted as
 *  usage, so that a late record of the call can still replace this count. */
const keepCountedMs = dayMs

/** A hold of a call in progress, with the record of the call as far as it is known. */
export interface CallHold {
  record: CallRecord
  hold: Hold
}

/** The holds of calls in progress, and of calls whose held amounts were counted as usage because
 *  their process seemed to have died. Perhaps such a process was only suspended. When it later
 *  writes about a call, the count is undone first, so that the call counts once, with its own
 *  record. */
export interface CallHolds {
  /** Creates the holds, whose ids must differ, or updates those that exist. */
  keep(holds: readonly CallHold[], session: string): void
  /** Returns the holds by id. When a hold was counted as usage, this count is undone, and the
   *  resulting changes of the quotas are added to `changes`. */
  find(ids: readonly string[], changes: QuotaChanges): Steps<Map<string, Hold>>
  /** Deletes the holds and returns them by id. A hold that is missing in the result had ended
   *  before. */
  take(ids: readonly string[], changes: QuotaChanges): Steps<Map<string, Hold>>
}

export function holdIdOf({ holdId, requestId }: CallRecord): string {
  return holdId ?? requestId
}

export function prepareCallHolds(context: WriteContext): CallHolds {
  const insert = context.prepareEach(
    ({ text, whole, source }) =>
      `INSERT INTO call_holds (id, hold, at, record, session) ${source(text(0), text(1), whole(2), text(3), text(4))}
       ON CONFLICT (id) DO UPDATE SET hold = excluded.hold, counted_at = NULL`,
  )
  const find = context.prepareEach(({ text, join }) => `SELECT id, hold, record, counted_at FROM call_holds ${join} WHERE id = ${text(0)}`)
  const take = context.prepareEach(
    ({ text, using }) => `DELETE FROM call_holds ${using} WHERE id = ${text(0)} RETURNING id, hold, record, counted_at`,
  )
  const takeCountsBack = prepareTakeCountsBack(context)
  const byId = (rows: readonly Row[], changes: QuotaChanges) => {
    takeCountsBack(rows, changes)
    return new Map(rows.map(row => [text(row, 'id'), parseHold(text(row, 'hold'))]))
  }
  return {
    keep(holds, session) {
      insert.send(
        holds.map(({ record, hold }) => [holdIdOf(record), JSON.stringify(hold), Math.round(record.at), JSON.stringify(record), session]),
      )
    },
    *find(ids, changes) {
      return byId(yield* find.get(ids.map(id => [id])), changes)
    },
    *take(ids, changes) {
      return byId(yield* take.get(ids.map(id => [id])), changes)
    },
  }
}

/** Returns a function that counts the held amounts of calls as usage, for all other sessions
 *  without a live node. The function returns the records to write for these calls. */
export function prepareCountHolds(context: WriteContext): (session: string, now: number) => Steps<CallRecord[]> {
  const quotas = prepareQuotas(context)
  const list = context.prepare(
    `SELECT id, hold, record FROM call_holds
     WHERE counted_at IS NULL AND session <> ? AND session NOT IN (SELECT session FROM nodes WHERE dead = 0)`,
  )
  const markCounted = context.prepare('UPDATE call_holds SET counted_at = ? WHERE id = ?')
  const remove = context.prepare('DELETE FROM call_holds WHERE id = ?')
  const forget = context.prepare('DELETE FROM call_holds WHERE counted_at <= ?')
  return function* (session, now) {
    forget.send(now - keepCountedMs)
    const records: CallRecord[] = []
    const changes = quotas.changes()
    for (const row of yield* list.all(session)) {
      const [id, record, hold] = [text(row, 'id'), optionalText(row, 'record'), parseHold(text(row, 'hold'))]
      changes.settle(hold, hold.lines)
      // An older version of the program stored holds without a record of the call. The amounts of
      // such a hold are counted, but no record is written, and the hold is removed.
      if (record === null) remove.send(id)
      else {
        markCounted.send(now, id)
        records.push(countedRecord(record, hold))
      }
    }
    changes.write()
    return records
  }
}

/** Returns the record of a call that its process has left unfinished. The usage is not known, so
 *  it contains the held amounts as an estimate. The record has no hold id, so writing it ends no
 *  hold. */
function countedRecord(json: string, { lines }: Hold): CallRecord {
  const { holdId: _, ...record }: CallRecord = JSON.parse(json)
  return { ...record, units: lines.filter(({ units }) => units > 0), isEstimated: true }
}

/** Returns a function that undoes the counts of holds which were counted as usage: in the log of
 *  calls, in the totals of days and in the quotas. */
function prepareTakeCountsBack(context: WriteContext): (rows: readonly Row[], changes: QuotaChanges) => void {
  // There may be two records of the call with this time: the estimate that is to be deleted, and
  // the record that the call's own process wrote later. The estimate has the lower id.
  const deleteCall = context.prepare(
    'DELETE FROM calls WHERE id = (SELECT min(id) FROM calls WHERE at = ? AND request_id = ? AND estimated = 1)',
  )
  const addToDays = prepareAddToDays(context)
  return (rows, changes) => {
    const totals: UsageTotal[] = []
    for (const row of rows) {
      if (optionalNumber(row, 'counted_at') === null) continue
      const hold = parseHold(text(row, 'hold'))
      const { at, requestId, accountId, keyId, model, units } = countedRecord(text(row, 'record'), hold)
      const countedAt = Math.round(at)
      deleteCall.send(countedAt, requestId)
      for (const line of [{ unit: 'requests', units: 1, costMicros: 0 }, ...units])
        totals.push({ day: utcDay(countedAt), accountId, keyId, model, unit: line.unit, units: -line.units, costMicros: -line.costMicros })
      changes.unsettle(hold, hold.lines)
    }
    addToDays(totals)
  }
}

import { dayMs } from '@generation-gateway/kit/units.ts'
import type { UsageTotal } from '../../../core/ports/store.ts'
import type { CallRecord } from '../../../core/ports/usage.ts'
import type { Hold } from '../../../core/records/ledger.ts'
import type { Steps } from '../steps.ts'
import { optionalNumber, optionalText, type Row, text } from '../values.ts'
import type { WriteContext } from './context.ts'
import { parseHold, prepareQuotas, type QuotaChanges } from './quotas.ts'
import { prepareAddToDays, utcDay } from './usage.ts'

/** Time for which a counted hold is kept, so that a late record takes its place. */
const keepCountedMs = dayMs

/** A hold of a call in progress, with the record of the call as far as it is known. */
export interface CallHold {
  record: CallRecord
  hold: Hold
}

/** Holds of calls in progress, and of calls that were counted because their process seemed to have
 *  died. Such a process may only have been stopped: when it writes about the call again, the count
 *  is taken back first, and the call counts once, by its own record. */
export interface CallHolds {
  /** Creates holds with different ids, or updates those that exist. */
  keep(holds: readonly CallHold[], session: string): void
  /** Returns the holds by id. `changes` gets what moves in the quotas. */
  find(ids: readonly string[], changes: QuotaChanges): Steps<Map<string, Hold>>
  /** Deletes holds and returns them by id; an unknown one has ended already. */
  take(ids: readonly string[], changes: QuotaChanges): Steps<Map<string, Hold>>
}

/** Returns the id of a call's hold. */
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

/** Returns a function that counts the holds of other sessions that have no live node, and returns
 *  the records under which their calls count. */
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
      // An older version stored no record.
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

/** The record under which a call counts that was left behind: it was never counted, so its held
 *  amounts count. It ends no hold. */
function countedRecord(json: string, { lines }: Hold): CallRecord {
  const { holdId: _, ...record }: CallRecord = JSON.parse(json)
  return { ...record, units: lines.filter(({ units }) => units > 0), isEstimated: true }
}

/** Returns a function that takes the counts of counted holds back, from the log of calls, the days
 *  and the quotas. */
function prepareTakeCountsBack(context: WriteContext): (rows: readonly Row[], changes: QuotaChanges) => void {
  // The call's own record may be there already, at the same time: it came later.
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

import { dayMs } from '@generation-gateway/kit/units.ts'
import type { CallRecord } from '../../../core/ports/usage.ts'
import type { Hold, PricedUnits } from '../../../core/records/ledger.ts'
import type { Steps } from '../steps.ts'
import { optionalNumber, optionalText, type Row, text } from '../values.ts'
import type { WriteContext } from './context.ts'
import { parseHold, type Quotas } from './quotas.ts'
import { prepareAddToDay, utcDay } from './usage.ts'

/** Time for which a counted hold is kept, so that a late record takes its place. */
const keepCountedMs = dayMs

/** Holds of calls in progress, and of calls that were counted because their process seemed to have
 *  died. Such a process may only have been stopped: when it writes about the call again, the count
 *  is taken back first, and the call counts once, by its own record. */
export interface CallHolds {
  /** Creates a hold, or updates the one with this id. */
  keep(record: CallRecord, hold: Hold, session: string): void
  find(id: string): Steps<Hold | undefined>
  /** Ends and deletes a hold; an unknown one has ended already. */
  end(id: string, used: readonly PricedUnits[]): Steps<void>
  /** Returns the holds of other sessions that have no live node, and ends them by their held
   *  amounts; the caller records the calls. */
  countLeft(session: string, now: number): Steps<CallRecord[]>
}

export function prepareCallHolds(context: WriteContext, quotas: Quotas): CallHolds {
  const insert = context.prepare(
    'INSERT INTO call_holds (id, hold, at, record, session) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET hold = ?2',
  )
  const find = context.prepare('SELECT hold, record, counted_at FROM call_holds WHERE id = ?')
  const reopen = context.prepare('UPDATE call_holds SET counted_at = NULL WHERE id = ?')
  const take = context.prepare('DELETE FROM call_holds WHERE id = ? RETURNING hold, record, counted_at')
  const takeCountBack = prepareTakeCountBack(context, quotas)
  function* end(id: string, used: readonly PricedUnits[] | undefined): Steps<void> {
    const row = yield* take.get(id)
    if (row === undefined) return
    const hold = parseHold(text(row, 'hold'))
    takeCountBack(row, hold)
    quotas.settle(hold, used ?? hold.lines)
  }
  return {
    keep(record, hold, session) {
      insert.send(record.holdId ?? record.requestId, JSON.stringify(hold), Math.round(record.at), JSON.stringify(record), session)
    },
    *find(id) {
      const row = yield* find.get(id)
      if (row === undefined) return undefined
      const hold = parseHold(text(row, 'hold'))
      if (takeCountBack(row, hold)) reopen.send(id)
      return hold
    },
    end,
    countLeft: prepareCountLeft(context, quotas, end),
  }
}

function prepareCountLeft(
  context: WriteContext,
  quotas: Quotas,
  end: (id: string, used: undefined) => Steps<void>,
): CallHolds['countLeft'] {
  const list = context.prepare(
    `SELECT id, hold, record FROM call_holds
     WHERE counted_at IS NULL AND session <> ? AND session NOT IN (SELECT session FROM nodes WHERE dead = 0)`,
  )
  const markCounted = context.prepare('UPDATE call_holds SET counted_at = ? WHERE id = ?')
  const forget = context.prepare('DELETE FROM call_holds WHERE counted_at <= ?')
  return function* (session, now) {
    forget.send(now - keepCountedMs)
    const known: CallRecord[] = []
    for (const row of yield* list.all(session)) {
      const id = text(row, 'id')
      const record = optionalText(row, 'record')
      if (record === null) {
        // An older version stored no record.
        yield* end(id, undefined)
        continue
      }
      const hold = parseHold(text(row, 'hold'))
      quotas.settle(hold, hold.lines)
      markCounted.send(now, id)
      known.push(countedRecord(record, hold))
    }
    return known
  }
}

/** The record under which a call counts that was left behind: it was never counted, so its held
 *  amounts count. It ends no hold. */
function countedRecord(json: string, { lines }: Hold): CallRecord {
  const { holdId: _, ...record }: CallRecord = JSON.parse(json)
  return { ...record, units: lines.filter(({ units }) => units > 0), isEstimated: true }
}

/** Returns a function that takes the count of a counted hold back, from the log of calls, the day
 *  and the quotas; it returns false for a hold that was not counted. */
function prepareTakeCountBack(context: WriteContext, quotas: Quotas): (row: Row, hold: Hold) => boolean {
  // The call's own record may be there already, at the same time: it came later.
  const deleteCall = context.prepare(
    'DELETE FROM calls WHERE id = (SELECT min(id) FROM calls WHERE at = ? AND request_id = ? AND estimated = 1)',
  )
  const addToDay = prepareAddToDay(context)
  return (row, hold) => {
    if (optionalNumber(row, 'counted_at') === null) return false
    const { at, requestId, accountId, keyId, model, units } = countedRecord(text(row, 'record'), hold)
    const counted = Math.round(at)
    deleteCall.send(counted, requestId)
    for (const line of [{ unit: 'requests', units: 1, costMicros: 0 }, ...units])
      addToDay({ day: utcDay(counted), accountId, keyId, model, unit: line.unit, units: -line.units, costMicros: -line.costMicros })
    quotas.unsettle(hold, hold.lines)
    return true
  }
}

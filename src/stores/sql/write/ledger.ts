import type { HoldEnd } from '../../../core/ports/store.ts'
import type { UsageLine } from '../../../core/ports/usage.ts'
import { amountOf, type PricedUnits, type QuotaShare } from '../../../core/records/ledger.ts'
import { usageLines } from '../../../core/records/lines.ts'
import type { GroupHandlers, Handlers } from '../operations.ts'
import { type Steps, sideBySide } from '../steps.ts'
import { optionalText, text } from '../values.ts'
import { type CallHold, holdIdOf, prepareCallHolds } from './call-holds.ts'
import type { WriteContext } from './context.ts'
import { parseHold, prepareQuotas, type Quotas } from './quotas.ts'
import { prepareEndReadings, prepareTakeBounds, prepareUsageAdd, prepareUsageInsert } from './usage.ts'

type LedgerOperations = Pick<Handlers, 'growHold' | 'raiseHolds' | 'endHolds' | 'settleOpenLine' | 'adjustQuota'>

export function ledgerOperations(context: WriteContext): LedgerOperations {
  const quotas = prepareQuotas(context)
  const endHolds = prepareEndHolds(context)
  return {
    raiseHolds: prepareRaiseHolds(context, quotas),
    *endHolds({ ends }) {
      yield* endHolds(ends)
      return undefined
    },
    growHold: prepareGrowHold(context, quotas),
    settleOpenLine: prepareSettleLine(context, quotas),
    adjustQuota: prepareAdjust(context, quotas),
  }
}

export function prepareReserve(context: WriteContext): GroupHandlers['reserve'] {
  const quotas = prepareQuotas(context)
  const holds = prepareCallHolds(context)
  return function* (inputs) {
    const open = yield* quotas.open(inputs.map(({ hold }) => hold))
    const refusals = inputs.map(({ hold }) => open.take(hold))
    open.write()
    const kept = inputs.filter((_, index) => refusals[index] === undefined)
    // All these calls come from the one process that writes through this store object, so they have
    // the same session.
    holds.keep(kept, inputs[0]?.session ?? '')
    return refusals
  }
}

function prepareRaiseHolds(context: WriteContext, quotas: Quotas): Handlers['raiseHolds'] {
  const holds = prepareCallHolds(context)
  return function* ({ raises, session }) {
    const changes = quotas.changes()
    const ids = raises.map(({ record }) => holdIdOf(record))
    const known = yield* holds.find(ids, changes)
    const raised = new Map<string, CallHold>()
    for (const { record, lines } of raises) {
      const id = holdIdOf(record)
      const before = known.get(id) ?? { lines: [], quotas: [] }
      const hold = { ...before, lines }
      changes.raise(before, lines)
      known.set(id, hold)
      raised.set(id, { record: raised.get(id)?.record ?? record, hold })
    }
    changes.write()
    holds.keep([...raised.values()], session)
    return undefined
  }
}

function prepareGrowHold(context: WriteContext, quotas: Quotas): Handlers['growHold'] {
  const find = context.prepare(`SELECT hold FROM jobs WHERE task_id = ? AND token = ? AND state = 'leased'`)
  const put = context.prepare('UPDATE jobs SET hold = ? WHERE task_id = ?')
  return function* ({ taskId, token, lines }) {
    const row = yield* find.get(taskId, token)
    if (row === undefined) return 'lost'
    const held = optionalText(row, 'hold')
    if (held === null) return 'held'
    const hold = parseHold(held)
    const refusal = yield* quotas.grow(hold, lines)
    if (refusal === undefined) put.send(JSON.stringify({ ...hold, lines }), taskId)
    return refusal ?? 'held'
  }
}

/** Returns a function that ends holds: it counts the used amounts in the quotas, and writes the
 *  usage of background responses (`HoldEnd.owed`). */
export function prepareEndHolds(context: WriteContext): (ends: readonly HoldEnd[]) => Steps<void> {
  const quotas = prepareQuotas(context)
  const holds = prepareCallHolds(context)
  const findUsage = context.prepareEach(({ text, join }) => `SELECT id FROM usage ${join} WHERE id = ${text(0)}`)
  const takeBounds = prepareTakeBounds(context)
  const endReadings = prepareEndReadings(context)
  const insertUsage = prepareUsageInsert(context)
  return function* (ends) {
    if (ends.length === 0) return
    const all = ends.flatMap(({ owed }) => owed?.lines ?? [])
    const lineIds = all.map(line => [line.id])
    const changes = quotas.changes()
    const ids = ends.map(({ id }) => id)
    const [taken, counted, bounds] = yield* sideBySide([holds.take(ids, changes), findUsage.get(lineIds), takeBounds(all)])
    const readings = yield* endReadings(ends)
    const countedIds = new Set(counted.map(row => text(row, 'id')))
    const written: UsageLine[] = []
    for (const { id, used, owed } of ends) {
      const { lines = [], isLeast = false } = owed ?? {}
      const isRecounted = lines.some(line => countedIds.has(line.id))
      for (const line of lines) countedIds.add(line.id)
      const charged = isLeast ? lines.map(line => larger(line, bounds.get(line.id))) : lines
      if (!isRecounted) written.push(...charged)
      const { before = [], after = [] } = readings.get(id) ?? {}
      written.push(...after)
      const hold = taken.get(id)
      if (hold !== undefined) {
        changes.settle(hold, isRecounted ? [] : owed ? charged : used)
        // The lower bounds were counted in the quotas when they were written. They are subtracted
        // here, because the lines now count the same usage.
        const bounded = lines.flatMap(line => bounds.get(line.id) ?? [])
        changes.recount(hold.quotas, [...bounded, ...before], after)
      }
      taken.delete(id)
    }
    changes.write()
    yield* insertUsage(written)
  }
}

function larger(line: UsageLine, bound: PricedUnits | undefined): UsageLine {
  return bound !== undefined && bound.units > line.units ? { ...line, ...bound } : line
}

function prepareSettleLine(context: WriteContext, quotas: Quotas): Handlers['settleOpenLine'] {
  const takeLine = context.prepare('DELETE FROM open_lines WHERE task_id = ? RETURNING account_id, key_id, model, hold')
  // Adds the charged amounts to the usage that is already recorded for the task.
  const addUsage = prepareUsageAdd(context)
  return function* ({ taskId, outcome, now }) {
    const row = yield* takeLine.get(taskId)
    if (row === undefined) return false
    const hold = parseHold(text(row, 'hold'))
    const used = outcome === 'charge' ? hold.lines : []
    const changes = quotas.changes()
    changes.settle(hold, used)
    changes.write()
    const owner = { id: taskId, accountId: text(row, 'account_id'), keyId: text(row, 'key_id'), model: text(row, 'model') }
    addUsage(usageLines(owner, used, now))
    return true
  }
}

/** Returns the handler that sets the used amount of a counter to the value that an operator has
 *  given. The held amount is computed again as the sum of all holds. */
function prepareAdjust(context: WriteContext, quotas: Quotas): Handlers['adjustQuota'] {
  const holds = ['jobs WHERE hold IS NOT NULL', 'call_holds WHERE counted_at IS NULL', 'open_lines WHERE hold IS NOT NULL'].map(held =>
    context.prepare(`SELECT hold FROM ${held} AND ${context.dialect.position('hold', '?')} > 0`),
  )
  function* heldOf({ id, unit }: QuotaShare): Steps<number> {
    let held = 0
    for (const rows of holds)
      for (const row of yield* rows.all(JSON.stringify(id))) {
        const hold = parseHold(text(row, 'hold'))
        if (hold.quotas.some(quota => quota.id === id)) held += amountOf(unit, hold.lines)
      }
    return held
  }
  return function* ({ quota, used }) {
    const after = { used, held: yield* heldOf(quota) }
    return { before: yield* quotas.set(quota, after), after }
  }
}

import type { HoldEnd } from '../../../core/ports/store.ts'
import { amountOf, type QuotaShare } from '../../../core/records/ledger.ts'
import { usageLines } from '../../../core/records/lines.ts'
import type { Handlers } from '../operations.ts'
import type { Steps } from '../steps.ts'
import { optionalText, text } from '../values.ts'
import { type CallHolds, prepareCallHolds } from './call-holds.ts'
import type { WriteContext } from './context.ts'
import { parseHold, prepareQuotas, type Quotas } from './quotas.ts'
import { prepareUsageAdd, prepareUsageInsert } from './usage.ts'

type LedgerOperations = Pick<Handlers, 'reserve' | 'growHold' | 'raiseHolds' | 'endHolds' | 'settleOpenLine' | 'adjustQuota'>

export function ledgerOperations(context: WriteContext): LedgerOperations {
  const quotas = prepareQuotas(context)
  return {
    ...callHoldOperations(context, quotas),
    growHold: prepareGrowHold(context, quotas),
    settleOpenLine: prepareSettleLine(context, quotas),
    adjustQuota: prepareAdjust(context, quotas),
  }
}

function callHoldOperations(context: WriteContext, quotas: Quotas): Pick<LedgerOperations, 'reserve' | 'raiseHolds' | 'endHolds'> {
  const holds = prepareCallHolds(context, quotas)
  const end = prepareHoldEnd(context, holds)
  return {
    *reserve({ record, hold, session }) {
      const refusal = yield* quotas.take(hold)
      if (refusal === undefined) holds.keep(record, hold, session)
      return refusal
    },
    *raiseHolds({ raises, session }) {
      for (const { record, lines } of raises) {
        const hold = (yield* holds.find(record.holdId ?? record.requestId)) ?? { lines: [], quotas: [] }
        quotas.raise(hold, lines)
        holds.keep(record, { ...hold, lines }, session)
      }
      return undefined
    },
    *endHolds({ ends }) {
      for (const ended of ends) yield* end(ended)
      return undefined
    },
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

/** Ends a hold, and writes the usage lines that have ids of their own. */
export function prepareHoldEnd(context: WriteContext, holds: CallHolds): (ended: HoldEnd) => Steps<void> {
  const findUsage = context.prepare('SELECT 1 FROM usage WHERE id = ?')
  const insertUsage = prepareUsageInsert(context)
  return function* ({ id, used, lines = [] }) {
    let isRecounted = false
    for (const line of lines) isRecounted ||= (yield* findUsage.get(line.id)) !== undefined
    if (!isRecounted) yield* insertUsage(lines)
    yield* holds.end(id, isRecounted ? [] : used)
  }
}

function prepareSettleLine(context: WriteContext, quotas: Quotas): Handlers['settleOpenLine'] {
  const takeLine = context.prepare('DELETE FROM open_lines WHERE task_id = ? RETURNING account_id, key_id, model, hold')
  // Adds to the usage that the task is known to have.
  const addUsage = prepareUsageAdd(context)
  return function* ({ taskId, outcome, now }) {
    const row = yield* takeLine.get(taskId)
    if (row === undefined) return false
    const hold = parseHold(text(row, 'hold'))
    const used = outcome === 'charge' ? hold.lines : []
    quotas.settle(hold, used)
    const owner = { id: taskId, accountId: text(row, 'account_id'), keyId: text(row, 'key_id'), model: text(row, 'model') }
    yield* addUsage(usageLines(owner, used, now))
    return true
  }
}

/** Sets a counter to an operator's value. The held amount is not part of that value: it is
 *  summed anew from the holds. */
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

import type { UsageTotal } from '../../../core/ports/store.ts'
import type { UsageLine } from '../../../core/ports/usage.ts'
import { assertAmount, type PricedUnits } from '../../../core/records/ledger.ts'
import type { Handlers } from '../operations.ts'
import type { Steps } from '../steps.ts'
import { number } from '../values.ts'
import { changed, type WriteContext } from './context.ts'
import { prepareQuotas } from './quotas.ts'

export function usageOperations(context: WriteContext): Pick<Handlers, 'recordUsage' | 'recountUsage'> {
  const insertUsage = prepareUsageInsert(context)
  return {
    recountUsage: prepareRecount(context),
    *recordUsage({ lines }) {
      yield* insertUsage(lines)
      return undefined
    },
  }
}

/** Inserts usage lines and adds them to their day; a line whose id exists already counts
 *  nothing. */
export function prepareUsageInsert(context: WriteContext): (lines: UsageLine[]) => Steps<void> {
  return prepareUsageWrite(context, 'NOTHING')
}

/** Like `prepareUsageInsert`, but a line whose id exists already grows: written twice it counts
 *  twice. */
export function prepareUsageAdd(context: WriteContext): (lines: UsageLine[]) => Steps<void> {
  return prepareUsageWrite(
    context,
    'UPDATE SET units = usage.units + excluded.units, cost_micros = usage.cost_micros + excluded.cost_micros',
  )
}

function prepareUsageWrite(context: WriteContext, onConflict: string): (lines: UsageLine[]) => Steps<void> {
  const insert = context.prepare(
    `INSERT INTO usage (id, account_id, key_id, model, unit, units, cost_micros, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO ${onConflict}`,
  )
  const addToDay = prepareAddToDay(context)
  return function* (lines) {
    for (const line of lines) {
      const { accountId, keyId, model, unit, units, at } = line
      assertAmount(unit, units)
      const costMicros = Math.round(line.costMicros)
      if (!changed(yield* insert.run(line.id, accountId, keyId, model, unit, units, costMicros, at))) continue
      addToDay({ day: utcDay(at), accountId, keyId, model, unit, units, costMicros })
    }
  }
}

/** Replaces estimated lines, and corrects the day and the quotas that counted them. */
function prepareRecount(context: WriteContext): Handlers['recountUsage'] {
  const quotas = prepareQuotas(context)
  const insert = prepareUsageInsert(context)
  const find = context.prepare('SELECT units, cost_micros, at FROM usage WHERE id = ?')
  const update = context.prepare('UPDATE usage SET units = ?, cost_micros = ? WHERE id = ?')
  const addToDay = prepareAddToDay(context)
  return function* ({ lines, quotas: shares, isLeast = false }) {
    const before: PricedUnits[] = []
    const after: PricedUnits[] = []
    for (const line of lines) {
      const row = yield* find.get(line.id)
      if (row === undefined) {
        if (line.units > 0) yield* insert([line])
        after.push(line)
        continue
      }
      const earlier = { unit: line.unit, units: number(row, 'units'), costMicros: number(row, 'cost_micros') }
      if (isLeast && earlier.units >= line.units) continue
      before.push(earlier)
      after.push(line)
      const costMicros = Math.round(line.costMicros)
      update.send(line.units, costMicros, line.id)
      const moved = { units: line.units - earlier.units, costMicros: costMicros - earlier.costMicros }
      addToDay({ ...line, ...moved, day: utcDay(number(row, 'at')) })
    }
    quotas.recount(shares, before, after)
    return undefined
  }
}

/** Adds to the total of a UTC day. */
export function prepareAddToDay(context: WriteContext): (total: UsageTotal) => void {
  const add = context.prepare(
    `INSERT INTO usage_days (day, account_id, key_id, model, unit, units, cost_micros) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, account_id, key_id, model, unit)
     DO UPDATE SET units = usage_days.units + excluded.units, cost_micros = usage_days.cost_micros + excluded.cost_micros`,
  )
  return ({ day, accountId, keyId, model, unit, units, costMicros }) => {
    add.send(day, accountId, keyId, model, unit, units, costMicros)
  }
}

/** `YYYY-MM-DD`. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

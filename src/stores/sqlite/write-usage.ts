import type { UsageLine, UsageTotal } from '../../core/ports.ts'
import type { Handlers } from './operations.ts'
import { changed, type WriteContext } from './write-context.ts'

export function usageOperations(context: WriteContext): Pick<Handlers, 'recordUsage'> {
  const insertUsage = prepareUsageInsert(context)
  return {
    recordUsage({ lines }) {
      insertUsage(lines)
      return undefined
    },
  }
}

/** Writes usage lines and adds them to their day; a line whose id is already there counts nothing. */
export function prepareUsageInsert(context: WriteContext): (lines: UsageLine[]) => void {
  const insert = context.prepare(
    `INSERT INTO usage (id, account_id, key_id, model, unit, units, cost_micros, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  )
  const addToDay = prepareAddToDay(context)
  return lines => {
    for (const line of lines) {
      const { accountId, keyId, model, unit, units, at } = line
      const costMicros = Math.round(line.costMicros)
      if (!changed(insert.run(line.id, accountId, keyId, model, unit, units, costMicros, at))) continue
      addToDay({ day: utcDay(at), accountId, keyId, model, unit, units, costMicros })
    }
  }
}

/** Adds to the total of a UTC day. */
export function prepareAddToDay(context: WriteContext): (total: UsageTotal) => void {
  const add = context.prepare(
    `INSERT INTO usage_days (day, account_id, key_id, model, unit, units, cost_micros) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET units = units + excluded.units, cost_micros = cost_micros + excluded.cost_micros`,
  )
  return ({ day, accountId, keyId, model, unit, units, costMicros }) => {
    add.run(day, accountId, keyId, model, unit, units, costMicros)
  }
}

/** `YYYY-MM-DD`. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

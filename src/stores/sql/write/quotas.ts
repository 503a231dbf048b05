import type { QuotaCount } from '../../../core/ports/store.ts'
import type { CallRecord } from '../../../core/ports/usage.ts'
import {
  amountOf,
  assertAmount,
  type Hold,
  type PricedUnits,
  type QuotaRefusal,
  type QuotaShare,
  refusalOf,
} from '../../../core/records/ledger.ts'
import { number, optionalText, text } from '../values.ts'
import type { WriteContext } from './context.ts'

/** The counters of quotas, inside the writer's transaction: no other code changes them, so a
 *  quota holds however many submits come at once.
 *  Amounts only ever add: each method throws TypeError for an amount that is negative or not a
 *  number, and a counter never falls below 0. */
export interface Quotas {
  /** Holds the amounts of the lines in each quota; changes nothing when one has no room. */
  take(hold: Hold): QuotaRefusal | undefined
  /** Replaces the held amounts by the larger ones in `lines`; changes nothing when a quota has
   *  no room for the difference. */
  grow(hold: Hold, lines: readonly PricedUnits[]): QuotaRefusal | undefined
  /** Ends a hold: `used` counts in the windows it was held in. */
  settle(hold: Hold, used: readonly PricedUnits[]): void
  /** Replaces the held amounts by `lines`, with or without room. */
  raise(hold: Hold, lines: readonly PricedUnits[]): void
  /** Replaces the used amounts `before` by `after`. */
  recount(quotas: readonly QuotaShare[], before: readonly PricedUnits[], after: readonly PricedUnits[]): void
  set(quota: QuotaShare, count: QuotaCount): QuotaCount
}

export function prepareQuotas(context: WriteContext): Quotas {
  const find = context.prepare('SELECT used, held FROM quota_counts WHERE id = ?')
  const add = context.prepare(
    `INSERT INTO quota_counts (id, used, held, ends_at) VALUES (?1, max(0, ?2), max(0, ?3), ?4)
     ON CONFLICT (id) DO UPDATE SET used = max(0, used + ?2), held = max(0, held + ?3)`,
  )
  const put = context.prepare(
    `INSERT INTO quota_counts (id, used, held, ends_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET used = ?2, held = ?3`,
  )
  const countOf = ({ id }: QuotaShare): QuotaCount => {
    const row = find.get(id)
    return row === undefined ? { used: 0, held: 0 } : { used: number(row, 'used'), held: number(row, 'held') }
  }
  const move = (quotas: readonly QuotaShare[], of: (quota: QuotaShare) => { used: number; held: number }): void => {
    for (const quota of quotas) {
      const { used, held } = of(quota)
      if (used !== 0 || held !== 0) add.run(quota.id, used, held, quota.endsAt)
    }
  }
  return {
    take({ lines, quotas }) {
      assertAmounts(lines)
      for (const quota of quotas) {
        const wanted = amountOf(quota.unit, lines)
        const refusal = wanted === 0 ? undefined : refusalOf(quota, countOf(quota), wanted)
        if (refusal) return refusal
      }
      move(quotas, ({ unit }) => ({ used: 0, held: amountOf(unit, lines) }))
      return undefined
    },
    grow({ lines: before, quotas }, lines) {
      assertAmounts(lines)
      const added = (unit: QuotaShare['unit']): number => amountOf(unit, lines) - amountOf(unit, before)
      for (const quota of quotas) {
        const refusal = refusalOf(quota, countOf(quota), added(quota.unit))
        if (refusal) return refusal
      }
      move(quotas, ({ unit }) => ({ used: 0, held: added(unit) }))
      return undefined
    },
    settle({ lines, quotas }, used) {
      assertAmounts(used)
      move(quotas, ({ unit }) => ({ used: amountOf(unit, used), held: -amountOf(unit, lines) }))
    },
    raise({ lines: before, quotas }, lines) {
      assertAmounts(lines)
      move(quotas, ({ unit }) => ({ used: 0, held: amountOf(unit, lines) - amountOf(unit, before) }))
    },
    recount(quotas, before, after) {
      assertAmounts(after)
      move(quotas, ({ unit }) => ({ used: amountOf(unit, after) - amountOf(unit, before), held: 0 }))
    },
    set(quota, count) {
      const before = countOf(quota)
      assertAmount(quota.unit, count.used)
      put.run(quota.id, count.used, Math.max(0, count.held), quota.endsAt)
      return before
    },
  }
}

function assertAmounts(lines: readonly PricedUnits[]): void {
  for (const { unit, units, costMicros } of lines) {
    assertAmount(unit, units)
    assertAmount('cost', costMicros)
  }
}

/** Parses a hold from its row. */
export function parseHold(text: string): Hold {
  return JSON.parse(text)
}

/** Holds of calls in progress. */
export interface CallHolds {
  /** Creates a hold, or updates the one with this id. */
  keep(record: CallRecord, hold: Hold): void
  find(id: string): Hold | undefined
  /** Ends and deletes a hold; an unknown one has ended already. */
  end(id: string, used: readonly PricedUnits[]): void
  /** Returns the holds that an earlier process left, with the records of their calls. */
  left(): { record: CallRecord; lines: readonly PricedUnits[] }[]
}

export function prepareCallHolds(context: WriteContext, quotas: Quotas): CallHolds {
  const insert = context.prepare(
    'INSERT INTO call_holds (id, hold, at, record) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET hold = ?2',
  )
  const find = context.prepare('SELECT hold FROM call_holds WHERE id = ?')
  const take = context.prepare('DELETE FROM call_holds WHERE id = ? RETURNING hold')
  const list = context.prepare('SELECT id, hold, record FROM call_holds')
  const end = (id: string, used: readonly PricedUnits[] | undefined): void => {
    const row = take.get(id)
    if (row === undefined) return
    const hold = parseHold(text(row, 'hold'))
    quotas.settle(hold, used ?? hold.lines)
  }
  return {
    keep(record, hold) {
      insert.run(record.holdId ?? record.requestId, JSON.stringify(hold), Math.round(record.at), JSON.stringify(record))
    },
    find(id) {
      const row = find.get(id)
      return row === undefined ? undefined : parseHold(text(row, 'hold'))
    },
    end,
    left() {
      const known: { record: CallRecord; lines: readonly PricedUnits[] }[] = []
      for (const row of list.all()) {
        const record = optionalText(row, 'record')
        // An older version stored no record.
        if (record === null) end(text(row, 'id'), undefined)
        else known.push({ record: JSON.parse(record), lines: parseHold(text(row, 'hold')).lines })
      }
      return known
    },
  }
}

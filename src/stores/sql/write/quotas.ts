import type { QuotaCount } from '../../../core/ports/store.ts'
import {
  amountOf,
  assertAmount,
  type Hold,
  type PricedUnits,
  type QuotaRefusal,
  type QuotaShare,
  refusalOf,
} from '../../../core/records/ledger.ts'
import type { Steps } from '../steps.ts'
import { number } from '../values.ts'
import type { WriteContext } from './context.ts'

/** The counters of quotas, inside the writer's transaction: no other code changes them, so a
 *  quota holds however many submits come at once.
 *  Amounts only ever add: each method throws TypeError for an amount that is negative or not a
 *  number, and a counter never falls below 0. */
export interface Quotas {
  /** Holds the amounts of the lines in each quota; changes nothing when one has no room. */
  take(hold: Hold): Steps<QuotaRefusal | undefined>
  /** Replaces the held amounts by the larger ones in `lines`; changes nothing when a quota has
   *  no room for the difference. */
  grow(hold: Hold, lines: readonly PricedUnits[]): Steps<QuotaRefusal | undefined>
  /** Ends a hold: `used` counts in the windows it was held in. */
  settle(hold: Hold, used: readonly PricedUnits[]): void
  /** Holds again what `settle` has counted. */
  unsettle(hold: Hold, used: readonly PricedUnits[]): void
  /** Replaces the held amounts by `lines`, with or without room. */
  raise(hold: Hold, lines: readonly PricedUnits[]): void
  /** Replaces the used amounts `before` by `after`. */
  recount(quotas: readonly QuotaShare[], before: readonly PricedUnits[], after: readonly PricedUnits[]): void
  set(quota: QuotaShare, count: QuotaCount): Steps<QuotaCount>
}

export function prepareQuotas(context: WriteContext): Quotas {
  const { countOf, move, put } = prepareCounters(context)
  return {
    *take({ lines, quotas }) {
      assertAmounts(lines)
      for (const quota of quotas) {
        const wanted = amountOf(quota.unit, lines)
        const refusal = wanted === 0 ? undefined : refusalOf(quota, yield* countOf(quota), wanted)
        if (refusal) return refusal
      }
      move(quotas, ({ unit }) => ({ used: 0, held: amountOf(unit, lines) }))
      return undefined
    },
    *grow({ lines: before, quotas }, lines) {
      assertAmounts(lines)
      const added = (unit: QuotaShare['unit']): number => amountOf(unit, lines) - amountOf(unit, before)
      for (const quota of quotas) {
        const refusal = refusalOf(quota, yield* countOf(quota), added(quota.unit))
        if (refusal) return refusal
      }
      move(quotas, ({ unit }) => ({ used: 0, held: added(unit) }))
      return undefined
    },
    settle({ lines, quotas }, used) {
      assertAmounts(used)
      move(quotas, ({ unit }) => ({ used: amountOf(unit, used), held: -amountOf(unit, lines) }))
    },
    unsettle({ lines, quotas }, used) {
      move(quotas, ({ unit }) => ({ used: -amountOf(unit, used), held: amountOf(unit, lines) }))
    },
    raise({ lines: before, quotas }, lines) {
      assertAmounts(lines)
      move(quotas, ({ unit }) => ({ used: 0, held: amountOf(unit, lines) - amountOf(unit, before) }))
    },
    recount(quotas, before, after) {
      assertAmounts(after)
      move(quotas, ({ unit }) => ({ used: amountOf(unit, after) - amountOf(unit, before), held: 0 }))
    },
    *set(quota, count) {
      const before = yield* countOf(quota)
      assertAmount(quota.unit, count.used)
      put(quota, count)
      return before
    },
  }
}

interface Counters {
  countOf(quota: QuotaShare): Steps<QuotaCount>
  /** Adds to the counters what `of` returns for each quota. */
  move(quotas: readonly QuotaShare[], of: (quota: QuotaShare) => QuotaCount): void
  put(quota: QuotaShare, count: QuotaCount): void
}

function prepareCounters(context: WriteContext): Counters {
  const { greatest } = context.dialect
  // PostgreSQL would take the type of a parameter from the 0 beside it.
  const [added, held] = ['CAST(?2 AS DOUBLE PRECISION)', 'CAST(?3 AS DOUBLE PRECISION)']
  const find = context.prepare('SELECT used, held FROM quota_counts WHERE id = ?')
  const add = context.prepare(
    `INSERT INTO quota_counts (id, used, held, ends_at) VALUES (?1, ${greatest}(0, ${added}), ${greatest}(0, ${held}), ?4)
     ON CONFLICT (id) DO UPDATE SET used = ${greatest}(0, quota_counts.used + ${added}), held = ${greatest}(0, quota_counts.held + ${held})`,
  )
  const set = context.prepare(
    `INSERT INTO quota_counts (id, used, held, ends_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET used = ?2, held = ?3`,
  )
  function* countOf({ id }: QuotaShare): Steps<QuotaCount> {
    const row = yield* find.get(id)
    return row === undefined ? { used: 0, held: 0 } : { used: number(row, 'used'), held: number(row, 'held') }
  }
  const move = (quotas: readonly QuotaShare[], of: (quota: QuotaShare) => QuotaCount): void => {
    for (const quota of quotas) {
      const { used, held } = of(quota)
      if (used !== 0 || held !== 0) add.send(quota.id, used, held, quota.endsAt)
    }
  }
  const put = ({ id, endsAt }: QuotaShare, { used, held }: QuotaCount): void => set.send(id, used, Math.max(0, held), endsAt)
  return { countOf, move, put }
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

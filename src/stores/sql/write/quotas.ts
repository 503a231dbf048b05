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
import type { EachStatement } from '../each.ts'
import type { Steps } from '../steps.ts'
import { number, text } from '../values.ts'
import type { WriteContext } from './context.ts'

/** Reads and changes the counters of quotas, inside the writer's transaction. No other code changes
 *  them, so a quota is never exceeded, however many submits arrive at the same time. New amounts
 *  that are negative, not numbers or above 2^53 - 1 cause a TypeError, and a counter never falls
 *  below 0. */
export interface Quotas {
  /** Reads the counters of the quotas in these holds. */
  open(holds: readonly (Hold | null)[]): Steps<OpenQuotas>
  /** Replaces the held amounts by the larger ones in `lines`. When a quota has no room for the
   *  difference, changes nothing and returns the refusal. */
  grow(hold: Hold, lines: readonly PricedUnits[]): Steps<QuotaRefusal | undefined>
  /** Returns an empty list of changes. */
  changes(): QuotaChanges
  set(quota: QuotaShare, count: QuotaCount): Steps<QuotaCount>
}

/** Counters that are read once and then updated in memory until `write`. This is exact, because
 *  no other write runs at the same time. */
export interface OpenQuotas {
  /** Adds the amounts of the hold to the held amounts of each of its quotas. When a quota has no
   *  room, changes nothing and returns the refusal. */
  take(hold: Hold): QuotaRefusal | undefined
  write(): void
}

/** Changes of counters, which `write` adds up and writes. */
export interface QuotaChanges {
  /** Ends a hold. The amounts in `used` are added to the same windows in which the hold was
   *  counted. */
  settle(hold: Hold, used: readonly PricedUnits[]): void
  /** Undoes `settle`: the amounts are held again instead of used. */
  unsettle(hold: Hold, used: readonly PricedUnits[]): void
  /** Replaces the held amounts by `lines`, even if a quota has no room for them. */
  raise(hold: Hold, lines: readonly PricedUnits[]): void
  /** Replaces the used amounts `before` by `after`. */
  recount(quotas: readonly QuotaShare[], before: readonly PricedUnits[], after: readonly PricedUnits[]): void
  write(): void
}

export function prepareQuotas(context: WriteContext): Quotas {
  const { countsOf, moves, put } = prepareCounters(context)
  return {
    *open(holds) {
      const counts = yield* countsOf(holds.flatMap(hold => hold?.quotas ?? []))
      const taken = moves()
      return {
        take({ lines, quotas }) {
          assertAmounts(lines)
          for (const quota of quotas) {
            const wanted = amountOf(quota.unit, lines)
            const refusal = wanted === 0 ? undefined : refusalOf(quota, counts.get(quota.id) ?? nothing, wanted)
            if (refusal) return refusal
          }
          for (const { id, unit } of quotas) {
            const { used, held } = counts.get(id) ?? nothing
            counts.set(id, { used, held: held + amountOf(unit, lines) })
          }
          taken.add(quotas, ({ unit }) => ({ used: 0, held: amountOf(unit, lines) }))
          return undefined
        },
        write: taken.write,
      }
    },
    *grow({ lines: before, quotas }, lines) {
      assertAmounts(lines)
      const added = (unit: QuotaShare['unit']): number => amountOf(unit, lines) - amountOf(unit, before)
      const counts = yield* countsOf(quotas)
      for (const quota of quotas) {
        const refusal = refusalOf(quota, counts.get(quota.id) ?? nothing, added(quota.unit))
        if (refusal) return refusal
      }
      const { add, write } = moves()
      add(quotas, ({ unit }) => ({ used: 0, held: added(unit) }))
      write()
      return undefined
    },
    changes: () => changesBy(moves()),
    *set(quota, count) {
      const before = (yield* countsOf([quota])).get(quota.id) ?? nothing
      assertAmount(quota.unit, count.used)
      put(quota, count)
      return before
    },
  }
}

function changesBy({ add, write }: Moves): QuotaChanges {
  return {
    settle({ lines, quotas }, used) {
      assertAmounts(used)
      add(quotas, ({ unit }) => ({ used: amountOf(unit, used), held: -amountOf(unit, lines) }))
    },
    unsettle({ lines, quotas }, used) {
      add(quotas, ({ unit }) => ({ used: -amountOf(unit, used), held: amountOf(unit, lines) }))
    },
    raise({ lines: before, quotas }, lines) {
      assertAmounts(lines)
      add(quotas, ({ unit }) => ({ used: 0, held: amountOf(unit, lines) - amountOf(unit, before) }))
    },
    recount(quotas, before, after) {
      assertAmounts(after)
      add(quotas, ({ unit }) => ({ used: amountOf(unit, after) - amountOf(unit, before), held: 0 }))
    },
    write,
  }
}

const nothing: QuotaCount = { used: 0, held: 0 }

interface Counters {
  /** Returns the counters by id. A counter that is missing in the result has the value 0. */
  countsOf(quotas: readonly QuotaShare[]): Steps<Map<string, QuotaCount>>
  moves(): Moves
  put(quota: QuotaShare, count: QuotaCount): void
}

interface Moves {
  /** Adds to the counter of each quota the amounts that `of` returns for it. */
  add(quotas: readonly QuotaShare[], of: (quota: QuotaShare) => QuotaCount): void
  write(): void
}

function prepareCounters(context: WriteContext): Counters {
  const find = context.prepareEach(({ text, join }) => `SELECT id, used, held FROM quota_counts ${join} WHERE id = ${text(0)}`)
  const add = prepareAdd(context)
  const set = context.prepare(
    `INSERT INTO quota_counts (id, used, held, ends_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET used = ?2, held = ?3`,
  )
  return {
    *countsOf(quotas) {
      const rows = yield* find.get([...new Set(quotas.map(({ id }) => id))].map(id => [id]))
      return new Map(rows.map(row => [text(row, 'id'), { used: number(row, 'used'), held: number(row, 'held') }]))
    },
    moves() {
      const moved = new Map<string, [id: string, used: number, held: number, endsAt: number]>()
      return {
        add(quotas, of) {
          for (const quota of quotas) {
            const { used, held } = of(quota)
            if (used === 0 && held === 0) continue
            const [, usedBefore, heldBefore] = moved.get(quota.id) ?? [quota.id, 0, 0]
            moved.set(quota.id, [quota.id, usedBefore + used, heldBefore + held, quota.endsAt])
          }
        },
        write: () => add.send([...moved.values()]),
      }
    },
    put: ({ id, endsAt }, { used, held }) => set.send(id, used, Math.max(0, held), endsAt),
  }
}

function prepareAdd(context: WriteContext): EachStatement {
  const { greatest } = context.dialect
  return context.prepareEach(({ text, whole, real, using }) => {
    const [id, used, held, endsAt] = [text(0), real(1), real(2), whole(3)]
    const columns = '(id, used, held, ends_at)'
    const first = `VALUES (${id}, ${greatest}(0, ${used}), ${greatest}(0, ${held}), ${endsAt})`
    const sums = `used = ${greatest}(0, quota_counts.used + ${used}), held = ${greatest}(0, quota_counts.held + ${held})`
    // An INSERT with ON CONFLICT does not suffice for many rows at once, because the amounts to add
    // may be negative; a MERGE can do it.
    return using === ''
      ? `INSERT INTO quota_counts ${columns} ${first} ON CONFLICT (id) DO UPDATE SET ${sums}`
      : `MERGE INTO quota_counts ${using} ON quota_counts.id = ${id}
         WHEN MATCHED THEN UPDATE SET ${sums} WHEN NOT MATCHED THEN INSERT ${columns} ${first}`
  })
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

import { amountOf, type Hold, type PricedUnits, type QuotaRefusal } from '../../core/ledger.ts'
import { number, text } from './values.ts'
import type { WriteContext } from './write-context.ts'

/** The counters of quotas, inside the writer's transaction: nothing else moves them, so a quota holds however many submits come at once. */
export interface Quotas {
  /** Holds what the lines take from each quota; changes nothing when one has no room. */
  take(hold: Hold): QuotaRefusal | undefined
  /** Ends a hold: `used` counts in the windows it was held in. */
  settle(hold: Hold, used: readonly PricedUnits[]): void
}

/** Units may be fractions, and sums of fractions are never quite exact. */
const tolerance = 1e-6

export function prepareQuotas(context: WriteContext): Quotas {
  const find = context.prepare('SELECT used, held FROM quota_counts WHERE id = ?')
  const add = context.prepare(
    `INSERT INTO quota_counts (id, used, held, ends_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET used = used + excluded.used, held = max(0, held + excluded.held)`,
  )
  return {
    take({ lines, quotas }) {
      for (const quota of quotas) {
        const wanted = amountOf(quota.unit, lines)
        const row = wanted === 0 ? undefined : find.get(quota.id)
        const used = row === undefined ? 0 : number(row, 'used')
        const held = row === undefined ? 0 : number(row, 'held')
        if (wanted > 0 && used + held + wanted > quota.atMost + tolerance) return { quota, used, held, wanted }
      }
      for (const quota of quotas) {
        const wanted = amountOf(quota.unit, lines)
        if (wanted > 0) add.run(quota.id, 0, wanted, quota.endsAt)
      }
      return undefined
    },
    settle({ lines, quotas }, used) {
      for (const quota of quotas) {
        const held = amountOf(quota.unit, lines)
        const amount = amountOf(quota.unit, used)
        if (held > 0 || amount > 0) add.run(quota.id, amount, -held, quota.endsAt)
      }
    },
  }
}

/** Reads a hold as it stands in a row. */
export function parseHold(text: string): Hold {
  return JSON.parse(text)
}

/** Ends and forgets holds of calls. */
export interface CallHolds {
  /** `used` undefined: nobody has counted, so it counts as it was held. An unknown hold is ended already. */
  end(id: string, used: readonly PricedUnits[] | undefined): void
}

export function prepareCallHolds(context: WriteContext, quotas: Quotas): CallHolds {
  const take = context.prepare('DELETE FROM call_holds WHERE id = ? RETURNING hold')
  return {
    end(id, used) {
      const row = take.get(id)
      if (row === undefined) return
      const hold = parseHold(text(row, 'hold'))
      quotas.settle(hold, used ?? hold.lines)
    },
  }
}

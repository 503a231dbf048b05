import { implement } from '../../contract/family.ts'
import type { KeyUsage } from '../../contract/needs/key-usage.ts'
import { inCurrency } from '../../core/records/ledger.ts'
import { usageFamily } from './family.ts'

export const usageEntry = implement(usageFamily, {
  show: async (context, { query }) => present(await context.keyUsage(query)),
})

function present({ account, key, currency, limits, quotas, totals }: KeyUsage) {
  return {
    object: 'usage' as const,
    account,
    key,
    currency,
    rates: limits.flatMap(({ scope, ratePerMinute }) =>
      ratePerMinute === undefined ? [] : [{ scope, requests_per_minute: ratePerMinute }],
    ),
    concurrency: limits.flatMap(({ scope, concurrentTasks }) =>
      concurrentTasks === undefined ? [] : [{ scope, concurrent_tasks: concurrentTasks }],
    ),
    quotas: quotas.map(({ subject, unit, window, atMost, used, held, endsAt }) => {
      const shown = (amount: number) => (unit === 'cost' ? inCurrency(amount) : amount)
      return {
        scope: subject.kind,
        unit,
        window,
        limit: shown(atMost),
        used: shown(used),
        held: shown(held),
        remaining: shown(Math.max(0, atMost - used - held)),
        resets_at: window === 'total' ? null : endsAt / 1000,
      }
    }),
    data: totals.map(({ day, model, unit, units, costMicros }) => ({ day, model, unit, units, cost: inCurrency(costMicros) })),
  }
}

import type { Limits, QuotaCount, UsageTotal } from '../../core/ports/store.ts'
import type { QuotaShare } from '../../core/records/ledger.ts'

/** Returns the usage of the calling key in whole UTC days, and its present limits. `from` and
 *  `to` are days such as `2027-01-01`, both inclusive; without them, the report covers the last
 *  30 days. Throws `invalid_request` for a day that does not exist. */
export type UsageReport = (range: { from?: string; to?: string }) => Promise<KeyUsage>

export interface KeyUsage {
  account: string
  key: { id: string; name: string }
  currency: string
  limits: ({ scope: 'key' | 'account' } & Limits)[]
  quotas: (QuotaShare & QuotaCount)[]
  /** Totals of this key alone. */
  totals: UsageTotal[]
}

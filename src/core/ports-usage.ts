/** What the store gives and takes of usage beside the lines of settlements. */
import type { PricedUnits, QuotaShare } from './ledger.ts'
import type { CallRecord, UsageLine } from './ports.ts'

/** What a task of unknown fate may have cost: held until an operator has looked at the provider's own record. */
export interface OpenLine {
  taskId: string
  accountId: string
  keyId: string
  model: string
  /** Target it was sent to. */
  target: string
  units: PricedUnits[]
  /** End of the task. */
  at: number
}

/** The end of a call's hold. `used` empty: nothing was used, and requests stay counted. */
export interface EndedHold {
  id: string
  used: PricedUnits[]
  /** Usage that stands under ids of its own, written in the same commit. Where a recount has written it before, `used` counts nothing: it is in the quotas already. */
  lines?: UsageLine[]
}

/** A call under way that has delivered more than was held for it so far. */
export interface RaisedHold {
  /** Its `holdId` names the hold, which is made where there is none: then without quotas, only so that a kill does not lose what was delivered. */
  record: CallRecord
  /** Held from now on: no less of anything than before. */
  lines: PricedUnits[]
}

/** Usage whose lines were an estimate, in the quotas that it was counted in. */
export interface Recount {
  lines: UsageLine[]
  /** A line that counts more already stays as it is. */
  isLeast?: boolean
  quotas: QuotaShare[]
}

/** A quota's counter in its window: `used` is settled, `held` belongs to work under way and to open lines. */
export interface QuotaCount {
  used: number
  held: number
}

export interface UsageFilter {
  accountId?: string
  keyId?: string
  from: number
  to: number
}

export interface UsageTotal {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  accountId: string
  keyId: string
  model: string
  unit: string
  units: number
  costMicros: number
}

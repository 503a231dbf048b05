/** What the store gives and takes of usage beside the lines of settlements. */
import type { PricedUnits } from './ledger.ts'

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

/** The end of a call's hold. `used` empty: nothing was used, and requests stay counted; absent: nobody has counted, so it counts as it was held. */
export interface EndedHold {
  id: string
  used?: PricedUnits[]
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

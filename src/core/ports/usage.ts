/** Usage that the store reads and writes, beside the lines of settlements. */
import type { PricedUnits, QuotaShare } from '../records/ledger.ts'

/** Possible cost of a task of unknown fate: held until an operator has checked the provider's own
 *  record. */
export interface OpenLine {
  taskId: string
  accountId: string
  keyId: string
  model: string
  /** Target it was sent to. */
  target: string
  units: PricedUnits[]
  /** Time the task ended. */
  at: number
}

/** The end of a call's hold. `used` empty: nothing was used, and requests stay counted. */
export interface HoldEnd {
  id: string
  used: PricedUnits[]
  /** Usage lines with ids of their own, written in the same commit. When a recount has written
   *  them before, `used` adds nothing: the quotas include it already. */
  lines?: UsageLine[]
}

/** A call in progress that has delivered more than was held for it so far. */
export interface HoldRaise {
  /** Its `holdId` names the hold. A missing hold is created without quotas, only so that a kill
   *  does not lose the delivered amounts. */
  record: CallRecord
  /** The new held amounts: never below the previous ones. */
  lines: PricedUnits[]
}

/** Corrects usage whose lines were an estimate, in the quotas that counted it. */
export interface Recount {
  lines: UsageLine[]
  /** A line that counts more already stays unchanged. */
  isLeast?: boolean
  quotas: QuotaShare[]
}

/** A quota's counter in its window: `used` is settled, `held` belongs to work in progress and to
 *  open lines. */
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

export interface UsageLine {
  /** `<task or request id>:<unit>`: written twice it counts once, also within one settlement. */
  id: string
  accountId: string
  keyId: string
  model: string
  /** `images`, `pixels`, `seconds`, `characters`, `input_tokens`, ... */
  unit: string
  units: number
  /** Millionths of the currency unit, rounded to whole ones. */
  costMicros: number
  at: number
}

/** The ledger's record of one answered call or relay of any capability. Tasks have no such
 *  record: their usage is written when they settle. */
export interface CallRecord {
  requestId: string
  at: number
  accountId: string
  keyId: string
  endpoint: string
  /** `chat.create`, `responses.create`, ... */
  operation: string
  model: string
  /** Target that answered; empty when no target did. */
  target: string
  /** HTTP status the caller received; 499 when the caller disconnected. */
  status: number
  /** From the request line to the end of the answer. */
  ms: number
  /** Counted amounts, each unit once: `input_tokens`, `images`, `seconds`, ... */
  units: PricedUnits[]
  /** The count is not complete: it is the larger of the hold and the amount seen passing. */
  isEstimated?: boolean
  /** Hold id from `reserve` or `raiseHolds`: the hold ends with this record, by its counts. */
  holdId?: string
  /** Usage of a background response, which has line ids of its own and is written with the
   *  record: the hold ends by it. */
  owed?: UsageLine[]
}

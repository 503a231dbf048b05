/** Usage that the store records besides the usage of tasks (whose usage is written when they
 *  settle). */
import type { PricedUnits, QuotaShare } from '../records/ledger.ts'

/** The amount that an upstream may still charge for a task whose outcome is unknown. The amount
 *  stays held until an operator has checked the records of the provider. */
export interface OpenLine {
  taskId: string
  accountId: string
  keyId: string
  model: string
  /** Target that the task was sent to. */
  target: string
  units: PricedUnits[]
  /** Time at which the task ended, Unix milliseconds. */
  at: number
}

/** Ends the hold of a call (the amounts reserved for it), and charges `used`. With an empty `used`,
 *  nothing is charged, but the call still counts as one request. */
export interface HoldEnd {
  id: string
  used: PricedUnits[]
  /** Usage of a background response, to write in the commit that ends the hold; `used` contains the
   *  same amounts. An exact `Recount` may already have written one of these lines. The quotas then
   *  include the usage, so the lines are not written again and `used` is ignored. A lower bound
   *  that a `Recount` wrote is replaced by the line given here. */
  owed?: OwedUsage
  /** Set when clients may have read the response while this call was open. The usage that was
   *  counted for such reads is already part of `used`, so the usage lines of the reads are removed
   *  in the commit that ends the hold. */
  openReadings?: OpenReadings
}

/** A stored response that clients could read while the call that creates it was still open. The
 *  usage that such a read showed was counted at once. */
export interface OpenReadings {
  responseId: string
  /** True when the usage of the call is an estimate. When readings have shown larger amounts, the
   *  difference is then written as usage lines of the response. */
  isLeast: boolean
}

/** Usage of a background response. It is stored in usage lines under the id of the response. */
export interface OwedUsage {
  lines: UsageLine[]
  /** True when the amounts are estimates: a larger lower bound from a `Recount` then replaces them.
   *  False when the upstream has counted the amounts. */
  isLeast: boolean
}

/** Raises the hold of a running call (the amounts reserved for it), because the call has delivered
 *  more than the hold covers. */
export interface HoldRaise {
  /** Record of the call; its `holdId` names the hold. A hold that does not exist is created without
   *  quotas, so that the delivered amounts are not lost when the process is killed. */
  record: CallRecord
  /** The new held amounts. Each is at least as large as before. */
  lines: PricedUnits[]
}

/** Replaces usage lines that were estimates, and corrects the quotas in which the estimates were
 *  counted. */
export interface Recount {
  lines: UsageLine[]
  /** True when the new amounts are lower bounds: a line that already has a larger amount stays
   *  unchanged. When the line does not exist yet, the lower bound is counted in the quotas, and is
   *  included in the line when that is written. */
  isLeast?: boolean
  quotas: QuotaShare[]
}

/** Counter of a quota in its current window. `used` is the settled amount; `held` is the amount
 *  reserved for work in progress and for open lines. */
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
  /** The UTC day, as `YYYY-MM-DD`. */
  day: string
  accountId: string
  keyId: string
  model: string
  unit: string
  units: number
  costMicros: number
}

export interface UsageLine {
  /** Id of the line: `<task or request id>:<unit>`. A line that is written twice counts only
   *  once. */
  id: string
  accountId: string
  keyId: string
  model: string
  /** Unit of the amount: `images`, `pixels`, `seconds`, `characters`, `input_tokens`, ... */
  unit: string
  units: number
  /** Cost in millionths of the currency unit, a whole number. */
  costMicros: number
  at: number
}

/** The record of one answered call or relay in the ledger. Tasks have no such record: their usage
 *  is written when they settle. */
export interface CallRecord {
  requestId: string
  at: number
  accountId: string
  keyId: string
  endpoint: string
  /** Operation of the call: `chat.create`, `responses.create`, ... */
  operation: string
  model: string
  /** Target that answered the call; empty when no target did. */
  target: string
  /** HTTP status that the caller received; 499 when the caller disconnected. */
  status: number
  /** Milliseconds from the request line to the end of the answer. */
  ms: number
  /** Counted amounts, each unit once: `input_tokens`, `images`, `seconds`, ... */
  units: PricedUnits[]
  /** True when the exact amounts are unknown: the units are then the larger of the hold and the
   *  amounts seen in the relayed answer. */
  isEstimated?: boolean
  /** Id of the hold (reserved amount) from `reserve` or `raiseHolds`. The record ends this hold and
   *  charges the counted amounts. */
  holdId?: string
  /** Usage of a background response that the call has created. The lines are written together
   *  with the record, and the end of the hold charges their amounts. */
  owed?: OwedUsage
  openReadings?: OpenReadings
}

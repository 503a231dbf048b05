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

/** The end of the hold of a call. With an empty `used`, nothing is charged, but the call still
 *  counts as one request. */
export interface HoldEnd {
  id: string
  used: PricedUnits[]
  /** Usage of a background response, to write in the commit that ends the hold. `used` is the
   *  same amounts. When a line with one of these ids exists already (an exact `Recount` wrote it),
   *  the quotas already include the usage: the lines are not written again, and `used` is ignored.
   *  Lower bounds that a `Recount` wrote are taken in. */
  owed?: OwedUsage
  /** Usage that readings of the response have counted before the call ended: it is a part of
   *  `used`, and its lines are removed in the commit that ends the hold. */
  openReadings?: OpenReadings
}

/** A stored response that could be read while the call that creates it was still open. */
export interface OpenReadings {
  responseId: string
  /** True when the usage of the call is an estimate: the amounts that readings have shown beyond it
   *  stay counted, in lines of the response. */
  isLeast: boolean
}

/** Usage of a background response, in lines with ids of their own. */
export interface OwedUsage {
  lines: UsageLine[]
  /** True when the amounts are estimates: a larger lower bound of a `Recount` then takes their
   *  place. False for counts of the upstream. */
  isLeast: boolean
}

/** Raises the hold of a running call that has delivered more than its hold covers. */
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
   *  unchanged. A lower bound without a line counts as well, and becomes a part of the line when
   *  the line is written. */
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
  /** Id of the hold from `reserve` or `raiseHolds`. The record ends this hold and charges the
   *  counted amounts. */
  holdId?: string
  /** Usage of a background response that the call has created. The lines are written together
   *  with the record, and the end of the hold charges their amounts. */
  owed?: OwedUsage
  openReadings?: OpenReadings
}

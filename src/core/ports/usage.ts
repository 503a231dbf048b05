/** What the store gives and takes of usage beside the lines of settlements. */
import type { PricedUnits, QuotaShare } from '../records/ledger.ts'

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

export interface UsageLine {
  /** `<task or request id>:<unit>`: writing it twice counts once, also in the same settlement. */
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

/** One answered call or relay of any capability, as the ledger keeps it. Tasks are not here: their usage is written when they settle. */
export interface CallRecord {
  requestId: string
  at: number
  accountId: string
  keyId: string
  endpoint: string
  /** `chat.create`, `responses.create`, ... */
  operation: string
  model: string
  /** Target that answered; empty when none did. */
  target: string
  /** HTTP status the caller got; 499 for a caller who left. */
  status: number
  /** From the request line to the end of the answer. */
  ms: number
  /** What was counted, each unit once: `input_tokens`, `images`, `seconds`, ... */
  units: PricedUnits[]
  /** Nobody counted all of it: the larger of what was held and what passed stands for it. */
  isEstimated?: boolean
  /** Of `reserve` or `raiseHolds`: the hold ends with this record, by its counts. */
  holdId?: string
  /** Usage of a background response, which stands under ids of its own and is written with the record: the hold ends by it. */
  owed?: UsageLine[]
}

/** The quotas of the bench, and the report of a node that uses them. */
import type { QuotaRefusal, QuotaShare } from '../../src/core/records/ledger.ts'
import { startedAt } from './load.ts'

export const quotaCount = 50
/** Images that each quota has: so few that most submits are refused in the end. */
export const quotaRoom = 400
const day = 24 * 3_600_000

export const allQuotas: readonly QuotaShare[] = Array.from({ length: quotaCount }, (_, index) => ({
  id: `images-${index}`,
  subject: { kind: 'key', id: `key-${index}` },
  unit: 'images',
  window: 'day',
  startsAt: startedAt,
  endsAt: startedAt + day,
  atMost: quotaRoom,
}))

export interface QuotaReport {
  /** Images that were accepted, by the index of the quota. */
  accepted: number[]
  refusals: { index: number; refusal: QuotaRefusal }[]
  errors: string[]
  submits: number
}

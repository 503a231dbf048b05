/** The quotas of the scale benchmark, and the report of a node that uses them. */
import type { QuotaRefusal, QuotaShare } from '../../src/core/records/ledger.ts'
import { startedAt } from './load.ts'

export const quotaCount = 50
/** Number of images that each quota allows. It is so small that most submits are refused towards
 *  the end. */
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
  /** Number of images that were accepted, by the index of the quota. */
  accepted: number[]
  refusals: { index: number; refusal: QuotaRefusal }[]
  errors: string[]
  submits: number
}

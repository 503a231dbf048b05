import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Limits } from '../ports/store.ts'
import { parseQuota, type Quota, quotaUnits, quotaWindows } from '../records/ledger.ts'

/** Limits as written in the configuration file: `quotas: { images: 1000/day, cost: [5/day,
 *  50/month] }`. */
export interface LimitsEntry {
  rate_per_minute?: number
  concurrent_tasks?: number
  quotas?: Partial<Record<string, string | number | (string | number)[]>>
}

/** Returns the limits of an entry; undefined when the entry limits nothing. Throws
 *  `invalid_request` that names the unit and shows a valid quota. */
export function limitsOf({ rate_per_minute, concurrent_tasks, quotas }: LimitsEntry): Limits | undefined {
  const limits: Limits = {}
  if (rate_per_minute !== undefined) limits.ratePerMinute = rate_per_minute
  if (concurrent_tasks !== undefined) limits.concurrentTasks = concurrent_tasks
  const read = Object.entries(quotas ?? {}).flatMap(([unit, texts]) =>
    (texts === undefined ? [] : [texts].flat()).map(text => quotaOf(unit, text)),
  )
  for (const [index, { unit, window }] of read.entries())
    if (read.findIndex(each => each.unit === unit && each.window === window) < index)
      throw wrong(`the quota of ${unit} a ${window} stands here twice.`)
  if (read.length > 0) limits.quotas = read
  return Object.keys(limits).length === 0 ? undefined : limits
}

/** Returns the quota for a unit and its text, such as `images` and `1000/day`. Throws
 *  `invalid_request`. */
export function quotaOf(unit: string, text: string | number): Quota {
  const known = quotaUnits.find(each => each === unit)
  if (known === undefined) throw wrong(`there is no quota of ${unit}; there are ${quotaUnits.join(', ')}.`)
  const quota = parseQuota(known, text)
  if (quota) return quota
  const whole = known === 'cost' ? 'an amount' : 'a whole number'
  throw wrong(
    `the quota of ${unit} is ${JSON.stringify(text)}; it must be ${whole} like 1000/day, with one of ${quotaWindows.join(', ')}, or alone for a total.`,
  )
}

function wrong(message: string): GatewayError {
  return new GatewayError('invalid_request', message, { field: 'quotas' })
}

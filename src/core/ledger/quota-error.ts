import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { inCurrency, type QuotaRefusal } from '../records/ledger.ts'

const longestRetryAfterSeconds = 60

/** Returns `quota_exceeded` with a sentence that names the quota's owner, how much is used and
 *  held, how much this request needs, and when the window resets. */
export function quotaExceeded({ quota, used, held, wanted }: QuotaRefusal, now: number): GatewayError {
  const { subject, unit, window, atMost, endsAt } = quota
  const shown = (amount: number) => (unit === 'cost' ? inCurrency(amount) : Math.round(amount * 1000) / 1000)
  const what = unit === 'cost' ? 'its budget' : `its quota of ${unit}`
  const per = window === 'total' ? 'in all' : `a ${window}`
  const after = window === 'total' ? '' : ` It begins anew at ${new Date(endsAt).toISOString()}.`
  const whose = subject.kind === 'key' ? 'The access key' : `The account ${subject.id}`
  const message = `${whose} has used ${shown(used)} of ${what}, ${shown(atMost)} ${per}; ${shown(held)} are held for work under way, and this needs ${shown(wanted)}.${after}`
  if (window === 'total') return new GatewayError('quota_exceeded', message)
  const retryAfterSeconds = Math.min(longestRetryAfterSeconds, Math.max(1, Math.ceil((endsAt - now) / 1000)))
  return new GatewayError('quota_exceeded', message, { retryAfterSeconds })
}

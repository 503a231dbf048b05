import type { KeyUsage } from '../../contract/context.ts'
import { dayToMs } from '../../core/access.ts'
import type { AccessKey } from '../../core/ports/store.ts'
import { quotasOf } from '../call/quotas.ts'
import type { HttpDeps } from '../deps.ts'

const dayMs = 86_400_000
const usualDays = 30

/** What a key has used in the days from `from` to `to`, and its limits as they stand. Throws `invalid_request` for a day that does not exist. */
export async function usageOf(
  { store, clock, currency }: Pick<HttpDeps, 'store' | 'clock' | 'currency'>,
  key: AccessKey,
  { from, to }: { from?: string; to?: string },
): Promise<KeyUsage> {
  const now = clock.now()
  const quotas = quotasOf(key, now)
  const counts = await store.quotaCounts(quotas)
  return {
    account: key.accountId,
    key: { id: key.id, name: key.name },
    currency: currency(),
    limits: [
      { scope: 'key', ...key.limits },
      { scope: 'account', ...key.accountLimits },
    ],
    quotas: quotas.map((quota, index) => ({ ...quota, used: counts[index]?.used ?? 0, held: counts[index]?.held ?? 0 })),
    totals: await store.usage({
      accountId: key.accountId,
      keyId: key.id,
      from: from === undefined ? now - usualDays * dayMs : dayToMs(from, 'from'),
      to: to === undefined ? now + 1 : dayToMs(to, 'to') + dayMs,
    }),
  }
}

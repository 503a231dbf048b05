import { dayMs } from '@generation-gateway/kit/units.ts'
import { dayToMs } from '../../core/access.ts'
import { quotasOf } from '../call/quotas.ts'
import type { Provision } from './provision.ts'

const usualDays = 30

export const keyUsage: Provision<'keyUsage'> =
  ({ deps: { store, clock, currency }, call: { key } }) =>
  async ({ from, to }) => {
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

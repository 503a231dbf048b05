/** The operator's actions on usage: totals; open lines, which are held amounts of tasks whose
 *  outcome is unknown; and records of answered calls. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { optional } from '../../contract/schemas.ts'
import { dayToMs } from '../../core/access.ts'
import type { Limits, QuotaCount, TaskStore, UsageTotal } from '../../core/ports/store.ts'
import type { CallRecord } from '../../core/ports/usage.ts'
import {
  inCurrency,
  inMicros,
  type QuotaShare,
  type QuotaUnit,
  type QuotaWindow,
  quotaUnits,
  quotaWindows,
  sharesOf,
} from '../../core/records/ledger.ts'
import type { HttpDeps } from '../deps.ts'
import { type AdminOperation, action, day, ofAccount, oneOf } from './admin-action.ts'

const groupings = ['day', 'account', 'key', 'model'] as const
type Grouping = (typeof groupings)[number]
const memberOf = { day: 'day', account: 'accountId', key: 'keyId', model: 'model' } as const satisfies Record<Grouping, keyof UsageTotal>

export const usageOperations: readonly AdminOperation[] = [
  action({
    name: 'usage show',
    method: 'GET',
    path: '/admin/usage',
    says: 'Sums what was used and what it cost, by day, account, key, model and unit.',
    input: {
      account: optional.string({ description: 'Only this account.' }),
      from: optional.string({ ...day, description: 'First day (UTC); 30 days ago without it.' }),
      to: optional.string({ ...day, description: 'Last day (UTC), inclusive; today without it.' }),
      by: optional.string({
        pattern: `^(${groupings.join('|')})(,(${groupings.join('|')}))*$`,
        mustBe: `some of ${groupings.join(', ')}, joined by commas`,
        description: 'What to sum by: day, account, key, model, or several joined by commas; all four without it.',
      }),
    },
    run: async ({ store, clock }, { account: accountId, from, to, by }) => {
      const range = {
        from: from ? dayToMs(from, 'from') : clock.now() - 30 * dayMs,
        to: to ? dayToMs(to, 'to') + dayMs : clock.now() + 1,
      }
      const totals = await store.usage({ ...ofAccount(accountId), ...range })
      return { usage: groupedBy(totals, by?.split(',') ?? groupings) }
    },
  }),
  action({
    name: 'usage open',
    method: 'GET',
    path: '/admin/usage/open',
    says: 'Lists open lines: what tasks of unknown fate may have cost, still held, to be compared with the record of the provider.',
    input: {
      account: optional.string({ description: 'Only this account.' }),
      limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 100, description: 'How many (1 to 10000).' }),
    },
    run: async ({ store }, { account: accountId, limit }) => ({
      lines: await store.openLines({ ...ofAccount(accountId), limit }),
    }),
  }),
  action({
    name: 'usage settle',
    method: 'POST',
    path: '/admin/usage/open/{task}/settle',
    isTold: true,
    says: 'Ends an open line: charge when the provider made it, release when it did not.',
    input: {
      task: Type.String({ description: 'Task id.' }),
      outcome: oneOf(['charge', 'release'], 'charge or release.'),
    },
    run: async ({ store, clock }, { task, outcome }) => {
      if (!(await store.settleOpenLine(task, outcome, clock.now())))
        throw new GatewayError('not_found', `The task ${task} has no open line.`)
      return { settled: task, outcome }
    },
  }),
  action({
    name: 'usage adjust',
    method: 'POST',
    path: '/admin/usage/adjust',
    isTold: true,
    says: 'Sets what is used of a quota, of a key or an account in its present window: to 0 for a reset. The held amount is computed again from the work in progress.',
    input: {
      key: optional.string({ description: 'Id of the key whose quota it is.' }),
      account: optional.string({ description: 'Account whose quota it is; one of key and account.' }),
      unit: oneOf(quotaUnits, `One of ${quotaUnits.join(', ')}.`),
      window: oneOf(quotaWindows, `One of ${quotaWindows.join(', ')}.`),
      used: Type.Number({
        minimum: 0,
        maximum: 1e15,
        default: 0,
        description: 'What counts as used from now on; of cost in currency units. 0 without it.',
      }),
    },
    run: adjust,
  }),
  action({
    name: 'calls list',
    method: 'GET',
    path: '/admin/calls',
    says: 'Lists answered calls with their tokens and what else they used, newest first.',
    input: {
      account: optional.string({ description: 'Only calls of this account.' }),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 20, description: 'How many (1 to 1000).' }),
    },
    run: async ({ store, clock }, { account: accountId, limit }) => {
      const calls = await store.calls({ ...ofAccount(accountId), from: 0, to: clock.now() + 1, limit })
      return { calls: calls.map(shownCall) }
    },
  }),
]

/** Returns the record of a call with its token counts as separate members; a count is 0 where the
 *  record has none. */
function shownCall({ units, isEstimated, ...record }: CallRecord): object {
  const of = (name: string) => units.find(({ unit }) => unit === name)
  return {
    ...record,
    inputTokens: of('input_tokens')?.units ?? 0,
    outputTokens: of('output_tokens')?.units ?? 0,
    cachedInputTokens: of('cached_input_tokens')?.units ?? 0,
    reasoningTokens: of('reasoning_tokens')?.units ?? 0,
    inputCostMicros: of('input_tokens')?.costMicros ?? 0,
    cachedInputCostMicros: of('cached_input_tokens')?.costMicros ?? 0,
    outputCostMicros: of('output_tokens')?.costMicros ?? 0,
    ...(isEstimated ? { isEstimated } : {}),
    units,
  }
}

interface UsageAdjustment {
  key?: string
  account?: string
  unit: QuotaUnit
  window: QuotaWindow
  used: number
}

async function adjust(
  { store, clock }: Pick<HttpDeps, 'store' | 'clock'>,
  { key, account, unit, window, used }: UsageAdjustment,
): Promise<object> {
  if ((key === undefined) === (account === undefined))
    throw new GatewayError('invalid_request', 'One of key and account is needed, and not both.', { field: 'key' })
  const subject = key === undefined ? { kind: 'account' as const, id: account ?? '' } : { kind: 'key' as const, id: key }
  const limits = await limitsOf(store, subject)
  const quota = limits?.quotas?.find(each => each.unit === unit && each.window === window)
  if (!quota) throw new GatewayError('not_found', `The ${subject.kind} ${subject.id} has no quota of ${unit} by ${window}.`)
  const [share] = sharesOf([quota], subject, clock.now())
  if (!share) throw new TypeError('a quota has no share')
  const { before, after } = await store.adjustQuota(share, unit === 'cost' ? inMicros(used) : used)
  const shown = (count: QuotaCount) => (unit === 'cost' ? { used: inCurrency(count.used), held: inCurrency(count.held) } : count)
  return { quota: share.id, unit, window, before: shown(before), after: shown(after) }
}

/** Returns the limits of a key or an account. Throws `not_found` for an unknown id. */
async function limitsOf({ accounts }: TaskStore, { kind, id }: QuotaShare['subject']): Promise<Limits | undefined> {
  const owner = await (kind === 'key' ? accounts.key(id) : accounts.account(id))
  if (!owner) throw new GatewayError('not_found', `There is no ${kind} ${id}.`)
  return owner.limits
}

/** Returns one row for each unit in each group, in the order of `totals`. A row has `cost` in
 *  currency units, and the same amount in exact millionths. */
function groupedBy(totals: readonly UsageTotal[], by: readonly string[]): object[] {
  const members = groupings.filter(grouping => by.includes(grouping)).map(grouping => memberOf[grouping])
  const rows = new Map<string, { units: number; costMicros: number } & Partial<UsageTotal>>()
  for (const total of totals) {
    const names = members.map(member => total[member])
    const id = JSON.stringify([...names, total.unit])
    const row = rows.get(id)
    if (row) {
      row.units += total.units
      row.costMicros += total.costMicros
      continue
    }
    const group = Object.fromEntries(members.map(member => [member, total[member]]))
    rows.set(id, { ...group, unit: total.unit, units: total.units, costMicros: total.costMicros })
  }
  return [...rows.values()].map(row => ({ ...row, cost: inCurrency(row.costMicros) }))
}

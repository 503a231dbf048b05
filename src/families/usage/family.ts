import Type from 'typebox'
import { defineFamily, operation } from '../../contract/family.ts'
import { namedObject, optional } from '../../contract/schemas.ts'
import { quotaUnits, quotaWindows } from '../../core/records/ledger.ts'
import { openaiFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'

const scope = Type.Enum(['key', 'account'], { description: 'Whose limit it is; an account shares its limits between its keys.' })

const rate = namedObject('RateLimit', { scope, requests_per_minute: Type.Integer() })
const concurrency = namedObject('ConcurrencyLimit', {
  scope,
  concurrent_tasks: Type.Integer({ description: 'Unfinished tasks that run; more wait.' }),
})
const quota = namedObject('Quota', {
  scope,
  unit: Type.Enum([...quotaUnits], { description: '`tokens` are input and output together; `cost` is in `currency`.' }),
  window: Type.Enum([...quotaWindows], { description: 'Begins at full UTC minutes, hours, days and months; `total` never ends.' }),
  limit: Type.Number(),
  used: Type.Number(),
  held: Type.Number({ description: 'By work under way, and by tasks of which it is not known whether they cost anything.' }),
  remaining: Type.Number(),
  resets_at: Type.Union([Type.Integer({ description: 'Unix seconds.', unit: 's' }), Type.Null()]),
})
const line = namedObject('UsageLine', {
  day: Type.String({ description: 'YYYY-MM-DD, UTC.' }),
  model: Type.String(),
  unit: Type.String({ description: '`requests`, `images`, `pixels`, `seconds`, `characters`, `input_tokens`, ...' }),
  units: Type.Number(),
  cost: Type.Number({ description: 'In `currency`; 0 for a model without a price.' }),
})

const usageReport = namedObject('UsageReport', {
  object: Type.Literal('usage'),
  account: Type.String(),
  key: Type.Object({ id: Type.String(), name: Type.String() }),
  currency: Type.String(),
  rates: Type.Array(rate),
  concurrency: Type.Array(concurrency),
  quotas: Type.Array(quota),
  data: Type.Array(line, { description: 'Of this key alone.' }),
})

const day = (description: string) => optional.string({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', mustBe: 'a date like 2027-01-01', description })

/** Shows the usage of a key and its remaining quota. */
export const usageFamily = defineFamily({
  id: 'usage',
  title: 'Usage and limits',
  source: 'Ours',
  description: 'What the access key has used by day and model, what it cost, and how much of its limits and those of its account is left.',
  models: [],
  deadlineMs: 0,
  linkLifetimeMs: 0,
  keepMs: 0,
  isOpen: true,
  failure: openaiFailure,
  operations: {
    show: operation({
      operationId: 'getUsage',
      method: 'GET',
      ...atEndpoint('usage'),
      summary: 'Show usage and limits',
      source: 'ours',
      query: Type.Object({
        from: day('First day (UTC); 30 days ago without it.'),
        to: day('Last day (UTC), inclusive; today without it.'),
      }),
      needs: ['keyUsage'],
      reply: { schema: usageReport },
      examples: [
        {
          title: 'A key with a daily quota in an account with a budget',
          reply: {
            object: 'usage',
            account: 'acme',
            key: { id: 'key_01', name: 'ci' },
            currency: 'USD',
            rates: [{ scope: 'key', requests_per_minute: 600 }],
            concurrency: [{ scope: 'key', concurrent_tasks: 8 }],
            quotas: [
              { scope: 'key', unit: 'images', window: 'day', limit: 1000, used: 12, held: 1, remaining: 987, resets_at: 1_795_132_800 },
              {
                scope: 'account',
                unit: 'cost',
                window: 'month',
                limit: 50,
                used: 7.36,
                held: 0.04,
                remaining: 42.6,
                resets_at: 1_796_083_200,
              },
            ],
            data: [{ day: '2026-11-21', model: 'cloud-image', unit: 'images', units: 12, cost: 0.48 }],
          },
        },
      ],
    }),
  },
})

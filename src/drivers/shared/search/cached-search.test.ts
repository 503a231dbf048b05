import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { SearchTopRequest } from '@generation-gateway/kit/requests/search.ts'
import { cachedSearch } from './cached-search.ts'

test('an answer is reused for its time, by request and settings but not hops; a stale one is not stored', async () => {
  let calls = 0
  let now = 0
  const offer = cachedSearch<SearchTopRequest>(
    1000,
    async ({ request }) => {
      calls += 1
      const age = { readAt: now, isStale: request.list === 3 }
      return { state: 'done', files: [], report: { entries: [], age, call: calls }, usage: [{ unit: 'searches', units: 1 }] }
    },
    { now: () => now },
  )
  const ask = async (list: number, settings = {}, hops = 0) => {
    const job: Job<SearchTopRequest> = {
      ...{ id: 'j', request: { list, hops }, inputs: [], scratch: '/', model: 'm', settings, attempt: 1 },
      ...{ signal: new AbortController().signal, progress: () => {} },
    }
    const outcome = await offer.run(job)
    return outcome.state === 'done' ? outcome.report.call : undefined
  }
  assert.deepEqual([await ask(2), await ask(2, {}, 3), await ask(4), await ask(2, { api_key: 'x' })], [1, 1, 2, 3])
  now = 1001
  assert.equal(await ask(2), 4)
  assert.deepEqual([await ask(3), await ask(3)], [5, 6])
})

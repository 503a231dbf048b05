/** Tests errors that occur while an answer is read; the suites of the drivers do not test them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeUpstream, hangingReply, jsonReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { submitPaid, submitPaidInParts } from './paid-submit.ts'
import { sentBody } from './sent-body.ts'
import { createUpstream } from './upstream.ts'
import { UpstreamAnswerError } from './upstream-failures.ts'
import { upstreamTarget } from './upstream-target.ts'

const upstream = createUpstream(directOutbound)
let fake: FakeUpstream
before(async () => {
  fake = await startFakeUpstream()
})
beforeEach(() => fake.answer(jsonReply({})))
after(() => Promise.all([fake.close(), upstream.close()]))

const submitOf = () => ({
  submits: upstream,
  target: { upstream: upstreamTarget(fake.baseUrl), waits: { firstByteMs: 10_000, idleMs: 10_000 } },
  job: { model: 'm', signal: new AbortController().signal },
  path: '/pictures',
  owner: 'the service',
  body: sentBody({ contentType: 'text/plain', tail: Buffer.from('x') }),
})

test('a good answer is an acceptance: whatever goes wrong after it leaves the fate open, also a refusal by another host', async () => {
  const cause = new UpstreamAnswerError(403, undefined, undefined)
  const later = [new GatewayError('upstream_error', 'A link is of no use.', { cause }), new GatewayError('overloaded', 'A link is busy.')]
  for (const error of later) {
    const submit = submitPaid({ ...submitOf(), read: () => Promise.reject(error) })
    await assert.rejects(submit, { code: 'outcome_unknown', cause: error })
  }
})

test('parts are given on while the answer goes on; whoever leaves them cuts it', async () => {
  fake.answer(hangingReply(['one']))
  const parts = submitPaidInParts({
    ...submitOf(),
    read: async function* (answer) {
      for await (const { data } of answer.events()) yield data
      return 'all'
    },
  })
  assert.deepEqual(await parts.next(), { done: false, value: 'one' })
  assert.equal(fake.aborted(), 0)
  await parts.return('left')
  await until(() => fake.aborted() === 1, 'the cut')
})

test('what goes wrong between two parts leaves the fate open', async () => {
  const parts = submitPaidInParts({
    ...submitOf(),
    read: async function* () {
      yield 'one'
      throw new GatewayError('overloaded', 'later')
    },
  })
  assert.equal((await parts.next()).value, 'one')
  await assert.rejects(parts.next(), { code: 'outcome_unknown' })
})

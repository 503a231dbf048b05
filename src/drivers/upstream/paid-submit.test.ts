/** What the drivers' own suites do not show: errors of reading an answer. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type FakeUpstream, jsonReply, startFakeUpstream } from '../../testing/fake-upstream.ts'
import { submitPaid } from './paid-submit.ts'
import { sentBody } from './sent-body.ts'
import { createUpstream } from './upstream.ts'
import { UpstreamAnswerError } from './upstream-failures.ts'
import { upstreamTarget } from './upstream-target.ts'

const upstream = createUpstream()
let fake: FakeUpstream
before(async () => {
  fake = await startFakeUpstream()
  fake.answer(jsonReply({}))
})
after(() => Promise.all([fake.close(), upstream.close()]))

test('a good answer is an acceptance: whatever goes wrong after it leaves the fate open, also a refusal by another host', async () => {
  const cause = new UpstreamAnswerError(403, undefined, undefined)
  const later = [new GatewayError('upstream_error', 'A link is of no use.', { cause }), new GatewayError('overloaded', 'A link is busy.')]
  for (const error of later) {
    const submit = submitPaid({
      upstream,
      target: upstreamTarget(fake.baseUrl),
      path: '/pictures',
      model: 'm',
      owner: 'the service',
      body: sentBody({ contentType: 'text/plain', tail: Buffer.from('x') }),
      signal: new AbortController().signal,
      firstByteMs: 10_000,
      idleMs: 10_000,
      read: () => Promise.reject(error),
    })
    await assert.rejects(submit, { code: 'outcome_unknown', cause: error })
  }
})

/** Tests errors that occur while an answer is read; the suites of the drivers do not test them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { mayHaveBeenAccepted } from '../../../core/routing/router.ts'
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

test('a success status means acceptance: any later error leaves the fate unknown, also a refusal by another host', async () => {
  const cause = new UpstreamAnswerError(403, undefined, undefined)
  const later = [new GatewayError('upstream_error', 'A link is of no use.', { cause }), new GatewayError('overloaded', 'A link is busy.')]
  for (const error of later) {
    const submit = submitPaid({ ...submitOf(), read: () => Promise.reject(error) })
    await assert.rejects(submit, { code: 'outcome_unknown', cause: error })
  }
})

test('parts are forwarded while the answer continues, which ends when the reader disconnects', async () => {
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

test('an error between two parts leaves the fate unknown', async () => {
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

test('a failure before the last byte was sent means that nothing was accepted, whatever its code', async () => {
  const failures: [Error, string][] = [
    [new Error('EIO'), 'internal_error'],
    [new GatewayError('inspection_busy', 'later'), 'inspection_busy'],
    [new GatewayError('upstream_timeout', 'late'), 'upstream_timeout'],
  ]
  for (const [failure, code] of failures) {
    const chunks = async function* () {
      yield Buffer.from('x')
      throw failure
    }
    const body = sentBody({ contentType: 'text/plain', head: [{ bytes: 10, chunks }], tail: Buffer.from('x') })
    const submit = submitPaid({ ...submitOf(), body, read: async () => 'read' })
    const error = toGatewayError(await submit.catch((thrown: unknown) => thrown))
    assert.ok(!mayHaveBeenAccepted(error), code)
  }
})

test('a job that should stop sends nothing more, and waits for what it has sent', async () => {
  const stopped = new AbortController()
  stopped.abort(new Error('cancelled'))
  const before = fake.received.length
  const job = { ...submitOf().job, stop: stopped.signal }
  const error = toGatewayError(await submitPaid({ ...submitOf(), job, read: async () => 'read' }).catch((thrown: unknown) => thrown))
  assert.ok(!mayHaveBeenAccepted(error))
  assert.equal(fake.received.length, before)

  const late = new AbortController()
  const answer = Promise.withResolvers<void>()
  fake.answer(async response => {
    await answer.promise
    response.end('{}')
  })
  const submit = submitPaid({ ...submitOf(), job: { ...submitOf().job, stop: late.signal }, read: async () => 'read' })
  await until(() => fake.received.length > before, 'the request')
  late.abort(new Error('cancelled'))
  answer.resolve()
  assert.equal(await submit, 'read')
})

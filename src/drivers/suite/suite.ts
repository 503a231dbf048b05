/** The suite of tests that every driver of an upstream must pass, with a fake upstream. A driver
 *  states which parts do not apply to it, and why. */

import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { closeReply, type FakeReply, rawReply, redirectReply, resetReply, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { Bench, polledOffer, relayed, secret, settled, stillRunning, tools } from './bench.ts'
import type { DriverSuite } from './suite-options.ts'
import { type RecordedAnswer, recordingReply, replayingReply, wrongAnswers } from './wrong-answers.ts'

const statusCodes: [status: number, code: ErrorCode][] = [
  [401, 'upstream_auth_error'],
  [403, 'upstream_auth_error'],
  [429, 'rate_limited'],
  [500, 'upstream_error'],
  [502, 'upstream_error'],
  [503, 'overloaded'],
  [504, 'upstream_error'],
  [400, 'invalid_request'],
]
/** Statuses after which a request may have been carried out: a proxy answers with them while the
 *  service behind it may still be working. */
const openStatuses = new Set([500, 502, 504])

/** Registers the tests of the suite under this name. `suite` contains the driver and the answers of
 *  its fake upstream. */
export function driverSuite<C extends Capability>(name: string, suite: DriverSuite<C>): void {
  describe(name, () => {
    const bench = new Bench(suite)
    before(() => bench.open())
    after(() => bench.close())
    beforeEach(() => bench.reset())
    answerTests(suite, bench)
    leavingTests(suite, bench)
    failureTests(suite, bench)
    paidTests(suite, bench)
    polledTests(suite, bench)
    relayTests(suite, bench)
    wrongAnswerTests(suite, bench)
  })
}

function answerTests<C extends Capability>(suite: DriverSuite<C>, bench: Bench<C>): void {
  test('a run that succeeds returns its result, and the upstream received the credential', async () => {
    const { outcome, events } = await bench.good()
    assert.equal(outcome.state, 'done', inspect(outcome))
    await suite.check(outcome, events)
    assert.ok(JSON.stringify(bench.fake.received.map(({ headers, path }) => [headers, path])).includes(secret))
  })

  if (suite.outputs !== 'files') return
  test('outputs are downloaded, and the credential is sent only to the host of the target', async () => {
    const { outcome } = await bench.good()
    assert.equal(outcome.state, 'done')
    assert.ok(outcome.files.length > 0)
    for (const file of outcome.files) {
      assert.ok(file.path.startsWith(bench.scratch))
      assert.ok((await stat(file.path)).size > 0)
    }
    assert.ok(bench.other.received.length > 0, 'nothing was fetched from the other host')
    assert.ok(!inspect(bench.other.received, { depth: null }).includes(secret))
  })
}

function leavingTests<C extends Capability>(suite: DriverSuite<C>, bench: Bench<C>): void {
  test('a redirect is not followed, so no credential reaches another host', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      bench.fake.answer(redirectReply(`${bench.other.baseUrl}/chat/completions`, status))
      assert.equal(await bench.code(), 'upstream_error')
    }
    assert.equal(bench.other.connectionsMade(), 0)
  })

  test('an abort ends the answer of the upstream', async () => {
    const leaving = new AbortController()
    bench.fake.answer(suite.hanging)
    const before = bench.fake.aborted()
    const running = bench.run(leaving.signal).then(
      () => undefined,
      error => error,
    )
    await until(() => bench.fake.received.length > 0, 'the request')
    leaving.abort()
    await until(() => bench.fake.aborted() > before, 'the cut')
    const error = await running
    assert.ok(error instanceof GatewayError, inspect(error))
    assert.equal(error.code, suite.paidSubmit?.aborted ?? 'cancelled')
  })

  test('a run that was aborted before its start sends nothing', async () => {
    await assert.rejects(bench.run(AbortSignal.abort()), { code: 'cancelled' })
    assert.equal(bench.fake.received.length, 0)
  })
}

function failureTests<C extends Capability>(suite: DriverSuite<C>, bench: Bench<C>): void {
  for (const [status, usual] of statusCodes) {
    const code = suite.paidSubmit !== undefined && openStatuses.has(status) ? 'outcome_unknown' : usual
    test(`status ${status} becomes ${code}, without a secret`, async () => {
      bench.fake.answer(suite.refusal(status, `the key ${secret} is not liked`, { 'retry-after': '7' }))
      const error = await bench.error()
      assert.equal(error.code, code)
      assert.ok(!inspect(error, { depth: null, showHidden: true }).includes(secret))
      if (error instanceof GatewayError && (status === 429 || status === 503)) assert.equal(error.retryAfterSeconds, 7)
    })
  }

  test('an upstream that cannot be reached is upstream_unreachable', async () => {
    const gone = await startFakeUpstream()
    await gone.close()
    const error = await bench.error(suite.settings(gone.baseUrl, secret))
    assert.equal(error.code, 'upstream_unreachable')
  })

  test(`a refusal of the request is ${suite.failed.code}`, async () => {
    bench.fake.answer(...suite.failed.replies)
    assert.equal(await bench.code(), suite.failed.code)
  })

  for (const text of ['[]', '[{}]', 'null', '1', '"text"', 'true', '{}'])
    test(`JSON that contains no answer (${text}) is an upstream failure`, async () => {
      bench.fake.answer(rawReply(text, 200, { 'content-type': 'application/json' }))
      assert.match(await bench.code(), /^(upstream_|outcome_unknown$)/)
    })

  test('unusable settings make the target unusable, with a message that repeats no secret', () => {
    const says = bench.driver.unusable?.(suite.settings('nonsense', secret), 'm')
    assert.equal(typeof says, 'string')
    assert.ok(!says?.includes(secret))
    assert.equal(bench.driver.unusable?.(suite.settings(bench.fake.baseUrl, secret), 'm'), undefined)
  })
}

/** Largest number of usage units that one run of the suite can have. */
const mostUnits = 2 ** 40
/** Largest length in characters of a message that quotes the upstream. */
const longestMessage = 2_000
/** Milliseconds after which a run that waits before it asks again is stopped. */
const patienceMs = 1_000

function wrongAnswerTests<C extends Capability>(suite: DriverSuite<C>, bench: Bench<C>): void {
  test('an answer with a wrong value or event is a failure of the upstream, or has a result without that value', async () => {
    const settings = suite.settings(bench.other.baseUrl, secret)
    const record: RecordedAnswer[] = []
    const outputs = await startFakeUpstream()
    if (suite.file) outputs.answer(suite.file)
    bench.fake.answer(...suite.good(bench.other.baseUrl, outputs.baseUrl))
    bench.other.answer(recordingReply(new URL(bench.fake.baseUrl).origin, record))
    assert.equal((await bench.run(undefined, settings)).state, 'done')
    const problems: string[] = []
    for (const [at, good] of record.entries()) {
      for (const { title, answer } of wrongAnswers(good)) {
        const stop = new AbortController()
        bench.other.answer(replayingReply(record.with(at, answer), () => stop.abort()))
        const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(patienceMs)])
        const problem = await problemOf(bench.run(signal, settings))
        if (problem !== undefined) problems.push(`${good.question}, ${title}: ${problem}`)
      }
    }
    await outputs.close()
    assert.deepEqual(problems, [])
  })
}

/** Returns what is wrong with the end of a run; undefined when it is right. */
async function problemOf(run: Promise<Outcome>): Promise<string | undefined> {
  let outcome: Outcome | GatewayError
  try {
    outcome = await run
  } catch (error) {
    if (error instanceof Error && error.message === stillRunning) return undefined
    if (!(error instanceof GatewayError)) return inspect(error)
    outcome = error
  }
  if ('state' in outcome && outcome.state === 'done') {
    const wrong = outcome.usage.filter(({ units }) => !(units >= 0 && units < mostUnits))
    return wrong.length === 0 ? undefined : `usage ${inspect(wrong)}`
  }
  const { code, message } = outcome
  if (code === 'internal_error') return message
  return message.length <= longestMessage ? undefined : `a message of ${message.length} characters`
}

function paidTests<C extends Capability>({ paidSubmit, refusal }: DriverSuite<C>, bench: Bench<C>): void {
  if (paidSubmit === undefined) return
  const open: [what: string, reply: FakeReply][] = [
    ['a reset before an answer', resetReply()],
    ['a close before an answer', closeReply],
    ['a status of a proxy', refusal(504, 'late', {})],
  ]
  for (const [what, reply] of open) {
    test(`after ${what} the fate of a paid request is unknown, and it is sent once`, async () => {
      bench.fake.answer(reply)
      assert.equal(await bench.code(), 'outcome_unknown')
      assert.equal(bench.fake.received.length, 1)
    })
  }
}

function polledTests<C extends Capability>(suite: DriverSuite<C>, bench: Bench<C>): void {
  if ('leftOut' in suite.polled) return
  const { isStart } = suite.polled
  test('a started generation continues from its handle after a restart, and is not started again', async () => {
    bench.fake.answer(...suite.good(bench.fake.baseUrl, bench.other.baseUrl))
    const started = await polledOffer(bench.driver, suite.capability).start(bench.job())
    assert.equal(started.state, 'started')
    // The handle after conversion to JSON and back, as the store keeps it.
    const handle: JsonObject = JSON.parse(JSON.stringify(started.handle))
    assert.ok(!JSON.stringify(handle).includes(secret))
    const restarted = suite.driver.open(tools)
    try {
      const outcome = await settled(polledOffer(restarted, suite.capability), bench.job(), handle)
      assert.equal(outcome.state, 'done', inspect(outcome))
      await suite.check(outcome, [])
    } finally {
      await restarted.close?.()
    }
    assert.equal(bench.fake.received.filter(isStart).length, 1)
  })
}

function relayTests<C extends Capability>(suite: DriverSuite<C>, bench: Bench<C>): void {
  const protocols = 'leftOut' in suite.relays ? [] : suite.relays
  for (const protocol of protocols) {
    test(`a ${protocol} relay forwards the exact bytes, maps a refusal and follows no redirect`, async () => {
      const body = Buffer.from('{ "model": "m", "big": 12345678901234567890 }')
      bench.fake.answer((response, request) => void response.writeHead(200, { 'content-type': 'application/json' }).end(request.body))
      assert.deepEqual(await relayed(bench, protocol, body), { text: body.toString(), code: undefined })
      assert.deepEqual(bench.fake.received.at(-1)?.body, body)
      bench.fake.answer(suite.refusal(401, secret, {}))
      assert.deepEqual(await relayed(bench, protocol, body), { text: '', code: 'upstream_auth_error' })
      bench.fake.answer(redirectReply(bench.other.baseUrl))
      assert.deepEqual(await relayed(bench, protocol, body), { text: '', code: 'upstream_error' })
      assert.equal(bench.other.connectionsMade(), 0)
    })
  }
}

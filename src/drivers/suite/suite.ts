/** The suite of tests that every driver of an upstream must pass, with a fake upstream. A driver
 *  states which parts do not apply to it, and why. */

import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Done, Driver, Failed, InputFile, Job, Offer, Outcome, OutputFile, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { RelayProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { driverTools } from '../../testing/driver-tools.ts'
import {
  closeReply,
  type FakeReply,
  type FakeUpstream,
  rawReply,
  redirectReply,
  resetReply,
  startFakeUpstream,
} from '../../testing/fakes/fake-upstream.ts'

export interface DriverSuite<C extends Capability> {
  driver: DriverSpec
  /** Returns the settings of a target at this base URL, with `secret` as its credential. */
  settings(baseUrl: string, secret: string): JsonObject
  capability: C
  request: RequestOf<C>
  /** Writes the files of the request into the folder. */
  inputs?(folder: string): Promise<InputFile[]>
  /** Returns the upstream's answers to a successful run, one per request. `otherBaseUrl` belongs to
   *  a second host, which may serve output files. */
  good(baseUrl: string, otherBaseUrl: string): FakeReply[]
  /** Checks the outcome and the events of a run that got the answers of `good`. */
  check(done: Done, events: unknown[]): void | Promise<void>
  /** An answer that begins and never ends. */
  hanging: FakeReply
  /** Returns a refusal with this status and message, in the upstream's own format. `secret` may
   *  occur in the message. */
  refusal(status: number, message: string, headers: Record<string, string>): FakeReply
  /** The answers of an upstream that refuses or fails a run, and the error code that the caller
   *  must get. */
  failed: { replies: FakeReply[]; code: ErrorCode }
  /** Set when the first request of a run is paid and must not be sent twice. A failure that leaves
   *  open whether it was accepted must then be reported as `outcome_unknown`. Absent when a
   *  repeated request costs nothing. */
  paidSubmit?: PaidSubmit
  /** For polled offers: recognizes the requests that start work. */
  polled: { isStart(request: { method: string; path: string }): boolean } | SkippedPart
  /** `files` when the outputs are files that the upstream links to. */
  outputs: 'files' | SkippedPart
  /** The answer of the second host: a file of a type that the driver accepts. Default: the file in
   *  `fake-upstream-text.ts`. */
  file?: FakeReply
  /** Protocols that the driver relays. */
  relays: readonly RelayProtocol[] | SkippedPart
}

/** The behaviour that the suite expects of a driver for paid requests when it is unknown whether
 *  the upstream accepted a request. */
export interface PaidSubmit {
  /** The expected error code for a job that is aborted after its request was sent and before the
   *  answer came: `cancelled` when the driver gives the work up, `outcome_unknown` when the driver
   *  cannot know whether the upstream accepted the request. */
  aborted: 'cancelled' | 'outcome_unknown'
}

/** A part of the suite that does not apply to the driver, and the reason. The part then has no
 *  tests. */
export interface SkippedPart {
  leftOut: string
}

const secret = 'sk-suite-secret-0123456789'
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
  })
}

function answerTests<C extends Capability>(suite: DriverSuite<C>, bench: Bench<C>): void {
  test('a run that succeeds gives its result, and the upstream saw the credential', async () => {
    const { outcome, events } = await bench.good()
    assert.equal(outcome.state, 'done', inspect(outcome))
    await suite.check(outcome, events)
    assert.ok(JSON.stringify(bench.fake.received.map(({ headers, path }) => [headers, path])).includes(secret))
  })

  if (suite.outputs !== 'files') return
  test('outputs are downloaded, and the credential stays with the host of the target', async () => {
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

  test('an abort cuts the answer of the upstream', async () => {
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

  test('a run that was aborted before it began sends nothing', async () => {
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

  test('an upstream that is not there is upstream_unreachable', async () => {
    const gone = await startFakeUpstream()
    await gone.close()
    const error = await bench.error(suite.settings(gone.baseUrl, secret))
    assert.equal(error.code, 'upstream_unreachable')
  })

  test(`a refusal of what was asked for is ${suite.failed.code}`, async () => {
    bench.fake.answer(...suite.failed.replies)
    assert.equal(await bench.code(), suite.failed.code)
  })

  for (const text of ['[]', '[{}]', 'null', '1', '"text"', 'true', '{}'])
    test(`JSON that holds no answer (${text}) is a failure of the upstream`, async () => {
      bench.fake.answer(rawReply(text, 200, { 'content-type': 'application/json' }))
      assert.match(await bench.code(), /^(upstream_|outcome_unknown$)/)
    })

  test('settings that cannot work make it unusable, with a sentence that repeats no secret', () => {
    const says = bench.driver.unusable?.(suite.settings('nonsense', secret), 'm')
    assert.equal(typeof says, 'string')
    assert.ok(!says?.includes(secret))
    assert.equal(bench.driver.unusable?.(suite.settings(bench.fake.baseUrl, secret), 'm'), undefined)
  })
}

function paidTests<C extends Capability>({ paidSubmit, refusal }: DriverSuite<C>, bench: Bench<C>): void {
  if (paidSubmit === undefined) return
  const open: [what: string, reply: FakeReply][] = [
    ['a reset before an answer', resetReply()],
    ['a close before an answer', closeReply],
    ['a status of a proxy', refusal(504, 'late', {})],
  ]
  for (const [what, reply] of open) {
    test(`after ${what} the fate of a paid request is open, and it is sent once`, async () => {
      bench.fake.answer(reply)
      assert.equal(await bench.code(), 'outcome_unknown')
      assert.equal(bench.fake.received.length, 1)
    })
  }
}

function polledTests<C extends Capability>(suite: DriverSuite<C>, bench: Bench<C>): void {
  if ('leftOut' in suite.polled) return
  const { isStart } = suite.polled
  test('what was started goes on at its handle after a restart, and is not started again', async () => {
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
    test(`a ${protocol} relay passes the very bytes, maps a refusal and follows no redirect`, async () => {
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

const tools = driverTools({ allowPrivateUrls: true })

/** Test bench: the driver under test, and the two fake hosts to which it sends requests. */
class Bench<C extends Capability> {
  readonly #suite: DriverSuite<C>
  #inputs: InputFile[] = []
  driver!: Driver
  fake!: FakeUpstream
  other!: FakeUpstream
  scratch = ''

  constructor(suite: DriverSuite<C>) {
    this.#suite = suite
  }

  async open(): Promise<void> {
    this.driver = this.#suite.driver.open(tools)
  }

  /** Starts new hosts for each test, so that each records only its own requests. */
  async reset(): Promise<void> {
    await this.#end()
    this.fake = await startFakeUpstream()
    this.other = await startFakeUpstream()
    if (this.#suite.file) this.other.answer(this.#suite.file)
    this.scratch = await mkdtemp(join(tmpdir(), 'driver-suite-'))
    this.#inputs = (await this.#suite.inputs?.(this.scratch)) ?? []
  }

  async close(): Promise<void> {
    await this.#end()
    await this.driver.close?.()
  }

  async #end(): Promise<void> {
    if (this.scratch === '') return
    await Promise.all([this.fake.close(), this.other.close(), rm(this.scratch, { recursive: true })])
    this.scratch = ''
  }

  job(signal: AbortSignal = new AbortController().signal, settings?: JsonObject): Job<RequestOf<C>> {
    return {
      id: 'job_suite',
      request: this.#suite.request,
      inputs: this.#inputs,
      scratch: this.scratch,
      model: 'up-1',
      settings: settings ?? this.#suite.settings(this.fake.baseUrl, secret),
      attempt: 1,
      signal,
      progress: () => {},
    }
  }

  async good(): Promise<{ outcome: Outcome; events: unknown[] }> {
    this.fake.answer(...this.#suite.good(this.fake.baseUrl, this.other.baseUrl))
    const events: unknown[] = []
    return { outcome: await this.run(undefined, undefined, events), events }
  }

  run(signal?: AbortSignal, settings?: JsonObject, events: unknown[] = []): Promise<Outcome> {
    return runOffer(offerOf(this.driver, this.#suite.capability), this.job(signal, settings), events)
  }

  /** Returns the failure of a run that must fail; a driver may throw it or return it. */
  async error(settings?: JsonObject): Promise<GatewayError | Failed> {
    let outcome: Outcome
    try {
      outcome = await this.run(undefined, settings)
    } catch (error) {
      assert.ok(error instanceof GatewayError, inspect(error))
      return error
    }
    assert.equal(outcome.state, 'failed')
    return outcome
  }

  async code(): Promise<ErrorCode> {
    return (await this.error()).code
  }
}

async function runOffer<Request>(offer: Offer<Request, unknown>, job: Job<Request>, events: unknown[]): Promise<Outcome> {
  if (offer.kind === 'once') return offer.run(job)
  if (offer.kind === 'polled') {
    const started = await offer.start(job)
    return started.state !== 'started' ? started : settled(offer, job, started.handle)
  }
  const files: OutputFile[] = []
  for await (const part of offer.run(job)) {
    if (part.type === 'file') files.push(part.file)
    if (part.type === 'event') events.push(part.event)
    if (part.type !== 'outcome') continue
    const { outcome } = part
    return outcome.state === 'done' ? { ...outcome, files: [...files, ...outcome.files] } : outcome
  }
  throw new Error('the stream ended without an outcome')
}

/** Polls without pauses until the job is done. In the program, the worker waits between polls. */
async function settled<Request>(offer: PolledOffer<Request, unknown>, job: Job<Request>, handle: JsonObject): Promise<Outcome> {
  for (let looks = 0; looks < 100; looks++) {
    const seen = await offer.check(job, handle)
    if (seen.state !== 'running') return seen
  }
  throw new Error('it was still running after 100 looks')
}

function offerOf<C extends Capability>(driver: Driver, capability: C): Offer<RequestOf<C>, unknown> {
  // The cast is safe: the type of `offers` connects each capability with its request type, but
  // TypeScript cannot follow this through a type parameter.
  return driver.offers[capability] as unknown as Offer<RequestOf<C>, unknown>
}

function polledOffer<C extends Capability>(driver: Driver, capability: C): PolledOffer<RequestOf<C>, unknown> {
  const offer = offerOf(driver, capability)
  assert.equal(offer.kind, 'polled')
  return offer
}

function relayed<C extends Capability>(
  bench: Bench<C>,
  protocol: RelayProtocol,
  body: Buffer,
): Promise<{ text: string; code: ErrorCode | undefined }> {
  const relay = bench.driver.relays?.[protocol]
  assert.ok(relay, `no relay for ${protocol}`)
  const chunks: Buffer[] = []
  const { settings, model } = bench.job()
  const request = {
    method: 'POST',
    suffix: '',
    query: '',
    settings,
    model,
    isStreamed: false,
    body,
    headers: {},
    firstByteMs: 60_000,
    idleMs: 60_000,
  } as const
  return new Promise(resolve => {
    const end = (code?: ErrorCode) => resolve({ text: Buffer.concat(chunks).toString(), code })
    relay.send(request, {
      onStart: () => {},
      onHead: () => {},
      onData: chunk => void chunks.push(chunk),
      onEnd: () => end(),
      onError: error => end(error.code),
    })
  })
}

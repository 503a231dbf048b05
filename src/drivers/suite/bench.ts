/** Runs a driver under test against two fake hosts, for the tests of the driver suite. */

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Driver, Failed, InputFile, Job, Offer, Outcome, OutputFile, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { RelayProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { driverTools } from '../../testing/driver-tools.ts'
import { type FakeUpstream, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import type { DriverSuite } from './suite-options.ts'

export const secret = 'sk-suite-secret-0123456789'
export const tools = driverTools({ allowPrivateUrls: true })

/** Test bench: the driver under test, and the two fake hosts to which it sends requests. */
export class Bench<C extends Capability> {
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

/** Message of the error for a job that does not end. */
export const stillRunning = 'it was still running after 100 looks'

/** Polls without pauses until the job is done. In the program, the worker waits between polls. */
export async function settled<Request>(offer: PolledOffer<Request, unknown>, job: Job<Request>, handle: JsonObject): Promise<Outcome> {
  for (let looks = 0; looks < 100; looks++) {
    const seen = await offer.check(job, handle)
    if (seen.state !== 'running') return seen
  }
  throw new Error(stillRunning)
}

function offerOf<C extends Capability>(driver: Driver, capability: C): Offer<RequestOf<C>, unknown> {
  // The cast is safe: the type of `offers` connects each capability with its request type, but
  // TypeScript cannot follow this through a type parameter.
  return driver.offers[capability] as unknown as Offer<RequestOf<C>, unknown>
}

export function polledOffer<C extends Capability>(driver: Driver, capability: C): PolledOffer<RequestOf<C>, unknown> {
  const offer = offerOf(driver, capability)
  assert.equal(offer.kind, 'polled')
  return offer
}

export function relayed<C extends Capability>(
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

/** Tests the driver with another gateway that supports other protocol versions, and with one that
 *  refuses runs. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { after, before, test } from 'node:test'
import { GatewayError, TargetRefusal } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, Job, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import {
  errorReply,
  type FakeReply,
  type FakeUpstream,
  jsonReply,
  resetReply,
  silentReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { foreignNotFounds } from '../../../testing/fakes/foreign-404.ts'
import { gatewayDriver } from './driver.ts'
import { accepted } from './testing/run-answers.ts'

const request: ImageGenerateRequest = {
  ...{ prompt: 'a cat', width: 64, height: 96, count: 1, seed: '7' },
  ...{ expandPrompt: false, safetyTolerance: 2, format: 'png' },
}
const offers = (...versions: number[]) => jsonReply({ object: 'gateway', versions, models: [], voices: [] })
const wrongVersion = errorReply(400, { code: 'invalid_request', message: 'version is 2; it must be one of 1.', param: 'version' })

let fake: FakeUpstream
const drivers: Driver[] = []
before(async () => {
  fake = await startFakeUpstream()
})
after(async () => {
  for (const driver of drivers) await driver.close?.()
  await fake.close()
})

interface StartOptions {
  versions?: readonly [number, ...number[]]
  repeatAfterMs?: readonly number[]
  signal?: AbortSignal
}

function offerOf({ versions = [1], repeatAfterMs = [] }: StartOptions = {}): PolledOffer<ImageGenerateRequest> {
  const driver = gatewayDriver({ repeatAfterMs, versions }).open(driverTools())
  drivers.push(driver)
  return driver.offers['image.generate'] as PolledOffer<ImageGenerateRequest>
}

function job({ signal = AbortSignal.timeout(20_000) }: StartOptions = {}): Job<ImageGenerateRequest> {
  return {
    ...{ id: 'job-1', request, inputs: [], scratch: '/nowhere', model: 'far', attempt: 1 },
    settings: { base_url: fake.baseUrl, api_key: 'sk-other' },
    signal,
    progress: () => {},
  }
}

const start = (options: StartOptions = {}) => offerOf(options).start(job(options))

const sentVersions = () => fake.received.flatMap(({ body }) => /name="version"\r\n\r\n(\d+)/.exec(body.toString())?.[1] ?? [])

test('a run is sent in the newest version, or the one before for a gateway that knows no newer one', async () => {
  fake.answer(accepted)
  assert.deepEqual(await start({ versions: [2, 1] }), { state: 'started', handle: { id: 'r1', version: 2 } })
  fake.answer(wrongVersion, offers(1, 0), accepted)
  assert.deepEqual(await start({ versions: [2, 1] }), { state: 'started', handle: { id: 'r1', version: 1 } })
  assert.deepEqual(sentVersions(), ['2', '2', '1'])
})

test('a gateway without a common version, or without runs, is named with a remedy', async () => {
  const refused = async (says: RegExp, ...replies: Parameters<FakeUpstream['answer']>) => {
    fake.answer(...replies)
    await assert.rejects(start(), (error: unknown) => {
      assert.ok(error instanceof GatewayError)
      assert.equal(error.code, 'capability_unavailable')
      assert.match(error.message, says)
      return true
    })
  }
  await refused(/speaks versions 3, 2; this one speaks 1: upgrade this one/, wrongVersion, offers(3, 2))
  await refused(/is older than this one expects.*openai-compatible/, wrongVersion, offers(0))
  await refused(/is older than this one expects/, errorReply(404, { code: 'not_found', message: 'There is nothing at this path.' }))
  await refused(/has no model far/, errorReply(404, { code: 'model_not_found', message: 'There is no model far.' }))
  await refused(/has no endpoint default/, errorReply(404, { code: 'endpoint_not_found', message: 'There is no endpoint.' }))
})

test('what the limits there refuse may go to another target; after a conflict it may have been paid', async () => {
  fake.answer(errorReply(400, { code: 'invalid_request', message: 'width: is 64; far takes at least 256.', param: 'width' }))
  await assert.rejects(start(), (error: unknown) => {
    assert.ok(error instanceof TargetRefusal)
    assert.deepEqual([error.code, error.field, error.message], ['invalid_request', 'width', 'width: is 64; far takes at least 256.'])
    return true
  })
  fake.answer(errorReply(409, { code: 'idempotency_conflict', message: 'The Idempotency-Key was used before with another body.' }))
  const outcome = await start()
  assert.deepEqual([outcome.state, 'code' in outcome && outcome.code], ['failed', 'outcome_unknown'])
})

test('only the other gateway itself can report a run as missing; any other 404 leads to another poll', async () => {
  const offer = offerOf()
  const handle = { id: 'r1', version: 1 }
  for (const [status, code] of [
    [404, 'task_not_found'],
    [410, 'gone'],
  ] as const) {
    fake.answer(errorReply(status, { code, message: 'There is no task r1.' }))
    const seen = await offer.check(job(), handle)
    assert.deepEqual([seen.state, 'code' in seen && seen.code, 'mayBeCharged' in seen], ['failed', 'upstream_error', true])
    fake.answer(errorReply(status, { code, message: 'There is no task r1.' }))
    await assert.rejects(offer.cancel?.(job(), handle) ?? Promise.resolve(), GatewayError)
  }
  const reloaded = errorReply(404, { code: 'endpoint_not_found', message: 'There is no endpoint default for this task.' })
  for (const reply of [...foreignNotFounds(), reloaded]) {
    fake.answer(reply)
    await assert.rejects(offer.check(job(), handle), { code: 'upstream_error' })
    fake.answer(reply)
    await assert.rejects(offer.cancel?.(job(), handle) ?? Promise.resolve(), GatewayError)
  }
})

test('a start that is stopped after it was sent may have been accepted, also while it waits for its repeat', async () => {
  const before = fake.received.length
  const reached: [FakeReply, (signal: AbortSignal) => boolean][] = [
    [silentReply, () => fake.received.length === before + 1],
    [resetReply(), signal => fake.received.length === before + 2 && getEventListeners(signal, 'abort').length > 0],
  ]
  for (const [reply, isReached] of reached) {
    const stopping = new AbortController()
    const { signal } = stopping
    fake.answer(reply)
    const starting = assert.rejects(start({ repeatAfterMs: [600_000], signal }), { code: 'outcome_unknown' })
    await until(() => isReached(signal), 'the request')
    stopping.abort()
    await starting
  }
  await assert.rejects(start({ signal: AbortSignal.abort() }), { code: 'cancelled' })
  assert.equal(fake.received.length, before + 2)
})

test('templates without an id or a link to their cover are left out', async () => {
  const driver = gatewayDriver({ repeatAfterMs: [] }).open(driverTools())
  drivers.push(driver)
  const cover = 'https://covers.example/1.png'
  const list = [0, -1, 1.5, '2', undefined].map(id => ({ id, cover }))
  const covers = [undefined, 'ftp://covers.example/1.png'].map(each => ({ id: 4, cover: each }))
  fake.answer(jsonReply({ total: 8, list: [...list, ...covers, { id: 1, cover }] }))
  const settings = { base_url: fake.baseUrl, api_key: 'sk-other' }
  const found = await driver.templates?.({ query: { page: 1, pageSize: 8 }, model: 'm', settings, signal: AbortSignal.timeout(20_000) })
  assert.deepEqual(found, { total: 8, list: [{ id: 1, name: '1', cover }] })
})

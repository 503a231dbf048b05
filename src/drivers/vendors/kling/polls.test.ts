/** Tests how the driver handles errors in the answers to polls and look-ups. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Driver, Job } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { type FakeUpstream, jsonReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { foreignNotFounds } from '../../../testing/fakes/foreign-404.ts'
import kling from './driver.ts'

let driver: Driver
let fake: FakeUpstream
before(async () => {
  driver = kling.open(driverTools())
  fake = await startFakeUpstream()
})
after(async () => {
  await driver.close?.()
  await fake.close()
})

function offer() {
  const made = driver.offers['video.generate']
  assert.equal(made?.kind, 'polled')
  return made
}

function job(): Job<VideoGenerateRequest> {
  const request: VideoGenerateRequest = {
    ...{ prompt: 'a ferry', width: 1280, height: 720, seconds: 5, count: 1, seed: '7', grade: 'standard' },
    ...{ sound: false, expandPrompt: false, safetyTolerance: 2, watermark: false },
  }
  return {
    ...{ id: 'j', request, inputs: [], scratch: '/nowhere', model: 'kling-v1', attempt: 1, progress: () => {} },
    settings: { base_url: fake.baseUrl, api_key: 'sk-kling-test-01', model_group: 'v1' },
    signal: new AbortController().signal,
  }
}

const check = () => offer().check(job(), { id: 'v-1', path: '/videos/text2video' })
const fault = (code: number, status = 200) => jsonReply({ code, message: 'so it is', request_id: 'rq-1' }, status)

test('a refused poll says nothing about the video, which is polled again', async () => {
  for (const [code, ours] of [
    [1000, 'upstream_auth_error'],
    [1101, 'upstream_quota_exhausted'],
    [1302, 'rate_limited'],
    [5000, 'upstream_error'],
    [5002, 'upstream_timeout'],
    [1200, 'upstream_error'],
    [1201, 'upstream_error'],
    [1202, 'upstream_error'],
    [1300, 'upstream_error'],
    [1301, 'upstream_error'],
    [4711, 'upstream_error'],
  ] as const) {
    fake.answer(fault(code))
    await assert.rejects(check(), { code: ours }, String(code))
  }
})

test('a task that the vendor lacks may be charged; another 404 leads to another poll', async () => {
  for (const status of [200, 404]) {
    fake.answer(fault(1203, status))
    const seen = await check()
    assert.deepEqual([seen.state, 'code' in seen && seen.code, 'mayBeCharged' in seen], ['failed', 'upstream_error', true], String(status))
  }
  for (const reply of [...foreignNotFounds(), fault(1202, 404)]) {
    fake.answer(reply)
    await assert.rejects(check(), { code: 'upstream_error' })
  }
})

test('a lost submit counts as not accepted only when the vendor says that it has no such task', async () => {
  for (const status of [200, 404]) {
    fake.answer(fault(1203, status))
    assert.deepEqual(await offer().find?.(job()), { state: 'absent' })
  }
  for (const reply of [...foreignNotFounds(), fault(1202, 404), fault(1202), fault(4711)]) {
    fake.answer(reply)
    await assert.rejects(offer().find?.(job()) ?? Promise.resolve(), GatewayError)
  }
})

/** Tests how the driver handles a job that the vendor no longer knows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, Job } from '@generation-gateway/kit/requests/job.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { type FakeUpstream, jsonReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { foreignNotFounds } from '../../../testing/fakes/foreign-404.ts'
import youchuan from './driver.ts'

let driver: Driver
let fake: FakeUpstream
before(async () => {
  driver = youchuan.open(driverTools())
  fake = await startFakeUpstream()
})
after(async () => {
  await driver.close?.()
  await fake.close()
})

async function check() {
  const offer = driver.offers['image.generate']
  assert.equal(offer?.kind, 'polled')
  const request: ImageGenerateRequest = {
    ...{ prompt: 'a cat', width: 1248, height: 832, aspectRatio: '3:2', count: 4, seed: '7' },
    ...{ expandPrompt: false, safetyTolerance: 2, format: 'png' },
  }
  const job: Job<ImageGenerateRequest> = {
    ...{ id: 'j', request, inputs: [], scratch: '/nowhere', model: 'midjourney', attempt: 1, progress: () => {} },
    settings: { base_url: fake.baseUrl, api_key: 'sk-youchuan-test-01', app_id: 'app-1' },
    signal: new AbortController().signal,
  }
  return offer.check(job, { id: 'job-1', version: 7 })
}

test('a job that the vendor lacks may be charged; another 404 leads to another poll', async () => {
  fake.answer(jsonReply({ code: 404, reason: 'Not_Found', message: 'no such job' }, 404))
  const seen = await check()
  assert.deepEqual([seen.state, 'code' in seen && seen.code, 'mayBeCharged' in seen], ['failed', 'upstream_error', true])
  for (const reply of foreignNotFounds()) {
    fake.answer(reply)
    await assert.rejects(check(), { code: 'upstream_error' })
  }
})

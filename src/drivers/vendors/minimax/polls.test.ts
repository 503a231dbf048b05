/** Tests how the driver handles errors in the answers to polls and look-ups of files. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Driver, Job } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { type FakeUpstream, jsonReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import minimax from './driver.ts'

let driver: Driver
let fake: FakeUpstream
let scratch: string
before(async () => {
  driver = minimax.open(driverTools())
  fake = await startFakeUpstream()
  scratch = await mkdtemp(join(tmpdir(), 'minimax-'))
})
after(async () => {
  await driver.close?.()
  await fake.close()
  await rm(scratch, { recursive: true })
})

async function check() {
  const offer = driver.offers['video.generate']
  assert.equal(offer?.kind, 'polled')
  const request: VideoGenerateRequest = {
    ...{ prompt: 'a kite', width: 1366, height: 768, seconds: 6, count: 1, seed: '7' },
    ...{ sound: false, expandPrompt: true, safetyTolerance: 2, watermark: false },
  }
  const job: Job<VideoGenerateRequest> = {
    ...{ id: 'j', request, inputs: [], scratch, model: 'MiniMax-Hailuo-02', attempt: 1, progress: () => {} },
    settings: { base_url: fake.baseUrl, api_key: 'sk-minimax-test-01' },
    signal: new AbortController().signal,
  }
  return offer.check(job, { taskId: 't-1' })
}

const fault = (status_code: number) => jsonReply({ base_resp: { status_code, status_msg: 'so it is' } })
const finished = jsonReply({ task_id: 't-1', status: 'Success', file_id: 'f-1', base_resp: { status_code: 0 } })
const ownFaults = [
  [1000, 'upstream_error'],
  [1001, 'upstream_timeout'],
  [1002, 'rate_limited'],
  [1004, 'upstream_auth_error'],
  [1008, 'upstream_quota_exhausted'],
  [1024, 'upstream_error'],
  [1033, 'upstream_error'],
] as const

test('a refused poll says nothing about the video, which is polled again', async () => {
  for (const [code, ours] of [...ownFaults, [1042, 'upstream_error'], [2013, 'upstream_error'], [4711, 'upstream_error']] as const) {
    fake.answer(fault(code))
    await assert.rejects(check(), { code: ours }, String(code))
  }
})

test('a review that refused the video ends the task, also when the answer has no state', async () => {
  for (const [code, ours] of [
    [1026, 'request_moderated'],
    [1027, 'content_moderated'],
  ] as const) {
    fake.answer(fault(code))
    const seen = await check()
    assert.deepEqual([seen.state, 'code' in seen && seen.code, 'mayBeCharged' in seen], ['failed', ours, false])
  }
})

test('a finished video without a link may be charged; temporary faults lead to another poll', async () => {
  for (const [code, ours] of [
    [1027, 'content_moderated'],
    [1042, 'upstream_error'],
    [2013, 'upstream_error'],
    [4711, 'upstream_error'],
  ] as const) {
    fake.answer(finished, fault(code))
    const seen = await check()
    assert.deepEqual([seen.state, 'code' in seen && seen.code], ['failed', ours], String(code))
    assert.equal('mayBeCharged' in seen && seen.mayBeCharged, true)
  }
  for (const [code, ours] of ownFaults) {
    fake.answer(finished, fault(code))
    await assert.rejects(check(), { code: ours }, String(code))
  }
})

/** Tests a gateway whose upstream for videos is the videos interface of another gateway. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { fakeVideoDriver, type VideoJob } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'

const jobs: VideoJob[] = []
let upstream: TestGateway
let gateway: TestGateway
before(async () => {
  const models = 'models: [{ id: reel, family: S, targets: [{ driver: reels }] }]'
  upstream = await startTestGateway({ drivers: [fakeVideoDriver('reels', { jobs })], yaml: models })
  const settings = `driver: openai-compatible, base_url: "${upstream.url}/v1", api_key_env: FAR, model: reel`
  gateway = await startTestGateway({
    env: { FAR: testKey },
    yaml: `models:\n  - { id: far, family: S, targets: [{ ${settings} }] }\n  - { id: far-v, family: V, group: "3.1", targets: [{ ${settings} }] }\n`,
  })
})
after(async () => {
  await gateway?.[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

test('a video is requested from another gateway with the same fields', async () => {
  const frame = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#3060c0' } })
    .png()
    .toBuffer()
  const submitted = await sendParts(`${gateway.url}/v1/videos`, [
    ['model', 'far'],
    ['prompt', 'a paper boat'],
    ['size', '1280x720'],
    ['input_reference', frame],
  ])
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body))
  await until(() => jobs.length > 0, 'the job over there')
  const { prompt, width, height, seconds } = jobs[0]!.request
  assert.deepEqual([jobs.length, prompt, width, height, seconds], [1, 'a paper boat', 1280, 720, 4])
  assert.deepEqual(
    jobs[0]!.inputs.map(input => [input.role, input.width, input.height]),
    [['first-frame', 1280, 720]],
  )
})

test("a field that the other gateway's interface lacks is refused at the submit", async () => {
  const body = { model: 'far-v', instances: [{ prompt: 'a boat' }], parameters: { sampleCount: 2, durationSeconds: 4 } }
  const answer = await gateway.call('/v1/ai/default/vidv/videos/generate', { body })
  assert.equal(answer.status, 400)
  assert.match(answer.body.error.detail, /^parameters\.sampleCount: the model reel makes one video per request, not 2\.$/)
})

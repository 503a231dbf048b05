/** Tests family K at the vendor's paths, which begin with `/kling`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeVideoDriver } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

let gateway: TestGateway
before(async () => {
  const yaml = 'models: [{ id: film, family: K, group: V1, targets: [{ driver: film }] }]'
  gateway = await startTestGateway({ yaml, drivers: [fakeVideoDriver('film')] })
})
after(() => gateway[Symbol.asyncDispose]())

test('a video is created and queried at the vendor’s paths', async () => {
  const path = '/kling/v1/videos/text2video'
  const { status, body } = await gateway.call(path, { body: { model_name: 'film', prompt: 'a ferry', external_task_id: 'mine-1' } })
  assert.deepEqual([status, body.code, body.data.task_status], [200, 0, 'submitted'], JSON.stringify(body))
  const ended = await until(async () => {
    const { data } = (await gateway.call(`${path}/${body.data.task_id}`)).body
    return data.task_status === 'succeed' ? data : undefined
  }, 'the video')
  assert.equal((await gateway.call(ended.task_result.videos[0].url, { key: false })).status, 200)
  const byReference = await gateway.call(`${path}/mine-1`)
  assert.equal(byReference.body.data.task_id, body.data.task_id)
  assert.equal((await gateway.call(`/v1/ai/default/vidk/videos/text2video/${body.data.task_id}`)).status, 200)
})

test("all of the vendor's operations exist, and errors have the vendor’s envelope", async () => {
  for (const path of ['videos/text2video', 'videos/image2video', 'videos/video-extend', 'videos/omni-video', 'images/omni-image']) {
    const refused = await gateway.call(`/kling/v1/${path}`, { body: { prompt: 1 } })
    assert.deepEqual([refused.status, refused.body.code], [400, 1201], path)
    const unknown = await gateway.call(`/kling/v1/${path}/none`)
    assert.deepEqual([unknown.status, unknown.body.code], [404, 1203], path)
  }
})

test('OpenAI’s paths are still answered as OpenAI’s', async () => {
  const { status, body } = await gateway.call('/v1/videos/text2video')
  assert.equal(status, 404)
  assert.equal(body.error.type, 'invalid_request_error')
  assert.equal((await gateway.call('/v1/videos/text2video', { body: { prompt: 'a ferry' } })).status, 405)
})

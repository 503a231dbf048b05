/** Tests omni videos that edit a video by a prompt, on the built-in engine. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { realClip } from '../../testing/real-clip.ts'

const path = '/v1/ai/default/vidk/videos/omni-video'
let gateway: TestGateway
let video_url: string
const shelf = createServer()
before(async () => {
  const clip = await realClip({ width: 1280, height: 720, framesPerSecond: 24, frames: 72 })
  shelf.on('request', (_, response) => response.setHeader('content-type', 'video/mp4').end(clip))
  await new Promise<void>(resolve => shelf.listen(0, '127.0.0.1', resolve))
  video_url = `http://127.0.0.1:${Object(shelf.address()).port}/clip.mp4`
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1', GATEWAY_ALLOW_PRIVATE_URLS: '1' } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  shelf.close()
})

const edit = (prompt: string) => gateway.call(path, { body: { prompt, mode: 'std', video_list: [{ video_url }] } })

test('words that contain no possible edit are refused at the submit, with a list of possible edits', async () => {
  for (const prompt of ['hello', 'replace the man with a robot', '让他微笑']) {
    const { status, body } = await edit(prompt)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body.message, /prompt.*says nothing that this engine can change in a video\. It can make a video grey/)
  }
  const { body } = await gateway.call('/v1/tasks')
  assert.deepEqual(body.data ?? body.tasks ?? [], [])
})

test('plain words are followed, and the remaining words are reported', async () => {
  const { status, body } = await edit('crop it to a square, make it grey and give everybody a hat')
  assert.equal(status, 200, JSON.stringify(body))
  const task = await until(async () => {
    const { data } = (await gateway.call(`${path}/${body.data.task_id}`)).body
    return ['succeed', 'failed'].includes(data.task_status) ? data : undefined
  }, 'the end of the task')
  assert.deepEqual([task.task_status, task.task_result.not_followed], ['succeed', ['prompt']], task.task_status_msg)
  assert.equal(task.task_result.videos[0].duration, '3')
})

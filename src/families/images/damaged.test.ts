/** Tests the errors about pictures that cannot be read. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
after(() => gateway[Symbol.asyncDispose]())

const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#204080' } })
  .png()
  .toBuffer()
/** A picture whose header is whole and whose pixels are not. */
const damaged = picture.subarray(0, picture.length - 40)

async function refusal(files: [string, Buffer][]): Promise<{ message: string; param: string | null; code: string }> {
  const form = new FormData()
  form.append('prompt', 'make it red')
  for (const [name, bytes] of files) form.append(name, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png')
  const headers = { authorization: `Bearer ${testKey}` }
  const answer = await fetch(`${gateway.url}/v1/images/edits`, { method: 'POST', headers, body: form })
  const text = await answer.text()
  assert.equal(answer.status, 400, text)
  const { message, param, code } = JSON.parse(text).error
  return { message, param, code }
}

test('an edit with a picture that cannot be decoded names this picture', async () => {
  const code = 'invalid_input_file'
  const says = 'cannot be decoded: it is damaged or cut off.'
  assert.deepEqual(await refusal([['image', damaged]]), { message: `image: it ${says}`, param: 'image', code })
  const second: [string, Buffer][] = [
    ['image[]', picture],
    ['image[]', damaged],
  ]
  assert.deepEqual(await refusal(second), { message: `image: number 2 ${says}`, param: 'image', code })
  const masked: [string, Buffer][] = [
    ['image', picture],
    ['mask', damaged],
  ]
  assert.deepEqual(await refusal(masked), { message: `mask: it ${says}`, param: 'mask', code })
})

test('a video whose first frame cannot be decoded names this frame', async () => {
  const frame = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#204080' } })
    .png()
    .toBuffer()
  const firstFrameImage = `data:image/png;base64,${frame.subarray(0, -40).toString('base64')}`
  const path = '/v1/ai/default/vidh/video'
  const { body } = await gateway.call(`${path}/generate`, { body: { prompt: 'a boat', firstFrameImage } })
  const task = await until(async () => {
    const shown = (await gateway.call(`${path}/task/${body.taskId}`)).body
    return shown.status === 'Fail' ? shown : undefined
  }, 'the failure of the task')
  assert.equal(task.base_resp.status_msg, 'firstFrameImage: it cannot be decoded: it is damaged or cut off.')
})

test('an edit with an empty file names this file', async () => {
  const code = 'invalid_value'
  const accepted = 'jpeg, png, webp, gif, bmp, tiff are accepted.'
  const empty = Buffer.alloc(0)
  assert.deepEqual(await refusal([['image', empty]]), { message: `image[0] is empty; ${accepted}`, param: 'image[0]', code })
  const masked: [string, Buffer][] = [
    ['image', picture],
    ['mask', empty],
  ]
  assert.deepEqual(await refusal(masked), { message: 'mask is empty; png are accepted.', param: 'mask', code })
})

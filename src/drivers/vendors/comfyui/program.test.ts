/** Tests interface F1 on the whole program, with a fake ComfyUI server as the upstream. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { startTestGateway, type TestGateway, type TestOptions } from '../../../testing/gateway.ts'
import { drivers as shipped } from '../../index.ts'
import driver from './driver.ts'
import { apiKey, png, textToImage } from './testing/bench.ts'
import { FakeComfyUi } from './testing/fake-comfyui.ts'

let server: FakeComfyUi
beforeEach(async () => {
  server = new FakeComfyUi()
  await server.listen()
})
afterEach(() => server.close())

function start(options: TestOptions = {}, workflow = textToImage): Promise<TestGateway> {
  const target = `{ driver: comfyui, base_url: "${server.baseUrl}", api_key_env: COMFY_KEY, workflow: "${workflow}" }`
  return startTestGateway({
    drivers: shipped.some(({ id }) => id === 'comfyui') ? [] : [driver],
    yaml: `models:\n  - { id: sd15, family: F1, group: P, targets: [${target}] }\n`,
    ...options,
    env: { COMFY_KEY: apiKey, ...options.env },
  })
}

const path = '/v1/ai/default/imgf/image/generate'
const raw = '{"model":"sd15","prompt":"a cat","width":768,"height":640,"seed":9223372036854775807}'

test('a picture of F1 is drawn by the workflow, with its exact seed, and survives a restart of the gateway', async () => {
  const first = await start()
  const { body, status } = await first.call(path, { raw })
  assert.equal(status, 200, JSON.stringify(body))
  await until(() => server.pending.length === 1, 'the prompt')
  // `looks` returns the requests after the submit. The program polls only after it has saved the
  // handle, so a poll among these requests shows that the handle was saved.
  const looks = () => server.received.slice(server.received.findIndex(request => request.path === '/prompt') + 1)
  await until(() => looks().some(request => request.path.startsWith('/history/')), 'the first look')
  await first.stop()
  server.begin()
  const picture = await png('#208040', 768, 640)
  server.finish({ 9: [{ filename: 'g_00001_.png', bytes: picture }] })
  await using second = await start({ dataDir: first.dataDir })
  const result = await second.result(`/v1/ai/default/imgf/get_result?id=${body.id}`)
  assert.equal(result.status, 'Ready', JSON.stringify(result))
  const sample = Reflect.get(Object(result.result), 'sample')
  const { bytes, headers } = await second.call(sample, { key: false })
  assert.equal(headers.get('content-type'), 'image/jpeg')
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height], [768, 640])
  // The fake server's picture has one colour; its JPEG may differ from that by one step per
  // channel.
  const [red = 0, green = 0, blue = 0] = data
  assert.ok(Math.max(Math.abs(red - 0x20), Math.abs(green - 0x80), Math.abs(blue - 0x40)) <= 1, `${red} ${green} ${blue}`)
  assert.equal(server.requests('/prompt').length, 1)
  assert.match(server.requests('/prompt')[0]?.text ?? '', /"seed":9223372036854775807,/)
})

test('a cancelled task is removed from the queue of the server', async () => {
  await using gateway = await start()
  const { body } = await gateway.call(path, { raw })
  await until(() => server.pending.length === 1, 'the prompt')
  const cancelled = await gateway.call(`/v1/ai/default/imgf/get_result?id=${body.id}`, { method: 'DELETE' })
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
  await until(() => server.pending.length === 0, 'the cancel')
})

test('a missing workflow file is reported in the list of models and in the refusal, until it exists', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'comfyui-program-'))
  const workflow = join(folder, 'later.json')
  await using gateway = await start({}, workflow)
  const reason = 'The workflow file of the driver comfyui cannot be read (ENOENT).'
  const listed = async () => {
    const { body } = await gateway.call('/v1/models')
    return body.data.find((model: { id: string }) => model.id === 'sd15')
  }
  assert.equal((await listed()).unavailable_reason, `sd15 cannot be used now. ${reason}`)
  const refused = await gateway.call(path, { raw })
  assert.equal(refused.status, 503)
  assert.ok(JSON.stringify(refused.body).includes(reason), JSON.stringify(refused.body))
  await copyFile(textToImage, workflow)
  assert.equal((await listed()).available, true)
  assert.equal((await gateway.call(path, { raw })).status, 200)
  await until(() => server.pending.length === 1, 'the prompt')
  await rm(folder, { recursive: true })
})

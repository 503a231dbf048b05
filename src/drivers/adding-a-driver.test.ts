/** Tests docs/adding-a-driver.md by following it step by step: adds the page's files to a copy of
 *  the program, runs their tests there and makes a picture with the new driver. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { type FakeReply, jsonReply, rawReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { type FollowedPage, followPage } from '../testing/followed-page.ts'
import { testKey } from '../testing/gateway.ts'

/** A copy of the program to which the files that docs/adding-a-driver.md shows have been added. */
let page: FollowedPage
before(async () => {
  page = await followPage('adding-a-driver')
})
after(() => page[Symbol.asyncDispose]())

test("the guide changes only the driver's folder and a line in the list", async () => {
  assert.deepEqual(await page.changes(), {
    'src/drivers/index.ts': [2, 0],
    'src/drivers/vendors/acme/driver.test.ts': undefined,
    'src/drivers/vendors/acme/driver.ts': undefined,
  })
})

test('the types of the example driver are right', () => page.assertTypes('src/drivers/index.ts', 'src/drivers/vendors/acme/driver.test.ts'))

test('the tests of the example driver pass', async () => {
  await page.assertTests(['src/drivers/vendors/acme/driver.test.ts'])
})

test('the gateway with the example driver makes a picture', async () => {
  const drawn = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#3366aa' } })
    .png()
    .toBuffer()
  await using running = new AsyncDisposableStack()
  const acme = running.adopt(await startFakeUpstream(), each => each.close())
  const link = acme.baseUrl.replace('/v1', '/files/t1.png')
  let looks = 0
  const answer: FakeReply = (response, request) => {
    if (request.method === 'POST') return jsonReply({ id: 't1' }, 202)(response, request)
    if (request.path === '/files/t1.png') return rawReply(drawn)(response, request)
    return jsonReply(looks++ === 0 ? { state: 'drawing' } : { state: 'ready', url: link })(response, request)
  }
  acme.answer(answer)
  const config = join(page.folder, 'acme.yaml')
  await writeFile(config, page.shown('yaml').replace('https://api.acme.example/v1', acme.baseUrl))
  const program = await page.start({
    GATEWAY_CONFIG: config,
    ACME_KEY: 'sk-acme-0123456789',
    GATEWAY_ENGINE_WORKERS: '0',
    GATEWAY_ALLOW_PRIVATE_URLS: '0',
  })
  running.defer(async () => {
    await program.stop()
  })
  const call = async (url: string, body?: object) => {
    const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
    const answered = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(answered.status, 200, await answered.clone().text())
    return answered
  }
  const body = { model: 'acme-draws', prompt: 'a cat', width: 96, height: 64, seed: 7, output_format: 'png' }
  const { polling_url: poll } = Object(await (await call(`${program.url}/v1/ai/default/imgf/image/generate`, body)).json())
  let task = Object(await (await call(poll)).json())
  for (let tries = 0; task.status === 'Pending' && tries < 600; tries++) {
    await sleep(100)
    task = Object(await (await call(poll)).json())
  }
  assert.equal(task.status, 'Ready', JSON.stringify(task))
  assert.deepEqual(Buffer.from(await (await call(task.result.sample)).arrayBuffer()), drawn)
  const [submit] = acme.received
  assert.deepEqual(submit?.json, { seed: 7, model: 'acme-1', prompt: 'a cat', width: 96, height: 64, style: 'ink' })
  assert.equal(submit?.headers.authorization, 'Bearer sk-acme-0123456789')
})

/** Tests the interface for presentations on the whole program, with AiPPT as the upstream. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeUpstream, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { aipptDriver } from './driver.ts'
import { deck, fileReply, pdf, service } from './testing/service.ts'

const base = '/v1/ai/default/ppt'
let fake: FakeUpstream
let files: FakeUpstream
let gateway: TestGateway
before(async () => {
  ;[fake, files] = await Promise.all([startFakeUpstream(), startFakeUpstream()])
  files.answer(fileReply)
  fake.answer(service(files.baseUrl))
  const target = `{ driver: hasty, base_url: "${fake.baseUrl}", api_key_env: AIPPT_KEY, secret_env: AIPPT_SECRET }`
  gateway = await startTestGateway({
    drivers: [aipptDriver({ id: 'hasty', pollEveryMs: 50 })],
    env: { AIPPT_KEY: 'key-0123456789', AIPPT_SECRET: 'signing-secret-0123' },
    yaml: `models: [{ id: MaaS_Slides, family: slides, price: { slide: 1 }, targets: [${target}] }]`,
  })
})
after(() => Promise.all([gateway[Symbol.asyncDispose](), fake.close(), files.close()]))

test('content, templates and files come from the service, each paid once', { timeout: 180_000 }, async () => {
  const { taskId } = (await gateway.call(`${base}/task`, { body: { type: '1', title: 'Lighthouses' } })).body
  const content = await until(async () => {
    const { body } = await gateway.call(`${base}/task/${taskId}`)
    return body.state === 'writing' ? undefined : body
  }, 'the content')
  assert.deepEqual([content.state, content.slides.length, content.origin], ['ready', 5, undefined], JSON.stringify(content))
  const { list, pagination } = (await gateway.call(`${base}/export/templates?pageNo=2&pageSize=2`)).body
  assert.deepEqual(pagination, { total: 2345, current_page: 2, page_size: 2 })
  assert.deepEqual(list, [{ id: 9, cover_img: `${files.baseUrl}/9.jpeg` }])
  const { exportId } = (await gateway.call(`${base}/export/${taskId}/9`)).body
  const { urls } = await until(async () => {
    const { body } = await gateway.call(`${base}/export/result/${exportId}`)
    return body.error?.code === '1223' ? undefined : body
  }, 'the files')
  const bytes = await Promise.all(urls.map(async (url: string) => (await gateway.call(url, { key: false })).bytes))
  assert.deepEqual(bytes, [deck, pdf])
  const started = fake.received.filter(({ path }) => /\/(v2\/task|v2\/save)$/.test(path))
  assert.equal(started.length, 2)
  // The task is charged for two slides, the number of slides in the deck.
  assert.equal((await gateway.call(`/v1/tasks/${exportId}`)).body.cost, 2)
})

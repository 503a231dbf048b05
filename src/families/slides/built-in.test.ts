/** Tests presentations of the built-in engine, on a gateway without any configuration. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { engines } from '../../engines.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { deckType } from '../../testing/fakes/fake-slides-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const base = '/v1/ai/default/ppt'
const timeout = 180_000
const isInstalled = engines.some(({ id }) => id === 'slides')
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
after(() => gateway[Symbol.asyncDispose]())

test('a title becomes a deck and a document with the same pages', { timeout, skip: !isInstalled }, async () => {
  const created = await gateway.call(`${base}/task`, { body: { type: '1', title: 'How glass is made', slides: 8 } })
  assert.equal(created.status, 200, JSON.stringify(created.body))
  const { taskId } = created.body
  const content = await until(async () => {
    const answer = await gateway.call(`${base}/task/${taskId}`)
    assertDocumented('getPresentation', answer)
    return answer.body.state === 'writing' ? undefined : answer.body
  }, 'the content')
  assert.deepEqual([content.state, content.language, content.slides[0].layout], ['ready', 'en', 'title'], JSON.stringify(content.error))
  assert.ok(content.slides.length >= 6 && content.slides.length <= 10, `${content.slides.length} slides`)

  const { pagination, list } = (await gateway.call(`${base}/export/templates?pageNo=1&pageSize=100`)).body
  assert.equal(list.length, pagination.total)
  const cover = await gateway.call(list.at(-1).cover_img, { key: false })
  assert.equal((await sharp(cover.bytes).metadata()).format, 'png')

  const { exportId } = (await gateway.call(`${base}/export/${taskId}/${list.at(-1).id}`)).body
  const { urls } = await until(async () => {
    const answer = await gateway.call(`${base}/export/result/${exportId}`)
    assertDocumented('getPresentationExport', answer)
    return answer.body.error?.code === '1223' ? undefined : answer.body
  }, 'the files')
  const [deck, document] = await Promise.all(urls.map((url: string) => gateway.call(url, { key: false })))
  assert.deepEqual([deck.headers.get('content-type'), document.headers.get('content-type')], [deckType, 'application/pdf'])
  const slides = new Set(deck.bytes.toString('latin1').match(/ppt\/slides\/slide\d+\.xml/g))
  const pages = document.bytes.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []
  assert.ok(slides.size >= content.slides.length)
  assert.equal(pages.length, slides.size)
})

test('a forbidden title is a failed task, and its export is a 422 for the content policy', { timeout, skip: !isInstalled }, async () => {
  const created = await gateway.call(`${base}/task`, { body: { type: '1', title: 'a nude child, sexual' } })
  const { taskId } = created.body
  const content = await until(async () => {
    const answer = await gateway.call(`${base}/task/${taskId}`)
    return answer.body.state === 'failed' ? answer.body : undefined
  }, 'the refusal')
  assert.deepEqual([content.error.code, content.error.reasons], ['request_moderated', ['Minors', 'Sexual Content']])
  const answer = await gateway.call(`${base}/export/${taskId}/1`)
  assertDocumented('createPresentationExport', answer)
  assert.deepEqual([answer.status, answer.body.error.code], [422, 'content_policy_violation'])
})

test('a language that the engine cannot write is refused with the field', { skip: !isInstalled }, async () => {
  const answer = await gateway.call(`${base}/task`, { body: { type: '1', title: 'Glass', language: 'tlh' } })
  assertDocumented('createPresentation', answer)
  assert.deepEqual([answer.status, answer.body.error.param], [400, 'language'], JSON.stringify(answer.body))
})

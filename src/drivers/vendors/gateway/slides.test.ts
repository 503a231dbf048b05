/** Tests presentations of a gateway whose upstream is another gateway. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import type { SlidesTemplate, SlidesWriteRequest } from '@generation-gateway/kit/requests/slides.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { deckType, fakeSlidesDriver, type RenderJob, type WriteJob, writtenSlides } from '../../../testing/fakes/fake-slides-driver.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { innerKey } from './testing/chain.ts'

const writes: WriteJob[] = []
const renders: RenderJob[] = []
let folder: string
let inner: TestGateway
let outer: TestGateway
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'covers-'))
  const cover = join(folder, 'cover.png')
  await writeFile(cover, onePixelPng)
  const facts = { category: 'business', style: 'plain', colour: { name: 'blue', hex: '#1144aa' }, scenes: ['report'], cover }
  const templates: SlidesTemplate[] = [
    { ...facts, id: 3, name: 'aurora', title: 'Aurora' },
    { ...facts, id: 5, name: 'meadow', title: 'Meadow', style: 'bold' },
  ]
  const engine = fakeSlidesDriver('deckhand', { writes, renders, write: fate, render: fate, templates })
  inner = await startTestGateway({
    env: { GATEWAY_ACCESS_KEY: innerKey },
    drivers: [engine],
    yaml: 'models: [{ id: MaaS_Slides, family: slides, targets: [{ driver: deckhand }] }]',
  })
  const target = (more = '') => `{ driver: gateway, base_url: "${inner.url}", api_key_env: INNER_KEY${more} }`
  outer = await startTestGateway({
    env: { INNER_KEY: innerKey },
    drivers: [fakeSlidesDriver('local')],
    yaml: `models:
  - { id: MaaS_Slides, family: slides, targets: [${target()}] }
  - { id: lost, family: slides, targets: [${target()}] }
  - { id: astray, family: slides, targets: [${target(', model: MaaS_Slides, endpoint: nowhere')}] }
  - { id: mixed, family: slides, targets: [{ driver: local, order: 1 }, ${target(', model: MaaS_Slides, order: 2')}] }
`,
  })
})
after(async () => {
  await outer[Symbol.asyncDispose]()
  await inner[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function fate({ request, signal }: WriteJob | RenderJob): Promise<Failed | undefined> {
  const word = 'template' in request ? `${request.title} export` : request.title
  if (word === 'slow') await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  signal.throwIfAborted()
  if (word === 'moderated' || word === 'late moderated export') return { state: 'failed', code: 'request_moderated', message: 'title: no.' }
  if (word === 'late broken export') return { state: 'failed', code: 'instruction_not_followed', message: 'No.' }
  return undefined
}

const at = '/v1/ai/default/ppt'

async function written(body: object): Promise<{ taskId: string; state: string; [name: string]: unknown }> {
  const created = await outer.call(`${at}/task`, { body: { type: '1', ...body } })
  assert.equal(created.status, 200, JSON.stringify(created.body))
  return until(async () => {
    const seen = (await outer.call(`${at}/task/${created.body.taskId}`)).body
    return seen.state === 'writing' ? undefined : seen
  }, 'the content')
}

async function files(taskId: string, template: number | string) {
  const begun = await outer.call(`${at}/export/${taskId}/${template}`)
  if (begun.status !== 200) return begun
  return until(async () => {
    const answer = await outer.call(`${at}/export/result/${begun.body.exportId}`)
    return answer.body.error?.code === '1223' ? undefined : answer
  }, 'the files')
}

test('content, templates and files are those of the inner gateway, each made once', async () => {
  const requested: SlidesWriteRequest = { title: 'Lighthouses', language: 'en-GB', slides: 6 }
  const { taskId, ...content } = await written(requested)
  assert.deepEqual([content.state, content.language, content.slides], ['ready', 'en-GB', writtenSlides(requested)])
  const { pagination, list } = (await outer.call(`${at}/export/templates?pageNo=1&pageSize=1&style=BOLD`)).body
  const [{ cover_img, ...meadow }] = list
  assert.deepEqual(pagination, { total: 1, current_page: 1, page_size: 1 })
  const blue = { name: 'blue', hex: '#1144aa' }
  assert.deepEqual(meadow, { id: 5, title: 'Meadow', category: 'business', style: 'bold', colour: blue, scenes: ['report'] })
  assert.deepEqual((await outer.call(cover_img, { key: false })).bytes, onePixelPng)
  const { urls } = (await files(taskId, 5)).body
  assert.ok(urls.every((url: string) => url.startsWith(outer.url)))
  const [deck, document] = await Promise.all(urls.map((url: string) => outer.call(url, { key: false })))
  assert.deepEqual([deck.headers.get('content-type'), document.headers.get('content-type')], [deckType, 'application/pdf'])
  assert.equal(deck.bytes.toString(), 'PK\u0003\u0004Lighthouses in meadow')
  assert.deepEqual([writes.length, renders.length], [1, 1])
  const counted = async (gateway: TestGateway) => (await gateway.call('/v1/usage')).body
  assert.ok(JSON.stringify(await counted(outer)).includes('slides'))
})

test('refusals and failures of the inner gateway are reported unchanged', async () => {
  const rendered = async (title: string, template: number) => files((await written({ title })).taskId, template)
  const [moderated, refused, broken, unknown] = await Promise.all([
    written({ title: 'moderated' }),
    rendered('late moderated', 3),
    rendered('late broken', 3),
    rendered('Plain', 99),
  ])
  assert.deepEqual([moderated.state, moderated.error], ['failed', { code: 'request_moderated', message: 'title: no.', reasons: [] }])
  assert.deepEqual([refused.status, refused.body.error.code], [422, 'content_policy_violation'])
  assert.deepEqual([broken.status, broken.body.error.code], [500, 'export_failed'])
  assert.deepEqual([unknown.status, unknown.body.error.message], [500, 'templateId: there is no "99" here.'])
  const lost = await outer.call(`${at}/export/templates?pageNo=1&pageSize=1&model=lost`)
  assert.deepEqual(
    [lost.status, lost.body.error.message],
    [503, 'The other gateway has no model lost for this key; see model and api_key_env of the target.'],
  )
  const astray = await outer.call(`${at}/export/templates?pageNo=1&pageSize=1&model=astray`)
  assert.match(astray.body.error.message, /has no endpoint nowhere/)
})

test('content is sent to a target that can render it', async () => {
  const { taskId } = await written({ title: 'Here', model: 'mixed' })
  const before = renders.length
  assert.equal((await files(taskId, 3)).status, 200)
  assert.equal(renders.length, before)
})

test('a task that is cancelled stops at the inner gateway', async () => {
  const { taskId } = (await outer.call(`${at}/task`, { body: { type: '1', title: 'slow' } })).body
  await until(() => writes.some(({ request }) => request.title === 'slow'), 'the job there')
  await until(async () => (await outer.call(`/v1/tasks?family=slides&state=running&limit=1`)).body.data.length === 1, 'the run')
  assert.equal((await outer.call(`${at}/task/${taskId}`, { method: 'DELETE' })).status, 200)
  const states = async (gateway: TestGateway) =>
    (await gateway.admin('/admin/tasks')).body.tasks.map(({ state }: { state: string }) => state)
  await until(async () => (await states(inner)).includes('cancelled'), 'the end there')
  await until(async () => (await states(outer)).includes('cancelled'), 'the end here')
})

/** Tests presentations on the running program (docs/interface/text.md#presentations), with an
 *  engine of the test's own that writes and renders. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import type { SlidesTemplate } from '@generation-gateway/kit/requests/slides.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { hourMs } from '@generation-gateway/kit/units.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { deckType, fakeSlidesDriver, type RenderJob, type WriteJob, writtenSlides } from '../../testing/fakes/fake-slides-driver.ts'
import { type CallOptions, startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'

const base = '/v1/ai/default/ppt'
const other = 'sk-other-account-000001'
const writes: WriteJob[] = []
const renders: RenderJob[] = []
const mayGoOn = new Map<string, PromiseWithResolvers<void>>()
let offsetMs = 0
let folder: string
let gateway: TestGateway

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'covers-'))
  const cover = join(folder, 'cover.png')
  await writeFile(cover, onePixelPng)
  const engine = fakeSlidesDriver('deckhand', { writes, renders, write: refused, render: refused, templates: templatesWith(cover) })
  const sparse = fakeSlidesDriver('sparse')
  const yaml = `
accounts:
  - { id: default, endpoints: [{ name: default }, { name: second }] }
  - { id: other, keys: [{ name: other, secret_env: OTHER }], endpoints: [{ name: default }] }
models:
  - { id: MaaS_Slides, family: slides, price: { slide: 2 }, targets: [{ driver: deckhand }] }
  - { id: plain, family: slides, targets: [{ driver: sparse }] }
`
  gateway = await startTestGateway({ yaml, drivers: [engine, sparse], env: { OTHER: other }, clock: { now: () => Date.now() + offsetMs } })
})
after(async () => {
  for (const { resolve } of mayGoOn.values()) resolve()
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

function templatesWith(cover: string): SlidesTemplate[] {
  const facts = { category: 'business', style: 'plain', colour: { name: 'blue', hex: '#1144aa' }, scenes: ['report'], cover }
  return [
    { ...facts, id: 12, name: 'harbour', title: 'Harbour' },
    { ...facts, id: 3, name: 'aurora', title: 'Aurora', style: 'Bold', scenes: ['pitch', 'report'], category: 'education' },
    { ...facts, id: 7, name: 'meadow', title: 'Meadow', colour: { name: 'green', hex: '#22aa44' } },
  ]
}

/** Returns the failure that the title or the template of the request selects; undefined when
 *  they select none. */
async function refused({ request, signal }: WriteJob | RenderJob): Promise<Failed | undefined> {
  const word = 'template' in request ? `${request.title} export` : request.title
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  await Promise.race([mayGoOn.get(word)?.promise, stopped])
  signal.throwIfAborted()
  if (/^(moderated|late moderated export)/.test(word))
    return { state: 'failed', code: 'request_moderated', message: 'title: not that.', reasons: ['violence'] }
  if (/^(broken|late broken export)/.test(word)) return { state: 'failed', code: 'instruction_not_followed', message: 'No words came.' }
  return undefined
}

const send = (path: string, options: CallOptions = {}) => gateway.call(path.startsWith('/') ? path : `${base}/${path}`, options)

async function create(title: string, further: object = {}): Promise<string> {
  const answer = await send('task', { body: { type: '1', title, ...further } })
  assertDocumented('createPresentation', answer)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(answer.body.message, 'success')
  assert.match(answer.body.taskId, /^[1-9][0-9]{6,11}$/)
  return answer.body.taskId
}

async function show(taskId: string, options: CallOptions = {}) {
  const answer = await send(`task/${taskId}`, options)
  assertDocumented('getPresentation', answer)
  return answer
}

async function written(title: string, further: object = {}): Promise<string> {
  const taskId = await create(title, further)
  await until(async () => ((await show(taskId)).body.state === 'writing' ? undefined : true), 'the content')
  return taskId
}

async function startExport(taskId: string, templateId: number | string, options: CallOptions = {}) {
  const answer = await send(`export/${taskId}/${templateId}`, options)
  assertDocumented('createPresentationExport', answer)
  return answer
}

async function filesOf(exportId: string, options: CallOptions = {}) {
  const answer = await send(`export/result/${exportId}`, options)
  assertDocumented('getPresentationExport', answer)
  return answer
}

async function ended(exportId: string) {
  return until(async () => {
    const answer = await filesOf(exportId)
    return answer.body.error?.code === '1223' ? undefined : answer
  }, 'the files')
}

/** Returns status, code, and the headers that say when to retry. */
function refusal(answer: Awaited<ReturnType<typeof send>>) {
  const { code, message } = answer.body.error
  assert.ok(typeof code === 'string' && typeof message === 'string')
  return [answer.status, code, answer.headers.get('retry-after'), answer.headers.get('x-should-retry')]
}

test('the content is written, and files are made of it with a template', async () => {
  const title = 'How lighthouses were lit'
  mayGoOn.set(title, Promise.withResolvers())
  mayGoOn.set(`${title} export`, Promise.withResolvers())
  const taskId = await create(`  ${title} `, { language: 'en-GB', slides: 5 })
  const { expires_at: _never, ...writing } = (await show(taskId)).body
  assert.deepEqual(writing, { taskId, state: 'writing', progress: 0, title })
  const early = await startExport(taskId, 12)
  assert.deepEqual(refusal(early), [409, '1222', '5', 'false'])
  assert.match(early.body.error.message, /not ready/)
  mayGoOn.get(title)?.resolve()
  const { expires_at, ...ready } = await until(async () => {
    const { body } = await show(taskId)
    return body.state === 'ready' ? body : undefined
  }, 'the content')
  const slides = writtenSlides({ title, slides: 5 })
  assert.deepEqual(ready, { taskId, state: 'ready', progress: 100, title, language: 'en-GB', slides })
  assert.ok(Math.abs(expires_at * 1000 - (Date.now() + offsetMs + hourMs)) < 60_000)

  const begun = await startExport(taskId, 12)
  assert.deepEqual([begun.status, begun.headers.get('cache-control')], [200, 'no-store'])
  const { exportId } = begun.body
  const busy = await filesOf(exportId)
  assert.deepEqual(refusal(busy), [409, '1223', '5', 'false'])
  assert.match(busy.body.error.message, /in progress; try again later/)
  mayGoOn.get(`${title} export`)?.resolve()
  const { urls } = (await ended(exportId)).body
  const [deck, document] = await Promise.all(urls.map((url: string) => send(url.slice(gateway.url.length), { key: false })))
  assert.deepEqual([deck.headers.get('content-type'), document.headers.get('content-type')], [deckType, 'application/pdf'])
  assert.equal(deck.bytes.toString(), `PK\u0003\u0004${title} in harbour`)
  assert.deepEqual(renders.at(-1)?.request.slides, slides)
  assert.deepEqual(writes.at(-1)?.request, { title, language: 'en-GB', slides: 5 })
  // A repeat finds the same export; another template makes a new one.
  assert.equal((await startExport(taskId, 12)).body.exportId, exportId)
  assert.notEqual((await startExport(taskId, 3)).body.exportId, exportId)
  const elsewhere = (await startExport(taskId, '12?model=plain')).body.exportId
  assert.equal((await ended(elsewhere)).status, 200)
  assert.equal((await send(`/v1/tasks/${elsewhere}`)).body.model, 'plain')
  const tasks = (await send('/v1/tasks?family=slides')).body.data
  const { cost } = (await send(`/v1/tasks/${exportId}`)).body
  assert.deepEqual([tasks.length, cost], [4, 10])
})

test('a task can be created with every form encoding, and at both paths', async () => {
  const answers = [
    await sendParts(`${gateway.url}${base}/task`, [
      ['type', '1'],
      ['title', 'Sent as parts'],
      ['slides', '6'],
    ]),
    await send('task', { raw: 'type=1&title=Sent+as+a+form', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    await send('/default/ppt/task', { body: { type: '1', title: 'At the other path' } }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  for (const { body: each } of answers)
    await until(async () => (await send(`/default/ppt/task/${each.taskId}`)).body.state === 'ready', 'the content')
  const requested = writes.map(({ request }) => request)
  assert.ok(requested.some(({ title, slides }) => title === 'Sent as parts' && slides === 6))
  const repeated = { body: { type: '1', title: 'Once' }, headers: { 'idempotency-key': 'once' } }
  const [first, again] = [await send('task', repeated), await send('task', repeated)]
  assert.equal(first.body.taskId, again.body.taskId)
  assert.notEqual(await create('Once'), first.body.taskId)
})

test('fields outside of their limits are refused with the field', async () => {
  const cases: [body: object, param: string][] = [
    [{ type: '1' }, 'title'],
    [{ title: 'x' }, 'type'],
    [{ type: '7', title: 'x' }, 'type'],
    [{ type: '1', title: ' \n' }, 'title'],
    [{ type: '1', title: 'x'.repeat(201) }, 'title'],
    [{ type: '1', title: 'x', slides: 3 }, 'slides'],
    [{ type: '1', title: 'x', slides: 41 }, 'slides'],
    [{ type: '1', title: 'x', language: 'English!' }, 'language'],
  ]
  for (const [body, param] of cases) {
    const answer = await send('task', { body })
    assertDocumented('createPresentation', answer)
    assert.deepEqual([answer.status, answer.body.error.param], [400, param], JSON.stringify(answer.body))
  }
  await create('y'.repeat(200), { slides: 40 })
})

test('templates are listed in pages, by id, and by search', async () => {
  const list = async (query: string) => {
    const answer = await send(`export/templates?${query}`)
    assertDocumented('listPresentationTemplates', answer)
    return answer
  }
  const first = (await list('pageNo=1&pageSize=2')).body
  assert.deepEqual(first.pagination, { total: 3, current_page: 1, page_size: 2 })
  const { cover_img, ...aurora } = first.list[0]
  const blue = { name: 'blue', hex: '#1144aa' }
  assert.deepEqual(aurora, { id: 3, title: 'Aurora', category: 'education', style: 'Bold', colour: blue, scenes: ['pitch', 'report'] })
  const ids = async (query: string) => (await list(query)).body.list.map(({ id }: { id: number }) => id)
  assert.deepEqual(await ids('pageNo=1&pageSize=100'), [3, 7, 12])
  assert.deepEqual(await ids('pageNo=2&pageSize=2'), [12])
  assert.deepEqual(await ids('pageNo=3&pageSize=2'), [])
  assert.deepEqual(await ids('pageNo=1&pageSize=9&style=bold'), [3])
  assert.deepEqual(await ids('pageNo=1&pageSize=9&colour=%2322AA44'), [7])
  assert.deepEqual(await ids('pageNo=1&pageSize=9&colour=blue&scene=Report&category=business'), [12])
  assert.deepEqual(await ids('pageNo=1&pageSize=9&model=plain'), [])
  for (const query of [
    'pageNo=0&pageSize=1',
    'pageNo=1&pageSize=0',
    'pageNo=1&pageSize=101',
    'pageSize=1',
    'pageNo=1',
    'pageNo=a&pageSize=1',
  ])
    assert.equal((await list(query)).status, 400, query)

  const picture = await send(cover_img.slice(gateway.url.length), { key: false })
  assert.deepEqual([picture.status, picture.headers.get('content-type'), picture.bytes], [200, 'image/png', onePixelPng])
  assert.equal((await list('pageNo=1&pageSize=1')).body.list[0].cover_img, cover_img)
  assert.equal((await send(cover_img.slice(gateway.url.length).replace('/3?', '/7?'), { key: false })).status, 403)
  assert.equal((await send(cover_img.slice(gateway.url.length).split('?')[0] ?? '')).status, 403)
})

test('a task or export that is unknown, or of another account or endpoint, is not found', async () => {
  const taskId = await written('Mine alone')
  const { exportId } = (await startExport(taskId, 3)).body
  await ended(exportId)
  const theirs = { key: other }
  for (const answer of [await startExport('1234567', 3), await startExport(taskId, 3, theirs), await startExport(exportId, 3)]) {
    assert.deepEqual(refusal(answer).slice(0, 2), [404, '1222'])
    assert.match(answer.body.error.message, /There is no task|does not exist/)
  }
  assert.equal((await send(`/v1/ai/second/ppt/export/${taskId}/3`)).body.error.code, '1222')
  assert.deepEqual(refusal(await show(taskId, theirs)).slice(0, 2), [404, '1222'])
  for (const answer of [await filesOf('nothing'), await filesOf(exportId, theirs), await filesOf(taskId)])
    assert.deepEqual(refusal(answer).slice(0, 2), [404, 'export_not_found'])
  for (const template of ['4', '0', 'harbour', '3.0', '99999999999999999999'])
    assert.deepEqual(refusal(await startExport(taskId, template)).slice(0, 2), [404, 'template_not_found'])
  assert.equal((await filesOf(exportId, { key: false })).status, 401)
  // A GET creates no export.
  const url = `${gateway.url}${base}/export/${taskId}/12`
  const headers = { authorization: `Bearer ${testKey}` }
  const before = renders.length
  assert.equal((await fetch(url, { method: 'HEAD', headers })).status, 405)
  for (const purpose of ['purpose', 'sec-purpose'])
    assert.equal((await startExport(taskId, 12, { headers: { [purpose]: 'prefetch' } })).status, 400)
  assert.equal(renders.length, before)
})

test('exports with two templates and the same Idempotency-Key are two exports', async () => {
  const taskId = await written('Keyed')
  const headers = { 'idempotency-key': 'same' }
  const [one, two] = [await startExport(taskId, 3, { headers }), await startExport(taskId, 7, { headers })]
  assert.deepEqual([one.status, two.status, one.body.exportId === two.body.exportId], [200, 200, false])
})

test('many simultaneous calls for one export make one export', async () => {
  const taskId = await written('At once')
  const before = renders.length
  const answers = await Promise.all(Array.from({ length: 8 }, () => startExport(taskId, 7)))
  const ids = new Set(answers.map(({ body }) => body.exportId))
  assert.equal(ids.size, 1)
  await ended(answers[0]?.body.exportId)
  assert.equal(renders.length, before + 1)
})

test('a failed, refused or cancelled export has its reason, and the export can be tried again', async () => {
  const broken = await written('broken title')
  const { state, error } = (await show(broken)).body
  assert.deepEqual([state, error], ['failed', { code: 'instruction_not_followed', message: 'No words came.', reasons: [] }])
  assert.deepEqual(refusal(await startExport(broken, 3)), [422, 'generation_failed', null, 'false'])
  const moderated = await startExport(await written('moderated title'), 3)
  assert.deepEqual(refusal(moderated).slice(0, 2), [422, 'content_policy_violation'])
  assert.equal(moderated.body.error.message, 'title: not that.')

  const late = await written('late broken')
  const first = (await startExport(late, 3)).body.exportId
  assert.deepEqual(refusal(await ended(first)), [500, 'export_failed', null, 'false'])
  const second = (await startExport(late, 3)).body.exportId
  assert.notEqual(second, first)
  assert.equal((await ended(second)).status, 500)
  const kept = (await startExport(await written('late moderated'), 3)).body.exportId
  assert.deepEqual(refusal(await ended(kept)).slice(0, 2), [422, 'content_policy_violation'])

  mayGoOn.set('stopped', Promise.withResolvers())
  const stopped = await create('stopped')
  assert.equal((await send(`task/${stopped}`, { method: 'DELETE' })).status, 200)
  await until(async () => (await show(stopped)).body.state === 'cancelled', 'the end')
  assert.deepEqual(refusal(await startExport(stopped, 3)).slice(0, 2), [422, 'generation_failed'])
  const history = await send(`task/${stopped}/events`)
  assert.match(history.bytes.toString(), /event: task\.cancelled/)
})

test('content can be exported for an hour, and files can be downloaded for a day', async () => {
  const taskId = await written('An hour')
  const { exportId } = (await startExport(taskId, 3)).body
  const { urls } = (await ended(exportId)).body
  mayGoOn.set('never ready', Promise.withResolvers())
  const slow = await create('never ready')
  offsetMs += hourMs - 60_000
  assert.equal((await startExport(taskId, 7)).status, 200)
  offsetMs += 120_000
  for (const answer of [await startExport(taskId, 3), await startExport(taskId, 12), await show(taskId)]) {
    assert.deepEqual(refusal(answer).slice(0, 2), [404, '1222'])
    assert.match(answer.body.error.message, /does not exist/)
  }
  // The writing of the content takes half an hour, and it can be exported for an hour after that.
  assert.notEqual((await startExport(slow, 3)).status, 404)
  assert.equal((await filesOf(exportId)).status, 200)
  offsetMs += hourMs
  assert.deepEqual(refusal(await startExport(slow, 3)).slice(0, 2), [404, '1222'])
  offsetMs += 21 * hourMs
  const fresh = await filesOf(exportId)
  assert.notEqual(fresh.body.urls[0], urls[0])
  offsetMs += 2 * hourMs
  assert.equal((await send(urls[0].slice(gateway.url.length), { key: false })).status, 410)
  assert.deepEqual(refusal(await filesOf(exportId)).slice(0, 2), [404, 'export_not_found'])
})

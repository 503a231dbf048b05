import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Done, Job } from '@generation-gateway/kit/requests/job.ts'
import type { SlidesRenderRequest, SlidesWriteRequest } from '@generation-gateway/kit/requests/slides.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import {
  type FakeReply,
  type FakeUpstream,
  hangingReply,
  jsonReply,
  rawReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { driverSuite } from '../../suite/suite.ts'
import aippt from './driver.ts'
import { slidesOf } from './outline.ts'
import { bad, deck, fileReply, good, outline, pdf, service, token } from './testing/service.ts'

const settings = (base_url: string, api_key: string) => ({ base_url, api_key, secret: 'signing-secret-0123', uid: 'u1', channel: 'c1' })
const write: SlidesWriteRequest = { title: 'Lighthouses' }
const slides = slidesOf(outline.join(''), 'x')
/** Test data for presentations that the suite's first host writes and renders. */
const shared = {
  driver: aippt,
  settings,
  hanging: hangingReply(['never ending']),
  refusal: (status: number, message: string, headers: Record<string, string>) => jsonReply({ code: status, message }, status, headers),
  relays: { leftOut: 'the vendor speaks neither chat nor responses' },
}

driverSuite('AiPPT, content', {
  ...shared,
  capability: 'slides.write',
  request: write,
  good: (_baseUrl, otherBaseUrl) => [service(otherBaseUrl)],
  check: ({ report, usage }: Done) => {
    const { origin, ...told } = report
    assert.deepEqual(told, { title: 'Lighthouses', language: 'und', slides })
    assert.match(JSON.stringify(origin), /^\{"service":"http:\/\/127\.0\.0\.1:\d+\/v1#u1","id":"8924627"\}$/)
    assert.deepEqual(usage, [{ unit: 'slides', units: 5 }])
  },
  failed: { replies: [service('', { '/ai/chat/v2/task': [bad(12101)] })], code: 'request_moderated' },
  polled: { isStart: ({ method, path }) => method === 'POST' && path.endsWith('/ai/chat/v2/task') },
  outputs: { leftOut: 'content is no file' },
})

let fake: FakeUpstream
let other: FakeUpstream
let folder: string
before(async () => {
  ;[fake, other, folder] = await Promise.all([startFakeUpstream(), startFakeUpstream(), mkdtemp(join(tmpdir(), 'aippt-'))])
  other.answer(fileReply)
})
after(() => Promise.all([fake.close(), other.close(), rm(folder, { recursive: true })]))

const originOf = (baseUrl: string) => ({ service: `${baseUrl}#u1`, id: '8924627' })

function jobOf<Request>(request: Request, changes: Partial<Job<Request>> = {}): Job<Request> {
  const given: JsonObject = settings(fake.baseUrl, 'key-0123456789')
  const common = { id: 'j', inputs: [], scratch: folder, model: 'm', attempt: 1, progress: () => {}, signal: new AbortController().signal }
  return { ...common, request, settings: given, ...changes }
}

const render = (changes: Partial<SlidesRenderRequest> = {}): SlidesRenderRequest => {
  return { title: 'Lighthouses', language: 'en', slides, template: '9', origin: originOf(fake.baseUrl), ...changes }
}

/** Returns a driver for one test, with its offers and the requests that the service received. */
function opened(changes: Record<string, FakeReply[]> = {}) {
  fake.answer(service(other.baseUrl, changes))
  fake.received.length = 0
  const driver = aippt.open(driverTools({ allowPrivateUrls: true }))
  const [writing, rendering] = [driver.offers['slides.write'], driver.offers['slides.render']]
  assert.ok(writing?.kind === 'polled' && rendering?.kind === 'polled')
  return { driver, writing, rendering, [Symbol.asyncDispose]: async () => driver.close?.() }
}

async function renderedBy(rendering: Awaited<ReturnType<typeof opened>>['rendering'], request = render()) {
  const job = jobOf(request)
  const started = await rendering.start(job)
  if (started.state !== 'started') return started
  for (let looks = 0; looks < 20; looks++) {
    const seen = await rendering.check(job, JSON.parse(JSON.stringify(started.handle)))
    if (seen.state !== 'running') return seen
  }
  throw new Error('it was still running')
}

const paths = () => fake.received.map(({ path }) => path.replace(/^\/v1/, '').replace(/\?.*/, ''))

test('content is saved in the template and exported as PPTX and PDF', async () => {
  await using bench = opened()
  const outcome = await renderedBy(bench.rendering)
  assert.ok(outcome.state === 'done')
  const [first, second] = outcome.files
  assert.deepEqual([first?.role, second?.role, outcome.report], ['deck', 'document', { slides: 2 }])
  assert.deepEqual([await readFile(first?.path ?? ''), await readFile(second?.path ?? '')], [deck, pdf])
  const [grant, save, ask] = fake.received
  const timestamp = String(grant?.headers['x-timestamp'])
  const signature = createHmac('sha1', 'signing-secret-0123').update(`GET@/api/grant/token/@${timestamp}`).digest('base64')
  assert.deepEqual([grant?.path, grant?.headers['x-signature']], ['/v1/grant/token?uid=u1&channel=c1', signature])
  assert.deepEqual([save?.headers['x-token'], save?.headers['x-channel'], save?.headers['x-api-key']], [token, 'c1', 'key-0123456789'])
  for (const [name, value] of Object.entries({ task_id: '8924627', template_id: '9', name: 'Lighthouses' }))
    assert.ok(save?.body.toString().includes(`name="${name}"\r\n\r\n${value}\r\n`))
  assert.match(ask?.body.toString() ?? '', /name="format"\r\n\r\nppt/)
  assert.ok(!JSON.stringify(other.received.map(({ headers }) => headers)).includes(token))
  // The same token is used for all of these requests and for those of the next job.
  await renderedBy(bench.rendering)
  assert.equal(paths().filter(path => path === '/grant/token').length, 1)
})

test('an expired token is renewed once, also for a paid request', async () => {
  await using bench = opened({ '/design/v2/save': [bad(43101), good({ id: '78' })] })
  assert.equal((await renderedBy(bench.rendering)).state, 'done')
  assert.deepEqual(paths().slice(0, 4), ['/grant/token', '/design/v2/save', '/grant/token', '/design/v2/save'])
  await using stale = opened({ '/design/v2/save': [bad(43101)] })
  await assert.rejects(renderedBy(stale.rendering), { code: 'upstream_auth_error' })
})

test('a full queue is waited for, and a lost export is repeated', async () => {
  await using bench = opened()
  const serve = service(other.baseUrl, { '/download/export/file': [bad(20003), good('key-document'), good('gone'), good('key-deck')] })
  fake.answer((response, request) => {
    const isGone = request.path.endsWith('/result') && request.body.includes('gone')
    return (isGone ? bad(20001) : serve)(response, request)
  })
  assert.equal((await renderedBy(bench.rendering)).state, 'done')
  assert.equal(paths().filter(path => path === '/download/export/file').length, 4)
})

test('a third lost export is repeated; after a fourth the run fails, with its possible cost as an open line', async () => {
  for (const lost of [3, 4]) {
    await using bench = opened()
    let left = lost
    const serve = service(other.baseUrl, { '/download/export/file': [good('key-deck')] })
    fake.answer((response, request) => (request.path.endsWith('/result') && left-- > 0 ? bad(20001) : serve)(response, request))
    const outcome = await renderedBy(bench.rendering, render({ outputs: ['deck'] }))
    if (lost === 3) assert.equal(outcome.state, 'done')
    else assert.deepEqual(outcome, failedAfterPay('upstream_error', 'AiPPT loses its exports.'))
    assert.equal(paths().filter(path => path === '/download/export/file').length, 4)
  }
})

test('an expired link is requested again three times, and no more', async () => {
  await using bench = opened({ '/download/export/file': [good('key-deck')] })
  other.answer(rawReply('gone', 404))
  try {
    await assert.rejects(renderedBy(bench.rendering, render({ outputs: ['deck'] })), { code: 'upstream_error' })
  } finally {
    other.answer(fileReply)
  }
  assert.equal(paths().filter(path => path === '/download/export/file').length, 4)
})

test('content that the service has not written, and templates without a number, are refused before anything is sent', async () => {
  await using bench = opened()
  const refusalOf = (request: SlidesRenderRequest) => bench.rendering.refuses?.(jobOf(request))?.field
  const { origin: _none, ...foreign } = render()
  const cases = [foreign, render({ origin: { service: 'https://elsewhere.example#u1', id: '1' } }), render({ template: 'harbour' })]
  assert.deepEqual([...cases.map(refusalOf), refusalOf(render())], ['slides', 'slides', 'template', undefined])
})

test('a paid request of unknown fate is reported as such, and each code by its meaning', async () => {
  const cut: FakeReply = response => void response.socket?.resetAndDestroy()
  const starts: [path: string, reply: FakeReply, code: string][] = [
    ['/ai/chat/v2/task', cut, 'outcome_unknown'],
    ['/ai/chat/v2/task', jsonReply({}, 504), 'outcome_unknown'],
    ['/ai/chat/v2/task', jsonReply({ code: 0, data: { id: 1 }, msg: 'x'.repeat(64 * 1024) }), 'outcome_unknown'],
    ['/ai/chat/v2/task', bad(40007), 'upstream_quota_exhausted'],
    ['/ai/chat/v2/task', bad(43102), 'upstream_auth_error'],
    ['/ai/chat/v2/task', bad(50000), 'upstream_error'],
    ['/grant/token', bad(43102), 'upstream_auth_error'],
    ['/grant/token', jsonReply({ code: 0, data: { token }, msg: 'x'.repeat(4 * 1024 * 1024) }), 'upstream_error'],
  ]
  for (const [path, reply, code] of starts) {
    await using bench = opened({ [path]: [reply] })
    await assert.rejects(bench.writing.start(jobOf(write)), { code })
  }
  await using wordy = opened({ '/grant/token': [jsonReply({ code: 0, data: { token }, msg: 'x'.repeat(2 * 1024 * 1024) })] })
  assert.equal((await wordy.writing.start(jobOf(write))).state, 'started')
  await using bench = opened({ '/design/v2/save': [cut] })
  await assert.rejects(renderedBy(bench.rendering), { code: 'outcome_unknown' })
  await using barred = opened({ '/design/v2/save': [bad(30001)] })
  await assert.rejects(renderedBy(barred.rendering), { code: 'upstream_auth_error' })
  await using missing = opened({ '/design/v2/save': [bad(12102)] })
  assert.equal((await renderedBy(missing.rendering)).state, 'failed')
})

test('content that fails reports this, and what the service does not follow is reported', async () => {
  const ends = async (changes: Record<string, FakeReply[]>, request: SlidesWriteRequest = write) => {
    await using bench = opened(changes)
    const job = jobOf(request)
    const started = await bench.writing.start(job)
    assert.ok(started.state === 'started')
    for (;;) {
      const seen = await bench.writing.check(job, started.handle)
      if (seen.state !== 'running') return seen
    }
  }
  const moderated = await ends({ '/ai/chat/v2/content': [bad(12101)] })
  assert.deepEqual([moderated.state, 'code' in moderated && moderated.code], ['failed', 'request_moderated'])
  for (const check of [bad(12100), bad(12102), good({ status: 3 })])
    assert.equal((await ends({ '/ai/chat/v2/content/check': [check] })).state, 'failed')
  const markdown = '# Titel\n## Teil\n- Eins\n'
  const done = await ends(
    { '/ai/chat/v2/content/check': [good({ status: 2, content: markdown })] },
    { ...write, language: 'de', slides: 9 },
  )
  assert.ok(done.state === 'done')
  assert.deepEqual([done.report.title, done.report.language], ['Titel', 'de'])
  assert.equal(done.report.comment, 'AiPPT chooses the language and the number of slides by itself.')
})

test('templates are those of the page, with the numbers of the service', async () => {
  await using bench = opened()
  const ask = (query: object) =>
    bench.driver.templates?.({
      query: { page: 2, pageSize: 2, ...query },
      model: 'm',
      settings: jobOf(write).settings,
      signal: jobOf(write).signal,
    })
  assert.deepEqual(await ask({ style: '3', scene: '4' }), { total: 2345, list: [{ id: 9, name: '9', cover: `${other.baseUrl}/9.jpeg` }] })
  assert.equal(fake.received.at(-1)?.path, '/v1/template_component/suit/search?page=2&page_size=2&style_id=3&scene_id=4')
  await assert.rejects(async () => ask({ colour: 'blue' }), { code: 'invalid_request', field: 'colour' })
})

test('headings and lists of the outline become slides', () => {
  const { layout, title, points } = slides[2] ?? {}
  assert.deepEqual([layout, title, points], ['points', 'Wood', ['Logs', 'Tar']])
  assert.deepEqual(
    slides.map(each => each.layout),
    ['title', 'section', 'points', 'points', 'points'],
  )
  assert.deepEqual(slidesOf('no heading', 'Kept'), [{ layout: 'title', title: 'Kept', points: [] }])
})

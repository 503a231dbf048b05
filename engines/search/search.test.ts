/** The search engine, called through its driver interface, with feeds from a local server. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type OpenEngine, openEngine } from '@generation-gateway/kit/open-engine.ts'
import type {
  SearchKeywordRequest,
  SearchKeywordResult,
  SearchTopResult,
  SearchVerticalResult,
} from '@generation-gateway/kit/requests/search.ts'
import engineSpec from './driver.ts'
import { readFeed as readWhole } from './feeds.ts'
import { importCommand } from './import.ts'
import { IndexStore } from './index-store.ts'
import { countOf } from './numbers.ts'
import { addSample } from './sample.ts'
import { feedsOf } from './sources.ts'

const readFeed = (text: string) => readWhole(text).items

interface Served {
  status?: number
  body: string
  /** The server waits for this before it answers. */
  after?: Promise<void>
}

let folder: string
let engine: OpenEngine
let server: Server
let base: string
const pages = new Map<string, Served>()
const requested: { path: string; headers: Record<string, unknown> }[] = []
const said: string[] = []

before(async () => {
  server = createServer(async (request, response) => {
    requested.push({ path: request.url ?? '', headers: request.headers })
    const { status = 200, body, after } = pages.get(request.url ?? '') ?? { status: 404, body: '' }
    await after
    response.writeHead(status).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(async () => {
  await engine?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
  folder = await mkdtemp(join(tmpdir(), 'search-test-'))
  engine = openEngine(engineSpec, { folder, cores: 1, onLog: message => said.push(message) })
  pages.clear()
  requested.length = 0
})
after(async () => {
  await engine.close()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

async function keyword(request: Partial<SearchKeywordRequest>, settings: JsonObject = {}): Promise<SearchKeywordResult> {
  const { report } = await engine.run('search.keyword', { keyword: 'tea', page: 1, pageSize: 10, ...request }, { settings })
  return report as SearchKeywordResult
}

async function top(list: number, settings: JsonObject = {}): Promise<SearchTopResult> {
  return (await engine.run('search.top', { list }, { settings })).report as SearchTopResult
}

async function failure(work: Promise<unknown>): Promise<GatewayError> {
  const error = await work.then(
    value => assert.fail(`done: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof GatewayError, String(error))
  return error
}

async function importLines(records: object[], args: string[] = []): Promise<string> {
  const file = join(folder, 'records.jsonl')
  await writeFile(file, records.map(record => JSON.stringify(record)).join('\n'))
  return runImport([file, ...args])
}

async function runImport(args: string[]): Promise<string> {
  const printed: string[] = []
  await importCommand.run(args, { dataDirectory: join(folder, 'kept'), print: text => printed.push(text) })
  return printed.join('\n')
}

const titles = ({ records }: { records: { title: string }[] }): string[] => records.map(({ title }) => title)
const day = 86_400_000
const ago = (days: number): number => Date.now() - days * day

test('the sample records are found first, are marked as a sample, and are removed by the first import', async () => {
  const { records, total } = await keyword({ keyword: 'green tea' })
  assert.equal(total, 3)
  assert.ok(records.every(({ title }) => title.startsWith('[Sample] ')))
  assert.equal((await top(14)).entries.length, 20)
  assert.match(await importLines([{ title: 'Green tea at noon', url: 'https://example.org/1', platform: 'blog' }]), /: 1 records$/)
  assert.deepEqual(titles(await keyword({ keyword: 'green tea' })), ['Green tea at noon'])
  const gone = await failure(top(14))
  assert.equal(gone.code, 'capability_unavailable')
  assert.match(gone.message, /no source for hot list 14: search\.sources .* none with code 14.*gateway search import/)
})

test('the sample has records in every time range, and none in the future', () => {
  using store = new IndexStore(join(folder, 'kept'))
  addSample(store, Date.now())
  for (const topic of ['food', 'beauty', 'automobile'])
    for (const platform of ['plat_a', 'plat_c'])
      assert.ok(store.vertical({ topic, platform, days: 7 }, Date.now()).records.length >= 3, `${topic} ${platform}`)
  const now = Date.now()
  assert.ok(store.keyword({ keyword: 'sample', page: 1, pageSize: 200 }, now).records.every(({ publishedAt = 0 }) => publishedAt < now))
})

test('another process of the gateway sees either the whole sample or none of it', () => {
  using store = new IndexStore(join(folder, 'kept'))
  using other = new IndexStore(join(folder, 'kept'))
  store.commit(() => {
    store.removeSamples()
    addSample(store, Date.now())
    assert.equal(other.sampledAt(), undefined)
  })
  assert.equal(other.keyword({ keyword: 'green tea', page: 1, pageSize: 10 }, Date.now()).total, 3)
})

test('words are found by stem, without accents and in scripts without spaces; quotes and operators are plain text', async () => {
  await importLines(
    [
      { id: '1', title: 'Brewing teas', url: 'https://example.org/1', text: 'A café in Kyōto' },
      { id: '2', title: '我喜欢绿茶和红茶', url: 'https://example.org/2' },
      { id: '3', title: '茶の湯を学ぶ', url: 'https://example.org/3' },
      { id: '4', title: 'NEAR or NOT near', url: 'https://example.org/4', text: 'gpt-4 C++' },
      { id: '5', title: '茶叶的绿', url: 'https://example.org/5' },
    ],
    ['--platform', 'blog'],
  )
  const found = async (word: string) => titles(await keyword({ keyword: word }))
  assert.deepEqual(await found('tea brew'), ['Brewing teas'])
  assert.deepEqual(await found('cafe KYOTO'), ['Brewing teas'])
  assert.deepEqual(await found('绿茶'), ['我喜欢绿茶和红茶'])
  assert.deepEqual(await found('学ぶ'), ['茶の湯を学ぶ'])
  assert.deepEqual(await found('"near" NOT ('), ['NEAR or NOT near'])
  assert.deepEqual(await found('gpt-4'), ['NEAR or NOT near'])
  assert.deepEqual(await found('*'), [])
  assert.deepEqual(await found('teas nosuchword'), ['Brewing teas'])
})

test('filters by platform and days, orders and pages', async () => {
  const record = (i: number, platform: string) => ({
    ...{ id: `${i}`, platform, title: `tea ${i}`, url: `https://example.org/${platform}/${i}`, published: ago(i) },
    counts: { likes: i * 10, plays: 100 - i, comments: i % 3 },
  })
  await importLines([...[1, 2, 3, 4, 5].map(i => record(i, 'plat_a')), ...[1, 2].map(i => record(i, 'plat_b'))])
  assert.deepEqual(titles(await keyword({ platform: 'plat_a', order: '_2' })), ['tea 1', 'tea 2', 'tea 3', 'tea 4', 'tea 5'])
  assert.deepEqual(titles(await keyword({ platform: 'plat_a', order: '_1', pageSize: 2 })), ['tea 5', 'tea 4'])
  assert.deepEqual(titles(await keyword({ platform: 'plat_a', order: '_2', days: 3 })), ['tea 1', 'tea 2'])
  assert.deepEqual(titles(await keyword({ platform: 'plat_b', order: 'click' })), ['tea 1', 'tea 2'])
  const all = await keyword({ pageSize: 4 })
  assert.deepEqual(all.records.map(({ platform }) => platform).toSorted(), ['plat_a', 'plat_a', 'plat_b', 'plat_b'])
  assert.equal(all.total, 7)
  assert.equal(all.cursor, '2')
  const rest = await keyword({ pageSize: 4, page: 2 })
  assert.equal(rest.cursor, undefined)
  const seen = [...all.records, ...rest.records].map(({ url }) => url)
  assert.equal(new Set(seen).size, 7)
  assert.deepEqual([(await keyword({ pageSize: 4, page: 3 })).records, (await keyword({ pageSize: 4, page: 3 })).total], [[], 7])
  const none = await failure(keyword({ platform: 'plat_c' }))
  assert.match(none.message, /no source for platform plat_c/)
})

test('an invalid line is refused with its number, and the lines before it are kept', async () => {
  const file = join(folder, 'mixed.jsonl')
  const lines = [
    '{"title":"a","url":"https://example.org/a","platform":"blog"}',
    '',
    '{"title":"b","url":"ftp://example.org/b","platform":"blog"}',
  ]
  await writeFile(file, lines.join('\r\n'))
  assert.match((await failure(runImport([file]))).message, /^Line 3: url /)
  assert.match((await failure(runImport([]))).message, /needs a file/)
  assert.match((await failure(runImport([join(folder, 'absent')]))).message, /cannot be read/)
  assert.match((await failure(runImport([file, '--code', '5']))).message, /--code is 5; .* 2, 3, 4, 6, 7, 8, 9, 10, 14/)
  assert.match((await failure(importLines([{ title: 'x', url: 'https://example.org/x' }]))).message, /platform is missing/)
  assert.match(
    (await failure(importLines([{ title: 'x', url: 'https://example.org/x', platform: 'a', counts: { likes: -1 } }]))).message,
    /counts\.likes/,
  )
})

const rss = (entries: string[]): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>${entries.map(title => `<item><title>${title}</title><link>https://example.org/${encodeURIComponent(title)}</link><description><![CDATA[<p>About <b>tea</b> &amp; more</p>]]></description><pubDate>${new Date().toUTCString()}</pubDate></item>`).join('')}</channel></rss>`

test('a feed is fetched once for all requests, fills list, platform and topic, and is kept when its server is down', async () => {
  pages.set('/feed', { body: rss(['First', 'Second', 'Second']) })
  const settings = {
    sources: [{ driver: 'rss', url: `${base}/feed`, code: 3, platform: 'plat_a', topic: 'food', every_minutes: 1, token: 'secret-1' }],
  }
  const [list, found] = await Promise.all([top(3, settings), keyword({ platform: 'plat_a' }, settings)])
  assert.deepEqual(titles({ records: list.entries }), ['First', 'Second'])
  assert.equal(list.age.isStale, false)
  assert.equal(found.total, 2)
  assert.equal(found.records[0]?.text, 'About tea & more')
  assert.equal(requested.length, 1)
  assert.equal(requested[0]?.headers.authorization, 'Bearer secret-1')
  const vertical = (await engine.run('search.vertical', { topic: 'food', platform: 'plat_a', days: 1 }, { settings }))
    .report as SearchVerticalResult
  assert.deepEqual(titles(vertical), ['First', 'Second'])
  assert.match((await failure(top(4, settings))).message, /no source for hot list 4/)

  // After the restart of the engine, the server of the feed fails. The stored records answer, and
  // are marked as stale.
  pages.set('/feed', { status: 500, body: '' })
  await engine.close()
  engine = openEngine(engineSpec, { folder, cores: 1, onLog: message => said.push(message) })
  await top(3, settings)
  while (!said.some(message => message.includes('answered 500'))) await new Promise(resolve => setTimeout(resolve, 20))
  const stale = await top(3, settings)
  assert.deepEqual([stale.entries.length, stale.age.isStale, stale.age.readAt], [2, true, list.age.readAt])
  const tries = requested.length
  await top(3, settings)
  assert.equal(requested.length, tries)
  assert.ok(!said.join().includes('secret-1'))
})

test('a source that never answered is an error that names its host', async () => {
  pages.set('/list', { body: '<html>no feed</html>' })
  const source = { driver: 'json', url: `${base}/list`, code: 2, mapping: { items: 'data', title: 'title', url: 'url' } }
  const broken = await failure(top(2, { sources: [source] }))
  assert.deepEqual([broken.code, /no JSON/.test(broken.message)], ['upstream_error', true])
  const absent = await failure(top(2, { sources: [{ ...source, url: `${base}/absent` }] }))
  assert.match(absent.message, /^The source at 127\.0\.0\.1:\d+ answered 404\.$/)
  const unmapped = await failure(top(2, { sources: [{ driver: 'json', url: `${base}/list`, code: 2 }] }))
  assert.match(unmapped.message, /search\.sources\.0\.mapping is missing/)
})

test('a source slower than the time limit of a search is an error, not an empty result', async t => {
  const answer = Promise.withResolvers<void>()
  const sources = ['/slow-list', '/slow-feed'].map(path => ({ driver: 'rss', url: base + path, code: 3, platform: 'plat_a' }))
  for (const path of ['/slow-list', '/slow-feed']) pages.set(path, { body: rss(['First']), after: answer.promise })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [at, source] of sources.entries()) {
    const settings = { sources: [source] }
    const refused = failure(at === 0 ? top(3, settings) : keyword({ platform: 'plat_a' }, settings))
    while (requested.length <= at) await new Promise(setImmediate)
    t.mock.timers.tick(10_000)
    const { code, message } = await refused
    assert.equal(code, 'upstream_timeout')
    assert.match(message, /^The source at 127\.0\.0\.1:\d+ did not answer within 10 seconds\.$/)
  }
  t.mock.timers.reset()
  answer.resolve()
  assert.deepEqual(titles({ records: (await top(3, { sources })).entries }), ['First'])
})

test('presets: DailyHot with a route for each list, Baidu with a code', async () => {
  const row = { title: '热搜', hot: '12.3万', url: 'https://example.org/hot', timestamp: Date.now() }
  pages.set('/weibo', { body: JSON.stringify({ code: 200, data: [row, row] }) })
  const daily = await top(2, { sources: [{ driver: 'daily-hot', url: `${base}/` }] })
  assert.deepEqual(daily.entries, [{ title: '热搜', heat: 123_000, url: row.url }])
  const body = JSON.stringify({
    requestId: 'r',
    code: 200,
    msg: 'success',
    data: [{ title: 'Note', hot: 7, url: 'https://example.org/n', date: null }],
  })
  pages.set('/v2/tools/trending_lists/medium?type=14', { body })
  const settings = { sources: [{ driver: 'qianfan', url: base, token: 'key-2' }] }
  assert.deepEqual((await top(14, settings)).entries, [{ title: 'Note', heat: 7, url: 'https://example.org/n' }])
  assert.equal(requested.at(-1)?.headers.authorization, 'Bearer key-2')
})

test('lists are fetched every 5 minutes, other feeds every 15', () => {
  const mapping = { items: 'data', title: 'title', url: 'url' }
  const minutes = (source: JsonObject) => [
    ...new Set(feedsOf({ sources: [{ url: 'https://a.example/feed', ...source }] }).map(({ everyMs }) => everyMs / 60_000)),
  ]
  assert.deepEqual([minutes({ driver: 'rss' }), minutes({ driver: 'json', mapping })], [[15], [15]])
  assert.deepEqual([minutes({ driver: 'rss', code: 3 }), minutes({ driver: 'json', mapping, code: 3 })], [[5], [5]])
  assert.deepEqual([minutes({ driver: 'daily-hot' }), minutes({ driver: 'qianfan', token: 'key' })], [[5], [5]])
  assert.deepEqual(minutes({ driver: 'json', mapping, every_minutes: 7 }), [7])
})

test('Atom, RDF and JSON Feed are read; an item without link or title is left out', () => {
  const atom = readFeed(
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:1</id><title type="html">A &amp;amp; B</title><link rel="self" href="https://x.example/self"/><link href="https://x.example/a"/><updated>2027-01-02T03:04:05Z</updated><author><name>Ann</name></author></entry></feed>',
  )
  assert.deepEqual(atom, [
    {
      id: 'urn:1',
      title: 'A & B',
      text: '',
      url: 'https://x.example/a',
      heat: 0,
      publishedAt: Date.parse('2027-01-02T03:04:05Z'),
      author: 'Ann',
    },
  ])
  const json = readFeed(
    '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":"https://x.example/1","content_text":"Words"},{"id":"2","title":"no link"}]}',
  )
  assert.deepEqual(titles({ records: json }), ['Words'])
  const rdf = readFeed(
    '<rdf:RDF><channel/><item><title>One</title><link>https://x.example/1</link><dc:date>2027-01-01</dc:date></item></rdf:RDF>',
  )
  assert.equal(rdf[0]?.publishedAt, Date.parse('2027-01-01'))
  for (const text of ['', 'hello', '<html><body>no</body></html>', '{"a":1}']) assert.throws(() => readFeed(text), GatewayError)
})

test('an XML bomb is refused', () => {
  const entities = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')
  const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "ha">${entities}]><rss><channel><item><title>&e12;</title><link>https://x.example/</link></item></channel></rss>`
  const before = process.threadCpuUsage()
  try {
    assert.ok(readFeed(bomb).every(({ title }) => title.length <= 1000))
  } catch (error) {
    assert.ok(error instanceof GatewayError)
  }
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 2e6, `${user + system} µs of CPU`)
})

test('abbreviated counts like 12.3w, 1.2万 and 4.5k are read', () => {
  assert.deepEqual(
    ['1,234', '12.3w', '1.2万', '3亿', '4.5k', 'none', undefined, -5, 12.6].map(countOf),
    [1234, 123_000, 12_000, 300_000_000, 4500, 0, 0, 0, 13],
  )
  assert.deepEqual(['12.3w阅读', '2 B', '1.5 million views', '3bn', '1.2M+'].map(countOf), [123_000, 2e9, 1_500_000, 3e9, 1_200_000])
})

test('a word after a count is not read as a unit', () => {
  assert.deepEqual(['12 books', '1,234 mentions', '7 weeks', '30min', '8 knots'].map(countOf), [12, 1234, 7, 30, 8])
})

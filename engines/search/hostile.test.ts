/** Sources and files that are malicious or broken. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { feedText } from './encoding.ts'
import { readFeed as readWhole, recordsOf } from './feeds.ts'
import { fetchFollowing } from './follow.ts'
import { importCommand } from './import.ts'
import { IndexStore } from './index-store.ts'
import { countOf } from './numbers.ts'
import { readRecord } from './records.ts'
import { indexed, phrasesOf } from './words.ts'

const readFeed = (text: string) => readWhole(text).items

let folder: string
let near: Server
let far: Server
const requested: { at: 'near' | 'far'; path: string; key: unknown }[] = []
const answers = new Map<string, (response: ServerResponse) => void>()

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-hostile-'))
  near = await serve('near')
  far = await serve('far')
})
after(async () => {
  near.close()
  far.close()
  await rm(folder, { recursive: true, force: true })
})

async function serve(at: 'near' | 'far'): Promise<Server> {
  const server = createServer((request, response) => {
    requested.push({ at, path: request.url ?? '', key: request.headers['x-key'] })
    const answer = answers.get(request.url ?? '')
    if (answer) answer(response)
    else response.end(`${at} ${request.url}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

const urlOf = (server: Server, path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
const to = (location: string) => (response: ServerResponse) => void response.writeHead(302, { location }).end()
const options = {
  ...{ route: directOutbound.routeOf(), headers: { 'x-key': 'k' }, allowPrivate: false },
  /** A new signal for each use: other files of the process run between the import of this one and
   *  its tests. */
  get signal() {
    return AbortSignal.timeout(10_000)
  },
}

test('a source may redirect on its own host, but not to a private address of another host', async () => {
  answers.set('/moved', to('/feed'))
  answers.set('/away', to(urlOf(far, '/metadata')))
  answers.set('/inside', to('http://[::ffff:169.254.169.254]/latest'))
  answers.set('/named', to('http://localhost:1/x'))
  answers.set('/file', to('file:///etc/passwd'))
  answers.set('/loop', to('/loop'))
  assert.equal(await (await fetchFollowing(urlOf(near, '/moved'), options)).text(), 'near /feed')
  for (const path of ['/away', '/inside', '/named'])
    await assert.rejects(fetchFollowing(urlOf(near, path), options), { message: /redirects to .*private network/ }, path)
  await assert.rejects(fetchFollowing(urlOf(near, '/file'), options), { message: /not an http or https URL/ })
  await assert.rejects(fetchFollowing(urlOf(near, '/loop'), options), { message: /more than 5 times/ })
  assert.ok(requested.every(({ at }) => at === 'near'))
})

test('a host name is resolved once: a second DNS answer with a private address is never used', async () => {
  const { port } = far.address() as AddressInfo
  answers.set('/rebound', to(`http://rebinding.test:${port}/secret`))
  let looks = 0
  const stop = new AbortController()
  // The first look-up of the host name returns a public address, at which there is no server; every
  // further look-up returns the address of this machine. The time of the request begins with the
  // look-up, because it may come late on a busy machine.
  const lookup = async () => {
    looks += 1
    setTimeout(() => stop.abort(), 300)
    return [{ address: looks === 1 ? '192.88.98.1' : '127.0.0.1', family: 4 }]
  }
  await assert.rejects(fetchFollowing(urlOf(near, '/rebound'), { ...options, signal: stop.signal, lookup }))
  assert.equal(looks, 1)
  const inside = async () => [{ address: '127.0.0.1', family: 4 }]
  await assert.rejects(fetchFollowing(urlOf(near, '/rebound'), { ...options, lookup: inside }), { message: /private network/ })
  assert.ok(requested.every(({ path }) => path !== '/secret'))
})

test('an answer with an unrequested compression is read', async () => {
  answers.set('/zipped', response => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped text')))
  assert.equal(await (await fetchFollowing(urlOf(near, '/zipped'), options)).text(), 'zipped text')
})

test('where private addresses are allowed, another host does not get the keys', async () => {
  answers.set('/away', to(urlOf(far, '/feed')))
  const answer = await fetchFollowing(urlOf(near, '/away'), { ...options, allowPrivate: true })
  assert.equal(await answer.text(), 'far /feed')
  assert.deepEqual(
    requested.filter(({ at }) => at === 'far').map(({ key }) => key),
    [undefined],
  )
})

test('text that was made to be slow to parse is read quickly', () => {
  const texts = ['<'.repeat(8e6), '<script '.repeat(1e6), `${' '.repeat(8e6)}x`, '&a'.repeat(4e6), '<style></styl'.repeat(6e5)]
  const { user } = process.cpuUsage()
  for (const content_html of texts) readFeed(JSON.stringify({ items: [{ url: 'https://a.example/b', title: 'T', content_html }] }))
  for (const many of [',', '1', '1.', ' ']) countOf(many.repeat(1e6))
  const marks = `a${'\u0301\u0327'.repeat(1e5)}`
  assert.deepEqual(phrasesOf(marks), [`"${indexed(marks)}"`])
  assert.ok(process.cpuUsage().user - user < 3e6)
  const [item] = readFeed(
    JSON.stringify({ items: [{ url: 'https://a.example/b', title: 'A <b>T</b>', content_html: 'x<script>a<b</script>y<style>' }] }),
  )
  assert.deepEqual([item?.title, item?.text], ['A T', 'x y'])
})

test('entities that refer to files or expand without end give no text', () => {
  const feed = (types: string, text: string) =>
    `<!DOCTYPE r [${types}]><rss><channel><item><title>T</title><link>https://a.example/b</link><description>${text}</description></item></channel></rss>`
  const laughs = Array.from({ length: 12 }, (_each, k) => `<!ENTITY e${k + 1} "${`&e${k};`.repeat(10)}">`).join('')
  for (const xml of [
    feed('<!ENTITY x SYSTEM "file:///etc/hostname">', '&x;'),
    feed(`<!ENTITY e0 "lol">${laughs}`, '&e12;'),
    feed(`<!ENTITY e0 "${'x'.repeat(1e5)}">`, '&e0;'.repeat(1e4)),
  ]) {
    let text = ''
    try {
      text = readFeed(xml)[0]?.text ?? ''
    } catch (error) {
      assert.match(String(error), /neither a feed nor JSON/)
    }
    assert.ok(text.length <= 20_000 && !text.includes('lollol'))
  }
})

test('invalid dates and counts do not break later reads', () => {
  const items = ['+275760-09-13T00:00:00Z', '-000001-01-01', 1e300, '2026-01-01'].map((date_published, k) => ({
    ...{ url: `https://a.example/${k}`, title: `T ${k}\u0000\ud83d`, date_published },
  }))
  const read = readFeed(JSON.stringify({ items }))
  assert.deepEqual(
    read.map(({ publishedAt }) => publishedAt),
    [undefined, undefined, undefined, Date.UTC(2026, 0, 1)],
  )
  assert.ok(read.every(({ title }) => title.isWellFormed() && !title.includes('\u0000')))
  const line = (published: unknown) => JSON.stringify({ title: 'T', url: 'https://a.example/', platform: 'p', published })
  for (const published of [1e300, 253_402_300_800_000, '+275760-09-13', '-000001-01-01', 'soon'])
    assert.throws(() => readRecord(line(published), 7, {}), /Line 7: published/)
  using store = new IndexStore(join(folder, 'sums'))
  const most = Number.MAX_SAFE_INTEGER
  const counts = { likes: most, comments: most, shares: most, favourites: most }
  store.add(
    [{ id: '1', platform: 'p', topic: 'food', title: 'T', text: '', url: 'https://a.example/', publishedAt: Date.now(), counts }],
    1,
    'imported',
  )
  assert.equal(store.vertical({ topic: 'food', platform: 'p', days: 7 }, Date.now()).records.length, 1)
})

test('a feed is decoded by its byte order mark, its header or its declaration', () => {
  const feed = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><rss><channel><item><title>Café 茶</title><link>https://a.example/b</link></item></channel></rss>`
  const wide = Buffer.from(feed('utf-16'), 'utf16le')
  const cases: [name: string, bytes: Buffer, contentType: string][] = [
    ['utf-16 with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]), 'application/xml'],
    ['the other byte order', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]).swap16(), ''],
    ['utf-16 without a mark', wide, ''],
    [
      'utf-8 with its mark, whatever the header says',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(feed('utf-8'))]),
      'text/xml; charset=iso-8859-1',
    ],
    ['the header', Buffer.from(feed('utf-8')), 'text/xml; charset=utf-8'],
  ]
  for (const [name, bytes, contentType] of cases) assert.equal(readFeed(feedText(bytes, contentType))[0]?.title, 'Café 茶', name)
  const latin = Buffer.from(feed('iso-8859-1').replace('茶', ''), 'latin1')
  assert.equal(readFeed(feedText(latin, 'application/rss+xml'))[0]?.title, 'Café')
})

test('a date in the future is ignored: the record would be the newest for years', () => {
  const now = Date.UTC(2026, 0, 10)
  const items = ['2099-01-01', '2026-01-12', '2026-01-10T20:00:00Z', '2026-01-09'].map((date_published, k) => ({
    ...{ url: `https://a.example/${k}`, title: `T ${k}`, date_published },
  }))
  const read = recordsOf(readFeed(JSON.stringify({ items })), { platform: 'p', now })
  assert.deepEqual(
    read.map(({ publishedAt }) => publishedAt),
    [undefined, undefined, Date.parse('2026-01-10T20:00:00Z'), Date.UTC(2026, 0, 9)],
  )
})

test('a file of one endless line is refused before it fills the memory', async () => {
  const file = join(folder, 'long.jsonl')
  await writeFile(file, `{"title":"T","url":"https://a.example/1","platform":"p"}\r\n{"title":"${'x'.repeat(3e6)}`)
  const run = importCommand.run([file], { dataDirectory: join(folder, 'kept'), print: () => undefined })
  await assert.rejects(run, { message: /Line 2: it has more than 1000000 characters/ })
})

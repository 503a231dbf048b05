/** Tests the public base URL of links, of the OpenAPI document and of the pages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'

let proxied: TestGateway
let direct: TestGateway
before(async () => {
  proxied = await startTestGateway({ env: { GATEWAY_TRUST_PROXY: '1' } })
  direct = await startTestGateway()
})
after(() => Promise.all([proxied, direct].map(gateway => gateway[Symbol.asyncDispose]())))

const behind = (prefix: string) => ({
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'pub.example',
  'x-forwarded-prefix': prefix,
})
const picture = { prompt: 'a cat', width: 256, height: 256 }

/** Creates a task and returns the link in its answer, which shows the base URL that the gateway
 *  uses. */
async function linkOf({ call }: TestGateway, headers: Record<string, string>): Promise<string> {
  const { status, body } = await call('/v1/ai/default/imgf/image/generate', { body: picture, headers })
  assert.equal(status, 200, JSON.stringify(body))
  return body.polling_url
}

async function serverOf({ call }: TestGateway, headers: Record<string, string> = {}): Promise<unknown> {
  return (await call('/openapi.json', { key: false, headers })).body.servers
}

test('a path prefix from a trusted proxy is part of every link', async () => {
  for (const prefix of ['/gw', '/a/b-c/d_e.f', `/${'x'.repeat(255)}`]) {
    const url = `https://pub.example${prefix}`
    assert.match(await linkOf(proxied, behind(prefix)), new RegExp(`^${url}/v1/ai/default/imgf/get_result\\?id=`))
    assert.deepEqual(await serverOf(proxied, behind(prefix)), [{ url }])
    const docs = (await proxied.call('/docs', { key: false, headers: behind(prefix) })).bytes.toString()
    assert.ok(docs.includes(`<code>${url}</code>`) && docs.includes(`href="${prefix}/openapi.json"`))
    const home = (await proxied.call('/', { key: false, headers: behind(prefix) })).bytes.toString()
    assert.ok(
      home.includes(`curl ${url}/v1/ai/default/`) && home.includes(`href="${prefix}/docs"`) && home.includes(`href="${prefix}/docs#F1"`),
    )
    assert.ok(!home.includes('href="/docs'), 'a link without the prefix')
  }
  assert.deepEqual(await serverOf(proxied, behind('/gw/')), [{ url: 'https://pub.example/gw' }])
  assert.deepEqual(await serverOf(proxied, behind('/other')), [{ url: 'https://pub.example/other' }])
})

test('a prefix that is no plain path is ignored', async () => {
  const bad = [
    ...[
      '//evil.example',
      '/..',
      '/.',
      '/a/..',
      '/a/../b',
      '/a/./b',
      '/...',
      'gw',
      '/',
      '/gw//',
      '/a//b',
      '/a?b',
      '/a#b',
      '/a%2fb',
      '/a\\b',
    ],
    ...[
      '/a, /b',
      '/a,/b',
      '/a"onload="x',
      "/a'",
      '/<b>',
      '/a b',
      '/a:80',
      '/@evil',
      '/\u00e9',
      `/${'x'.repeat(256)}`,
      `${'/a'.repeat(4000)}`,
    ],
  ]
  for (const prefix of bad) {
    const link = await linkOf(proxied, behind(prefix))
    assert.ok(link.startsWith('https://pub.example/v1/ai/default/imgf/get_result?id='), `${prefix}: ${link}`)
    assert.deepEqual(await serverOf(proxied, behind(prefix)), [{ url: 'https://pub.example' }], prefix)
  }
})

test('a protocol from a proxy other than http and https is ignored', async () => {
  const believed = { 'x-forwarded-host': 'pub.example', 'x-forwarded-prefix': '/gw' }
  for (const protocol of [
    'javascript',
    'ftp',
    'file',
    'data',
    'blob',
    'ws',
    'http:',
    'https://evil.example/',
    'https@',
    'x y',
    '-',
    'https,',
    ',',
  ]) {
    const headers = { ...believed, 'x-forwarded-proto': protocol }
    assert.deepEqual(await serverOf(proxied, headers), [{ url: 'http://pub.example/gw' }], protocol)
    assert.ok((await linkOf(proxied, headers)).startsWith('http://pub.example/gw/v1/ai/default/imgf/'), protocol)
  }
  for (const protocol of ['https', 'HTTPS', 'http, https'])
    assert.deepEqual(await serverOf(proxied, { ...believed, 'x-forwarded-proto': protocol }), [{ url: 'https://pub.example/gw' }], protocol)
})

test('without the trust setting, all headers of proxies are ignored', async () => {
  assert.ok((await linkOf(direct, behind('/gw'))).startsWith(`${direct.url}/v1/ai/default/imgf/`))
  assert.deepEqual(await serverOf(direct, behind('/gw')), [{ url: '/' }])
  const docs = (await direct.call('/docs', { key: false, headers: behind('/gw') })).bytes.toString()
  assert.ok(docs.includes('href="/openapi.json"') && docs.includes(`<code>${direct.url}</code>`) && !docs.includes('pub.example'))
})

test('the public URL setting is used in the description and the pages, and has priority over every header', async () => {
  await using gateway = await startTestGateway({ env: { GATEWAY_TRUST_PROXY: '1', GATEWAY_PUBLIC_URL: 'https://set.example/base/' } })
  assert.ok((await linkOf(gateway, behind('/gw'))).startsWith('https://set.example/base/v1/ai/default/imgf/'))
  assert.deepEqual(await serverOf(gateway, behind('/gw')), [{ url: 'https://set.example/base' }])
  const docs = (await gateway.call('/docs', { key: false })).bytes.toString()
  assert.ok(docs.includes('<code>https://set.example/base</code>') && docs.includes('href="/base/openapi.json"'))
})

test('two prefix headers are ignored', async () => {
  const url = new URL(proxied.url)
  const { connect } = await import('node:net')
  const socket = connect(Number(url.port), url.hostname)
  socket.end(
    [
      'GET /openapi.json HTTP/1.1',
      'host: pub.example',
      'x-forwarded-prefix: /a',
      'x-forwarded-prefix: /b',
      'connection: close',
      '',
      '',
    ].join('\r\n'),
  )
  let answer = ''
  for await (const chunk of socket) answer += chunk
  assert.match(answer, /"servers":\[\{"url":"http:\/\/pub\.example"\}\]/)
})

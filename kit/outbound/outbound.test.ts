import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { destinationOf } from './destination.ts'
import { Outbound, type OutboundSettings, type RouteSettings, routeProblem, routeSettings } from './outbound.ts'
import { proxyOf } from './proxy.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-outbound-'))
after(() => rmSync(folder, { recursive: true }))

const wayTo = (url: string, settings: OutboundSettings, own: Partial<RouteSettings> = {}) =>
  new Outbound(settings).routeOf(routeSettings(own)).proxyFor(destinationOf(new URL(url)))?.name
const both = { httpsProxy: 'http://secure.proxy:3128', httpProxy: 'plain.proxy:8080' }

test('https hosts use the https proxy, and http hosts the http proxy', () => {
  assert.equal(wayTo('https://a.test/', both), 'secure.proxy:3128')
  assert.equal(wayTo('http://a.test/', both), 'plain.proxy:8080')
  assert.equal(wayTo('http://a.test/', { httpsProxy: both.httpsProxy }), undefined)
  assert.equal(wayTo('https://a.test/', { httpProxy: both.httpProxy }), undefined)
  assert.equal(wayTo('https://a.test/', {}), undefined)
})

test('NO_PROXY excludes hosts, and is not read when there is no proxy', () => {
  assert.equal(wayTo('https://a.test/', { ...both, noProxy: 'a.test' }), undefined)
  assert.equal(wayTo('https://a.test:8443/', { ...both, noProxy: 'a.test:443' }), 'secure.proxy:3128')
  assert.equal(wayTo('https://a.test/', { noProxy: '10.0.0.0/99' }), undefined)
  assert.throws(() => new Outbound({ ...both, noProxy: '10.0.0.0/99' }), { message: /NO_PROXY has the entry "10\.0\.0\.0\/99"/ })
})

test('a target’s own proxy has priority over the others and over NO_PROXY; none means a direct connection', () => {
  const own = { proxy: 'https://own.proxy' }
  assert.equal(wayTo('https://a.test/', both, own), 'own.proxy:443')
  assert.equal(wayTo('http://a.test/', { ...both, noProxy: '*' }, own), 'own.proxy:443')
  assert.equal(wayTo('https://a.test/', both, { proxy: 'none' }), undefined)
})

test('addresses of this machine are always reached directly', () => {
  for (const host of [
    'localhost',
    'LOCALHOST.',
    'api.localhost',
    '127.0.0.1',
    '127.9.8.7',
    '[::1]',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '2130706433',
  ])
    for (const own of [{}, { proxy: 'http://own.proxy' }]) assert.equal(wayTo(`http://${host}:81/`, both, own), undefined, host)
  for (const host of ['localhost.test', '128.0.0.1', 'notlocalhost', '[::2]', '10.0.0.1'])
    assert.equal(wayTo(`https://${host}/`, both), 'secure.proxy:3128', host)
})

test('URLs from callers are fetched directly unless the setting is on', () => {
  const to = destinationOf(new URL('https://a.test/'))
  assert.equal(new Outbound(both).forCallers.proxyFor(to), undefined)
  assert.equal(new Outbound({ ...both, proxiesCallerUrls: true }).forCallers.proxyFor(to)?.name, 'secure.proxy:3128')
})

test('a proxy is an http or https URL; its credentials are decoded and never shown', () => {
  const { authorization, ...rest } = proxyOf('https://us%40er:p%3Ass%20wörd@proxy.test:3129/', 'X')
  assert.deepEqual(rest, { host: 'proxy.test', port: 3129, isTls: true, name: 'proxy.test:3129' })
  assert.equal(authorization, `Basic ${Buffer.from('us@er:p:ss wörd').toString('base64')}`)
  assert.equal(proxyOf('user@proxy.test:80', 'X').authorization, `Basic ${Buffer.from('user:').toString('base64')}`)
  assert.equal(proxyOf('http://[2001:db8::1]', 'X').name, '[2001:db8::1]:80')
  for (const text of [
    'socks5://u:secret@proxy.test:1080',
    'http://u:sec%ret@proxy.test',
    'http://',
    'http://u:secret@',
    'ftp://secret',
    'u:secret@proxy.test',
  ])
    assert.throws(
      () => proxyOf(text, 'HTTPS_PROXY'),
      error => {
        assert.match(String(error), /HTTPS_PROXY is not the URL of an http or https proxy.*leave it empty for no proxy/)
        return !String(error).includes('sec')
      },
    )
})

test('a word in place of a proxy is refused, and the message says how to use none', () => {
  for (const word of ['None', 'NONE', 'off', 'direct', 'false', '0', 'no', '-', 'proxy.test']) {
    const problem = routeProblem(routeSettings({ proxy: word })) ?? ''
    assert.ok(problem.startsWith(`proxy is "${word}", which is not the URL of an http or https proxy like http://`), problem)
    assert.match(problem, /; none means no proxy\.$/)
    assert.throws(() => new Outbound({ httpsProxy: word }), {
      code: 'invalid_request',
      message: new RegExp(`^HTTPS_PROXY is "${word}", which is not .*; leave it empty for no proxy\\.$`),
    })
  }
  assert.doesNotMatch(routeProblem(routeSettings({ proxy: 'sk-a-key-that-was-mistaken-for-it' })) ?? '', /sk-/)
})

test('a file of authorities that is missing or not PEM is refused with the setting and the path', () => {
  const file = join(folder, 'authorities.pem')
  assert.equal(routeProblem(routeSettings({ caFile: '/nowhere/ca.pem' })), 'ca_file names /nowhere/ca.pem, which cannot be read (ENOENT).')
  writeFileSync(file, 'no certificate')
  assert.throws(() => new Outbound({ caFile: file }), {
    code: 'invalid_request',
    message: /^GATEWAY_CA_FILE names .*authorities\.pem, which has no certificate in PEM form/,
  })
  writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  assert.throws(() => new Outbound({ caFile: file }), { message: /has a certificate that cannot be read: number 1 of 1/ })
})

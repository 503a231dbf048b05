import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noProxyOf } from './no-proxy.ts'

/** Each row: a `NO_PROXY` list, a destination, and whether the list contains that destination. */
const table: [list: string, host: string, port: number, isNamed: boolean][] = [
  ['', 'a.example', 443, false],
  [' , ,', 'a.example', 443, false],
  ['*', 'a.example', 443, true],
  ['*', '10.1.2.3', 80, true],
  ['b.example,*', 'a.example', 443, true],
  ['example.com', 'example.com', 443, true],
  ['example.com', 'EXAMPLE.com', 443, true],
  ['Example.COM', 'example.com', 443, true],
  ['example.com', 'example.com.', 443, true],
  ['example.com.', 'example.com', 443, true],
  ['example.com', 'api.example.com', 443, true],
  ['example.com', 'a.b.example.com', 443, true],
  ['example.com', 'badexample.com', 443, false],
  ['example.com', 'example.com.evil.test', 443, false],
  ['example.com', 'example.org', 443, false],
  ['.example.com', 'api.example.com', 443, true],
  ['.example.com', 'example.com', 443, true],
  ['.example.com', 'badexample.com', 443, false],
  ['*.example.com', 'api.example.com', 443, true],
  ['*.example.com', 'example.com', 443, true],
  ['*.example.com', 'badexample.com', 443, false],
  ['a.test, b.test\tc.test\nd.test', 'c.test', 443, true],
  ['a.test, b.test\tc.test\nd.test', 'd.test', 443, true],
  ['example.com:8443', 'example.com', 8443, true],
  ['example.com:8443', 'api.example.com', 8443, true],
  ['example.com:8443', 'example.com', 443, false],
  ['.example.com:80', 'api.example.com', 80, true],
  ['.example.com:80', 'api.example.com', 443, false],
  ['intranet', 'intranet', 80, true],
  ['intranet', 'intranet.example', 80, false],
  ['my_host', 'my_host', 80, true],
  ['bücher.example', 'xn--bcher-kva.example', 443, true],
  ['10.1.2.3', '10.1.2.3', 443, true],
  ['10.1.2.3', '10.1.2.30', 443, false],
  ['10.1.2.3:8080', '10.1.2.3', 8080, true],
  ['10.1.2.3:8080', '10.1.2.3', 443, false],
  ['10.0.0.0/8', '10.255.1.2', 443, true],
  ['10.0.0.0/8', '11.0.0.1', 443, false],
  ['10.1.2.3/8', '10.200.0.1', 443, true],
  ['192.168.1.128/25', '192.168.1.127', 443, false],
  ['192.168.1.128/25', '192.168.1.129', 443, true],
  ['10.0.0.0/8', 'ten.example', 443, false],
  ['0.0.0.0/0', '8.8.8.8', 443, true],
  ['0.0.0.0/0', '2001:db8::1', 443, false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', 443, true],
  ['fd00::/8', 'fd12::1', 443, true],
  ['fd00::/8', 'fe80::1', 443, false],
  ['[fd00::]/8', 'fd12::1', 443, true],
  ['2001:db8::1', '2001:db8::1', 443, true],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1', 443, true],
  ['2001:db8::1', '2001:db8::2', 443, false],
  ['[2001:db8::1]', '2001:db8::1', 443, true],
  ['[2001:db8::1]:8443', '2001:db8::1', 8443, true],
  ['[2001:db8::1]:8443', '2001:db8::1', 443, false],
]

test('NO_PROXY names hosts by suffix, port, address, range and star', () => {
  for (const [list, host, port, isNamed] of table)
    assert.equal(noProxyOf(list)({ host, port }), isNamed, `${JSON.stringify(list)}: ${host}:${port}`)
})

test('an invalid entry is refused by name', () => {
  for (const entry of [
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0/8',
    'a/b',
    'http://a.test',
    'a.test:0',
    'a.test:99999',
    'a.test:x',
    'a*b',
    '..',
  ])
    assert.throws(
      () => noProxyOf(`b.test,${entry}`),
      {
        code: 'invalid_request',
        message: `NO_PROXY has the entry ${JSON.stringify(entry)}; an entry must be a host name, an IP address, each with or without :port, a range of addresses like 10.0.0.0/8, or *.`,
      },
      entry,
    )
})

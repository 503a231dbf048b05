import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerAddress, withoutMapping } from './caller-address.ts'

test('connections are counted by the whole IPv4 address, or by the first half of an IPv6 address', () => {
  const cases: [ip: string, counted: string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:0:00a:1::', '2001:db8:0:a::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['unix socket', 'unix socket'],
  ]
  for (const [ip, counted] of cases) assert.equal(callerAddress(ip), counted, ip)
})

test('an IPv4 address mapped into IPv6 is shown as an IPv4 address', () => {
  for (const ip of ['::ffff:10.0.0.5', '::FFFF:10.0.0.5', '10.0.0.5']) assert.equal(withoutMapping(ip), '10.0.0.5')
  for (const ip of ['fd00::5', '::1', '::ffff:a:b', '']) assert.equal(withoutMapping(ip), ip)
})

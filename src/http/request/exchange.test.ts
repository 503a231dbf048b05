/** The log of admin changes shows the address of the caller, even when the caller comes through
 *  a trusted proxy. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startTestGateway } from '../../testing/gateway.ts'

async function addressesLogged(env: Record<string, string>, forwarded: readonly string[]): Promise<string[]> {
  const log = new PassThrough()
  const lines = text(log)
  const gateway = await startTestGateway({ env: { ...env, GATEWAY_LOG_LEVEL: 'info' }, logTo: log })
  try {
    for (const [index, list] of forwarded.entries()) {
      const body = { account: 'default', name: `key ${index}` }
      const made = await gateway.admin('/admin/keys', { method: 'POST', body, headers: { 'x-forwarded-for': list } })
      assert.equal(made.status, 200, JSON.stringify(made.body))
    }
  } finally {
    await gateway[Symbol.asyncDispose]()
  }
  log.end()
  const changes = (await lines).split('\n').filter(line => line.includes('"admin change"'))
  return changes.map(line => JSON.parse(line).from)
}

test('behind a proxy, the address is the one that the proxy has appended, whatever the caller sent', async () => {
  const forwarded = ['203.0.113.9', '192.0.2.1, 203.0.113.9', '192.0.2.1, 192.0.2.2,203.0.113.9 ']
  assert.deepEqual(await addressesLogged({ GATEWAY_TRUST_PROXY: '1' }, forwarded), ['203.0.113.9', '203.0.113.9', '203.0.113.9'])
})

test('without a trusted proxy the address is that of the connection', async () => {
  const [address = ''] = await addressesLogged({}, ['203.0.113.9'])
  assert.match(address, /127\.0\.0\.1$/)
})

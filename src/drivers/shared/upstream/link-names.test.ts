/** Tests that names in the links of upstreams' answers cannot keep the system's resolver busy. */
import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { usualRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { type ServiceTools, serviceDriver } from './service-driver.ts'
import { serviceSettings } from './service-settings.ts'

test('links to names without a DNS address use the system’s resolver one at a time', async () => {
  let most = 0
  const asked = new Set<number>()
  const hook = createHook({
    init: (id, type) => {
      if (type === 'GETADDRINFOREQWRAP') most = Math.max(most, asked.add(id).size)
    },
    // The end of a look-up is its callback, because the resource is destroyed only some time later.
    before: id => void asked.delete(id),
  }).enable()
  const held: ServiceTools[] = []
  const waits = { firstByteMs: 60_000, idleMs: 30_000 }
  const driver = serviceDriver({
    id: 'acme',
    title: 'Acme',
    settings: serviceSettings({ driver: 'acme', baseUrl: 'Where it is.', apiKey: 'A key.', usualWaits: waits }),
    open: tools => {
      held.push(tools)
      return { offers: {} }
    },
  }).open(driverTools())
  const [{ guard } = assert.fail('not opened')] = held
  const options = { field: 'link', headers: {}, ...waits, signal: new AbortController().signal, route: usualRoute }
  try {
    const names = Array.from({ length: 6 }, (_, index) => `silent-${index}.invalid`)
    for (const result of await Promise.allSettled(names.map(name => guard.open(`http://${name}/v`, options)))) {
      assert.ok(result.status === 'rejected' && result.reason instanceof GatewayError)
      assert.match(result.reason.message, /its host name has no address/)
    }
  } finally {
    hook.disable()
    await driver.close?.()
  }
  assert.equal(most, 1)
})

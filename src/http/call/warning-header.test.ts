import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fakeTextDriver, says } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const yaml = 'models: [{ id: fake, family: [messages], targets: [{ driver: fake }] }]'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ yaml, drivers: [fakeTextDriver('fake', () => says('Hello.'))] })
})
after(() => gateway[Symbol.asyncDispose]())

/** Returns the warning of a call that has hosted tools of these types. No target here has such
 *  tools, so each of them is left out. */
async function warningFor(types: readonly string[]): Promise<string> {
  const body = { model: 'fake', messages: [{ role: 'user', content: 'x' }], tools: types.map(type => ({ type })) }
  const { status, headers } = await gateway.call('/v1/messages/count_tokens', { body })
  assert.equal(status, 200)
  return headers.get('x-gateway-warning') ?? ''
}

test('a warning header has at most 2000 characters, so that clients and proxies accept it', async () => {
  const long = await warningFor(['x'.repeat(10_000)])
  assert.equal(long.length, 2000)
  assert.match(long, /^tools: x+\.\.\.$/)
  const many = await warningFor(Array.from({ length: 120 }, (_, index) => `type_${index}`.padEnd(60, '_')))
  assert.equal(many.length, 2000)
})

test('a warning is never cut within an escaped character', async () => {
  for (const start of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
    const warning = await warningFor([start + 'ü'.repeat(1000)])
    assert.ok(warning.length > 1990 && warning.length <= 2000, `${warning.length}`)
    assert.match(warning, /^tools: [a-e]*(\\u00fc)+\.\.\.$/)
  }
})

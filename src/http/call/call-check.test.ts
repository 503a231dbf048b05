/** Tool calls that do not fit the parameters of their tools are reported in `x-gateway-warning`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TextEvent } from '@generation-gateway/kit/requests/text.ts'
import { type Finish, fakeTextDriver, fakeTextYaml } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

let input: string
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ drivers: [fakeTextDriver('caller', calls)], yaml: fakeTextYaml('caller') })
})
after(() => gateway[Symbol.asyncDispose]())

async function* calls(): AsyncIterable<TextEvent | Finish> {
  yield { type: 'call', index: 0, kind: 'function', callId: 'call_a', name: 'vote' }
  yield { type: 'call-input', index: 0, delta: input }
  yield { type: 'finish', finish: 'tool_calls' }
}

/** Returns the warning header of a chat completion whose only tool call has these arguments. */
async function warningFor(given: string, parameters: object, more: object = {}): Promise<string | null> {
  input = given
  const tools = [{ type: 'function', function: { name: 'vote', parameters, ...more } }]
  const { status, body, headers } = await gateway.call('/v1/ai/default/chat/completions', {
    body: { model: 'fake', messages: [{ role: 'user', content: 'x' }], tools },
  })
  assert.equal(status, 200)
  assert.equal(body.choices[0].message.tool_calls[0].function.arguments, given)
  return headers.get('x-gateway-warning')
}

const unique = { type: 'object', properties: { ids: { type: 'array', uniqueItems: true } } }

test('a call that does not match its schema is forwarded unchanged, with a warning', async () => {
  assert.equal(await warningFor('{"ids":[1,2]}', unique), null)
  assert.match(
    (await warningFor('{"ids":[1,1]}', unique)) ?? '',
    /^The call of vote does not fit its parameters: arguments\/ids must NOT have duplicate items/,
  )
  assert.match(
    (await warningFor('{"ids":[1,1]}', { ...unique, $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x' })) ?? '',
    /duplicate/,
  )
})

test('calls of the responses protocol are checked in the same way', async () => {
  input = '{"ids":[1,1]}'
  const { headers } = await gateway.call('/v1/ai/default/responses', {
    body: { model: 'fake', input: 'x', tools: [{ type: 'function', name: 'vote', parameters: unique, strict: false }] },
  })
  assert.match(headers.get('x-gateway-warning') ?? '', /duplicate/)
})

test('there is no warning for strict tools, incomplete arguments and unreadable schemas', async () => {
  assert.equal(await warningFor('{"ids":"x"}', unique, { strict: true }), null)
  assert.equal(await warningFor('{"ids":[1,', unique), null)
  assert.equal(await warningFor('{"ids":[1]}', { $ref: 'https://example.com/schema' }), null)
})

test('a schema that takes forever to check blocks no other request', async () => {
  const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } }
  let most = 0
  // The check is aborted after a quarter of a second. Other requests must be answered in this time.
  // A busy machine may be slow in one round, so one good round of five is enough.
  for (let round = 0; round < 5 && most <= 10; round++) {
    let isOver = false
    const checked = warningFor(JSON.stringify({ a: 'a'.repeat(64) }), slow).finally(() => (isOver = true))
    let others = 0
    for (; !isOver; others += 1) await gateway.call('/healthz', { key: false })
    assert.equal(await checked, null)
    most = Math.max(most, others)
  }
  assert.ok(most > 10, `${most} other answers meanwhile`)
})

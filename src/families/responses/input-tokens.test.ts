import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeTextDriver, says } from '../../testing/fakes/fake-text-driver.ts'
import { errorReply, type FakeReply, type FakeUpstream, jsonReply, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { relayYaml } from '../../testing/relay-gateway.ts'

const path = '/v1/responses/input_tokens'
const counted: TextRequest[] = []
let gateway: TestGateway
let upstream: FakeUpstream
let count: () => number | undefined = () => 41

before(async () => {
  upstream = await startFakeUpstream()
  const countInput = async ({ request }: { request: TextRequest }) => {
    counted.push(request)
    return count()
  }
  const models = ['counts', 'guesses'].map(id => `  - { id: ${id}, family: responses, targets: [{ driver: ${id} }] }\n`)
  gateway = await startTestGateway({
    drivers: [fakeTextDriver('counts', () => says('Hello.'), { countInput }), fakeTextDriver('guesses', () => says('Hello.'))],
    yaml: `${relayYaml([{ url: upstream.baseUrl }])}${models.join('')}`,
  })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

async function ask(body: object, more: { warning?: RegExp } = {}): Promise<number> {
  const answer = await gateway.call(path, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('countResponseInputTokens', answer)
  const warning = answer.headers.get('x-gateway-warning')
  if (more.warning) assert.match(warning ?? '', more.warning)
  else assert.equal(warning, null)
  return answer.body.input_tokens
}

test('the target counts the conversation with its instructions, tools and format', async () => {
  const tool = { type: 'function', name: 'weather', description: 'Weather', parameters: { type: 'object', properties: {} } }
  const format = { type: 'json_object' }
  assert.equal(await ask({ model: 'counts', instructions: 'Be brief.', input: 'Hi', tools: [tool], text: { format } }), 41)
  const request = counted.at(-1)!
  assert.deepEqual(
    request.items.map(item => item.type === 'message' && [item.role, item.parts]),
    [
      ['developer', [{ type: 'text', text: 'Be brief.' }]],
      ['user', [{ type: 'text', text: 'Hi' }]],
    ],
  )
  assert.deepEqual([request.tools.map(({ name }) => name), request.format], [['weather'], format])
})

test('a count includes the earlier turns of the continued conversation', async () => {
  const made = await gateway.call('/v1/responses', { body: { model: 'counts', input: 'First' } })
  await ask({ model: 'counts', input: 'Second', previous_response_id: made.body.id })
  const texts = counted.at(-1)!.items.flatMap(item => (item.type === 'message' ? item.parts.map(part => 'text' in part && part.text) : []))
  assert.deepEqual(texts, ['First', 'Hello.', 'Second'])
  await ask({ model: 'counts', previous_response_id: made.body.id })
  assert.equal(counted.at(-1)!.items.length, 2)
})

test('an estimate is marked as one, and grows with the text', async () => {
  const warning = /input tokens is an estimate: guesses has no target/
  const short = await ask({ model: 'guesses', input: 'Hello there' }, { warning })
  const long = await ask({ model: 'guesses', input: 'Hello there '.repeat(100) }, { warning })
  assert.ok(short >= 2 && long >= 200, `${short}, ${long}`)
  count = () => undefined
  await ask({ model: 'counts', input: 'Hello' }, { warning: /estimate: counts has no target/ })
  count = () => 41
})

test("a target's refusal has the caller's field names; other failures give an estimate", async () => {
  count = () => {
    throw new GatewayError('context_length_exceeded', 'too long', { field: 'items' })
  }
  const { status, body } = await gateway.call(path, { body: { model: 'counts', input: 'Hello' } })
  assert.deepEqual([status, body.error.code, body.error.param], [400, 'context_length_exceeded', 'input'])
  count = () => {
    throw new GatewayError('upstream_unreachable', 'down')
  }
  await ask({ model: 'counts', input: 'Hello' }, { warning: /estimate/ })
  count = () => 41
})

async function askUpstream(reply: FakeReply, body: object = {}): Promise<{ answer: Answer; sent: Record<string, unknown> }> {
  upstream.answer(reply)
  upstream.received.length = 0
  const answer = await gateway.call(path, { body: { model: 'm', input: 'Hi', instructions: 'Be brief.', ...body } })
  const [request] = upstream.received
  assert.equal(request?.path, '/v1/responses/input_tokens')
  return { answer, sent: request.json as Record<string, unknown> }
}

test('an upstream with the operation counts the tokens', async () => {
  const { answer, sent } = await askUpstream(jsonReply({ object: 'response.input_tokens', input_tokens: 12 }))
  assert.deepEqual([answer.status, answer.body], [200, { object: 'response.input_tokens', input_tokens: 12 }])
  assert.equal(answer.headers.get('x-gateway-warning'), null)
  assert.equal(sent.model, 'up-1')
  assert.ok(!('stream' in sent) && !('store' in sent), 'a count has no members of an answer')
})

test('an upstream without the operation, or with a senseless answer, gives an estimate', async () => {
  for (const reply of [errorReply(404, {}), errorReply(405, {}), errorReply(500, {}), jsonReply({ input_tokens: -1 }), jsonReply({})]) {
    const { answer } = await askUpstream(reply)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.match(answer.headers.get('x-gateway-warning') ?? '', /estimate/)
  }
  const { answer } = await askUpstream(errorReply(400, { message: 'input is too long', code: 'context_length_exceeded' }))
  assert.deepEqual([answer.status, answer.body.error.code], [400, 'context_length_exceeded'])
})

test('a count costs nothing', async () => {
  const before = await gateway.call('/v1/usage')
  await ask({ model: 'counts', input: 'Hello' })
  await ask({ model: 'guesses', input: 'Hello' }, { warning: /estimate/ })
  const { body } = await gateway.call('/v1/usage')
  assert.deepEqual({ ...body, at: 0 }, { ...before.body, at: 0 })
})

test('a body without a conversation is refused with the name of the field', async () => {
  for (const [body, status, code, param] of [
    [{}, 400, 'invalid_value', 'input'],
    [{ input: [] }, 400, 'invalid_value', 'input'],
    [{ input: 7 }, 400, 'invalid_value', 'input'],
    [{ input: 'x', conversation: 'conv_1' }, 400, 'invalid_value', 'conversation'],
    [{ input: 'x', previous_response_id: 'resp_none' }, 400, 'previous_response_not_found', 'previous_response_id'],
    [{ input: [{ type: 'nonsense' }] }, 400, 'invalid_value', 'input[0]'],
    [{ input: 'x', tools: 'none' }, 400, 'invalid_value', 'tools'],
  ] as const) {
    const answer = await gateway.call(path, { body: { model: 'counts', ...body } })
    assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param], JSON.stringify(body))
  }
  assert.equal((await gateway.call(path, { body: { input: 'x' }, key: false })).status, 401)
  assert.equal((await gateway.call(path, { body: { input: 'x', model: 'nobody' } })).status, 404)
})

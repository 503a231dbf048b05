import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { type FakeUpstream, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { relayYaml } from '../../testing/relay-gateway.ts'
import { all, type Model, startModel, words } from './testing/start-model.ts'

const path = '/v1/responses/compact'
const secret = 'The user likes tea.'
let model: Model
before(async () => {
  model = await startModel()
})
beforeEach(() => {
  model.says(() => words(secret))
})
after(() => model.gateway[Symbol.asyncDispose]())

async function compact(body: object): Promise<Answer> {
  const answer = await model.gateway.call(path, { body: { model: 'fake', ...body } })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('compactResponse', answer)
  return answer
}

/** Returns the role and the text of each message. */
function messagesOf({ items }: TextRequest): [string, string][] {
  return items.flatMap(item =>
    item.type === 'message'
      ? [[item.role, item.parts.map(part => ('text' in part ? part.text : part.type)).join()] as [string, string]]
      : [],
  )
}

const user = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] })
const conversation = [
  user('I like tea.'),
  { role: 'assistant', content: 'Noted.' },
  { type: 'function_call', call_id: 'c1', name: 'look_up', arguments: '{"what":"tea"}' },
]

test("the answer has the user's messages and one sealed summary, and its usage", async () => {
  const { body } = await compact({ input: conversation, instructions: 'Be kind.' })
  assert.match(body.id, /^resp_[0-9a-f]{48}$/)
  assert.deepEqual([body.object, body.usage.input_tokens, body.usage.output_tokens], ['response.compaction', 7, 3])
  const [message, compaction, ...rest] = body.output
  assert.deepEqual(rest, [])
  assert.deepEqual([message.type, message.role, message.content], ['message', 'user', user('I like tea.').content])
  assert.deepEqual([compaction.type, compaction.id.slice(0, 4)], ['compaction', 'cmp_'])
  assert.ok(!compaction.encrypted_content.includes('tea'))
})

test('the model reads the whole conversation as one text, also with a call that has no result', async () => {
  await compact({ input: conversation, instructions: 'Be kind.' })
  const request = model.requests.at(-1)!
  const messages = messagesOf(request)
  assert.deepEqual([messages.length, request.items.length, request.tools], [2, 2, []])
  assert.deepEqual(
    messages.map(([role]) => role),
    ['developer', 'user'],
  )
  for (const text of ['Be kind.', 'I like tea.', 'Noted.', 'look_up', '"what":"tea"']) assert.ok(messages[1]![1].includes(text), text)
})

test('the output is the input of the next request, which stores the summary like any item', async () => {
  const { body } = await compact({ input: conversation })
  const next = await model.create({ input: [...body.output, user('What do I like?')] })
  assert.deepEqual(messagesOf(model.requests.at(-1)!), [
    ['user', 'I like tea.'],
    ['user', `Summary of the earlier conversation:\n\n${secret}`],
    ['user', 'What do I like?'],
  ])
  await model.create({ input: 'And now?', previous_response_id: next.id })
  assert.ok(messagesOf(model.requests.at(-1)!)[1]![1].includes(secret))
  const { body: listed } = await model.get(next.id, '/input_items?order=asc')
  assert.deepEqual([listed.data[1].type, listed.data[1].encrypted_content], ['compaction', body.output[1].encrypted_content])
  assert.match(listed.data[1].id, /^cmp_/)
})

test('a stored conversation can be compacted, and a compacted one can be compacted again', async () => {
  const { id } = await model.create({ input: 'I like tea.' })
  const first = await compact({ previous_response_id: id })
  assert.ok(messagesOf(model.requests.at(-1)!)[1]![1].includes('I like tea.'))
  model.says(() => words('Tea, still.'))
  const second = await compact({ input: [...first.body.output, user('Still.')] })
  assert.ok(messagesOf(model.requests.at(-1)!)[1]![1].includes(secret), 'the second summary is made of the first')
  assert.deepEqual(
    second.body.output.map((item: { type: string }) => item.type),
    ['message', 'message', 'compaction'],
  )
})

test("the user's pictures stay; left-out pictures of tools are reported", async () => {
  const image = { type: 'input_image', image_url: 'https://pictures.example/a.png' }
  const shown = await compact({ input: [{ role: 'user', content: [image] }] })
  assert.equal(shown.headers.get('x-gateway-warning'), null)
  assert.equal(shown.body.output[0].content[0].image_url, image.image_url)
  const output = { type: 'function_call_output', call_id: 'c1', output: [image] }
  const lost = await compact({ input: [...conversation, output] })
  assert.match(lost.headers.get('x-gateway-warning') ?? '', /summary leaves out files/)
})

test('input that is no conversation, or has a summary from elsewhere, is refused by name', async () => {
  const foreign = { type: 'compaction', encrypted_content: 'gAAAAAB' }
  const damaged = { type: 'compaction', encrypted_content: 'summary=AAAA' }
  for (const [body, code, param] of [
    [{}, 'invalid_value', 'input'],
    [{ input: [foreign] }, 'invalid_value', 'input[0].encrypted_content'],
    [{ input: [user('x'), damaged] }, 'invalid_value', 'input[1].encrypted_content'],
    [{ input: [{ type: 'compaction' }] }, 'missing_required_parameter', 'input[0].encrypted_content'],
    [{ input: 'x', conversation: 'conv_1' }, 'invalid_value', 'conversation'],
    [{ previous_response_id: 'resp_none' }, 'previous_response_not_found', 'previous_response_id'],
  ] as const) {
    const answer = await model.gateway.call(path, { body: { model: 'fake', ...body } })
    assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [400, code, param], JSON.stringify(body))
  }
})

test('a model that writes no summary fails the call', async () => {
  model.says(() => all({ type: 'text', delta: ' \n' }))
  const answer = await model.gateway.call(path, { body: { model: 'fake', input: 'x' } })
  assert.equal(answer.status, 502, JSON.stringify(answer.body))
})

test('the usage of a summary is held against the quota, and counted like that of a conversation', async () => {
  const keyWith = async (tokens: number): Promise<string> => {
    const made = await model.gateway.admin('/admin/keys', {
      method: 'POST',
      body: { account: 'default', name: `${tokens} tokens`, quotas: [`tokens=${tokens}/day`] },
    })
    assert.ok(made.status < 300, JSON.stringify(made.body))
    return made.body.secret
  }
  const ask = (key: string) => model.gateway.call(path, { body: { model: 'fake', input: 'x' }, key })
  const key = await keyWith(5_000)
  assert.equal((await ask(key)).status, 200)
  const quota = await until(async () => {
    const [found] = (await model.gateway.call('/v1/usage', { key })).body.quotas
    return found.held === 0 ? found : undefined
  }, 'the end of the hold')
  assert.equal(quota.used, 10)
  const refused = await ask(await keyWith(4_000))
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'quota_exceeded'])
})

test('every upstream gets a summary of this gateway as text, whatever protocol it speaks', async () => {
  const upstream: FakeUpstream = await startFakeUpstream()
  const gateway: TestGateway = await startTestGateway({ yaml: relayYaml([{ url: upstream.baseUrl }]) })
  try {
    const made = await gateway.call(path, { body: { model: 'm', input: conversation } })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const next = await gateway.call('/v1/responses', { body: { model: 'm', input: [...made.body.output, user('Go on.')] } })
    assert.equal(next.status, 200, JSON.stringify(next.body))
    const sent = JSON.stringify(upstream.received.at(-1)!.json)
    assert.ok(sent.includes('Summary of the earlier conversation') && !sent.includes('"compaction"'), sent)
  } finally {
    await gateway[Symbol.asyncDispose]()
    await upstream.close()
  }
})

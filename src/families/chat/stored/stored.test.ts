import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import { createFakeClock } from '../../../testing/clock.ts'
import { assertDocumented } from '../../../testing/documented.ts'
import { fakeTextDriver, fakeTextYaml, says, type TextScript } from '../../../testing/fakes/fake-text-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../../testing/gateway.ts'

const path = '/v1/chat/completions'
const messages = [{ role: 'user', content: 'hello' }]
let script: TextScript = () => says('Hi there.')
const requests: TextRequest[] = []
let gateway: TestGateway

before(async () => {
  const driver = fakeTextDriver('fake-text', job => {
    requests.push(job.request)
    return script(job)
  })
  gateway = await startTestGateway({
    drivers: [driver],
    yaml: `${fakeTextYaml('fake-text')}  - { id: other, family: chat, targets: [{ driver: fake-text }] }\n`,
  })
})
after(() => gateway[Symbol.asyncDispose]())

async function create(body: object = {}): Promise<Answer> {
  const answer = await gateway.call(path, { body: { model: 'fake', messages, store: true, ...body } })
  assert.equal(answer.status, 200, answer.bytes.toString())
  return answer
}

async function get(id: string): Promise<Answer> {
  const answer = await gateway.call(`${path}/${id}`)
  if (answer.status === 200) assertDocumented('getChatCompletion', answer)
  return answer
}

async function idsOf(query: string): Promise<string[]> {
  const answer = await gateway.call(`${path}?${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('listChatCompletions', answer)
  return answer.body.data.map(({ id }: { id: string }) => id)
}

test('a completion with store true is stored as it was answered, with its metadata; others are not stored', async () => {
  const { body } = await create({ metadata: { project: 'atlas' } })
  assert.deepEqual((await get(body.id)).body, { ...body, metadata: { project: 'atlas' } })
  assert.deepEqual(requests.at(-1)!.extras.fields, {}, 'no upstream is asked to store it, too')
  for (const store of [false, null, undefined]) {
    const { body: unkept } = await create({ store })
    assert.equal((await get(unkept.id)).status, 404)
  }
})

test('a streamed completion is stored before the end of the stream is sent', async () => {
  const { bytes } = await create({ stream: true, n: 2 })
  const first = JSON.parse(bytes.toString().split('\n')[0]!.slice(6))
  const { body } = await get(first.id)
  assert.deepEqual(
    body.choices.map((choice: { message: { content: string } }) => choice.message.content),
    ['Hi there.', 'Hi there.'],
  )
  assert.equal(body.usage.completion_tokens, 6)
})

test('a completion that breaks off is not stored', async () => {
  script = async function* () {
    yield { type: 'text', delta: 'Hi' }
    throw new Error('gone')
  }
  const before = await idsOf('limit=100')
  assert.ok((await gateway.call(path, { body: { model: 'fake', messages, store: true } })).status >= 500)
  await create({ stream: true })
  script = () => says('Hi there.')
  assert.deepEqual(await idsOf('limit=100'), before)
})

test('completions are listed by age, model and metadata, in pages', async () => {
  const red = { team: 'red', lot: '1' }
  const made = [
    (await create({ metadata: red })).body.id,
    (await create({ metadata: { team: 'red' }, model: 'other' })).body.id,
    (await create({ metadata: red, messages: [{ role: 'user', content: 'x'.repeat(20_000) }] })).body.id,
  ]
  assert.deepEqual(await idsOf('metadata[team]=red'), made)
  assert.deepEqual(await idsOf('metadata%5Bteam%5D=red&order=desc'), made.toReversed())
  assert.deepEqual(await idsOf('metadata[team]=red&metadata[lot]=1'), [made[0], made[2]])
  assert.deepEqual(await idsOf('metadata[team]=red&model=other'), [made[1]])
  assert.deepEqual(await idsOf('metadata[team]=re'), [])
  const { body } = await gateway.call(`${path}?metadata[team]=red&limit=2`)
  assert.deepEqual([body.object, body.first_id, body.last_id, body.has_more], ['list', made[0], made[1], true])
  assert.deepEqual(await idsOf(`metadata[team]=red&limit=2&after=${body.last_id}`), [made[2]])
})

test('listing continues after a completion that the caller has deleted', async () => {
  const metadata = { team: 'leaving' }
  const made: string[] = []
  for (const _ of [1, 2, 3]) made.push((await create({ metadata })).body.id)
  const { body } = await gateway.call(`${path}?metadata[team]=leaving&limit=2`)
  for (const { id } of body.data) await gateway.call(`${path}/${id}`, { method: 'DELETE' })
  assert.deepEqual(await idsOf(`metadata[team]=leaving&after=${body.last_id}`), [made[2]])
  assert.equal((await gateway.call(`${path}?after=nobody`)).status, 400)
})

test('a completion whose metadata only contains the text of the filter is neither listed nor counted in a page', async () => {
  // The metadata of the first two is `{"a,":":","lot":...}`. This JSON contains the text of the
  // wanted pair, `":":","`, but not as a name and its value.
  for (const lot of ['1', '2']) await create({ metadata: { 'a,': ':', lot } })
  const made = [(await create({ metadata: { ':': ',' } })).body.id, (await create({ metadata: { ':': ',' } })).body.id]
  const wanted = `metadata[${encodeURIComponent(':')}]=${encodeURIComponent(',')}`
  const { body } = await gateway.call(`${path}?${wanted}&limit=1`)
  assert.deepEqual([body.data.map(({ id }: { id: string }) => id), body.has_more], [[made[0]], true])
  const next = await gateway.call(`${path}?${wanted}&limit=1&after=${body.last_id}`)
  assert.deepEqual([next.body.data.map(({ id }: { id: string }) => id), next.body.has_more], [[made[1]], false])
})

test('the messages of a completion are listed, with their parts as text and as parts', async () => {
  const image = { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }
  const sent = [
    { role: 'system', content: 'Be brief.', name: 'boss' },
    { role: 'user', content: [{ type: 'text', text: 'What is ' }, { type: 'text', text: 'this?' }, image] },
  ]
  const { body } = await create({ messages: sent })
  const read = async (query = '') => {
    const answer = await gateway.call(`${path}/${body.id}/messages${query}`)
    assertDocumented('listChatCompletionMessages', answer)
    return answer.body
  }
  const all = await read()
  assert.deepEqual(all.data, [
    { id: `${body.id}-0`, role: 'system', content: 'Be brief.', content_parts: null, name: 'boss' },
    { id: `${body.id}-1`, role: 'user', content: 'What is this?', content_parts: sent[1]!.content, name: null },
  ])
  assert.deepEqual((await read('?order=desc&limit=1')).data, [all.data[1]])
  assert.deepEqual((await read(`?after=${body.id}-0`)).data, [all.data[1]])
  assert.equal((await gateway.call(`${path}/${body.id}/messages?after=nobody`)).status, 400)
})

test('new metadata replaces the old, and the completion keeps its place in the list', async () => {
  const { body } = await create({ metadata: { run: 'a' } })
  const later = (await create({ metadata: { run: 'b' } })).body.id
  const updated = await gateway.call(`${path}/${body.id}`, { body: { metadata: { run: 'b' } } })
  assertDocumented('updateChatCompletion', updated)
  assert.deepEqual(updated.body, { ...body, metadata: { run: 'b' } })
  assert.deepEqual((await get(body.id)).body, updated.body)
  assert.deepEqual(await idsOf('metadata[run]=b'), [body.id, later])
  assert.deepEqual((await gateway.call(`${path}/${body.id}`, { body: { metadata: null } })).body.metadata, {})
  for (const metadata of [{ k: 'v'.repeat(513) }, { ['k'.repeat(65)]: 'v' }, 'x', { k: 1 }]) {
    assert.equal((await gateway.call(`${path}/${body.id}`, { body: { metadata } })).status, 400, JSON.stringify(metadata).slice(0, 80))
  }
})

test('a deleted completion cannot be found by any operation', async () => {
  const { body } = await create({ metadata: { run: 'gone' } })
  const deleted = await gateway.call(`${path}/${body.id}`, { method: 'DELETE' })
  assert.deepEqual(deleted.body, { id: body.id, object: 'chat.completion.deleted', deleted: true })
  assert.deepEqual(await idsOf('metadata[run]=gone'), [])
  await refusedEverywhere(body.id)
})

async function refusedEverywhere(id: string, more: { key?: string } = {}): Promise<void> {
  for (const [method, suffix, body] of [
    ['GET', '', undefined],
    ['GET', '/messages', undefined],
    ['POST', '', { metadata: {} }],
    ['DELETE', '', undefined],
  ] as const) {
    const answer = await gateway.call(`${path}/${id}${suffix}`, { method, ...(body ? { body } : {}), ...more })
    assert.deepEqual([answer.status, answer.body.error?.type], [404, 'invalid_request_error'], `${method} ${suffix}`)
    assert.match(answer.body.error.message, new RegExp(id))
  }
}

test('completions and responses of another account are not found', async () => {
  const { body } = await create({ metadata: { run: 'mine' } })
  await gateway.admin('/admin/accounts', { method: 'POST', body: { id: 'stranger' } })
  await gateway.admin('/admin/endpoints', { method: 'POST', body: { account: 'stranger', name: 'default' } })
  const { body: made } = await gateway.admin('/admin/keys', { method: 'POST', body: { account: 'stranger', name: 'k' } })
  await refusedEverywhere(body.id, { key: made.secret })
  assert.deepEqual((await gateway.call(path, { key: made.secret })).body.data, [])
  assert.equal((await gateway.call(`${path}?after=${body.id}`, { key: made.secret })).status, 400)
  const response = await gateway.call('/v1/responses', { body: { model: 'fake', input: 'x' } })
  await refusedEverywhere(response.body.id)
  assert.equal((await gateway.call(`/v1/responses/${body.id}`)).status, 404)
  const next = await gateway.call('/v1/responses', { body: { model: 'fake', input: 'x', previous_response_id: body.id } })
  assert.deepEqual([next.status, next.body.error.code], [400, 'previous_response_not_found'])
})

test("completions and responses of models outside of the key's scopes are not found", async () => {
  const scopes = { account: 'default', name: 'scoped', models: ['other'] }
  const key: string = (await gateway.admin('/admin/keys', { body: scopes })).body.secret
  const [foreign, own] = [(await create()).body.id, (await create({ model: 'other' })).body.id]
  await refusedEverywhere(foreign, { key })
  const listed = await gateway.call(path, { key })
  assert.deepEqual(
    listed.body.data.map(({ model }: { model: string }) => model),
    listed.body.data.map(() => 'other'),
  )
  assert.ok(listed.body.data.some(({ id }: { id: string }) => id === own))
  const response = await gateway.call('/v1/responses', { body: { model: 'fake', input: 'x' } })
  const at = `/v1/responses/${response.body.id}`
  for (const [where, method] of [
    [at, 'GET'],
    [`${at}/input_items`, 'GET'],
    [at, 'DELETE'],
  ] as const)
    assert.equal((await gateway.call(where, { key, method })).status, 404, `${method} ${where}`)
  const next = await gateway.call('/v1/responses', { key, body: { model: 'other', input: 'x', previous_response_id: response.body.id } })
  assert.deepEqual([next.status, next.body.error.code], [400, 'previous_response_not_found'])
  assert.equal((await gateway.call(at)).status, 200)
})

test('a completion is stored for 30 days', async () => {
  const clock = createFakeClock()
  const driver = fakeTextDriver('fake-text', () => says('Hi.'))
  await using own = await startTestGateway({ drivers: [driver], yaml: fakeTextYaml('fake-text'), clock })
  const { body } = await own.call(path, { body: { model: 'fake', messages, store: true } })
  clock.step(30 * dayMs - 1000)
  assert.equal((await own.call(`${path}/${body.id}`)).status, 200)
  clock.step(1000)
  assert.equal((await own.call(`${path}/${body.id}`)).status, 404)
  assert.deepEqual((await own.call(path)).body.data, [])
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { all, type Model, path, startModel, words } from './testing/start-model.ts'

let model: Model
before(async () => {
  model = await startModel()
})
after(() => model.gateway[Symbol.asyncDispose]())

const weather = { type: 'function', name: 'weather' }
const user = (text: string) => ({ type: 'message', role: 'user', parts: [{ type: 'text', text }] })
const assistant = (text: string) => ({ type: 'message', role: 'assistant', parts: [{ type: 'text', text }] })
const lastItems = () => model.requests.at(-1)?.items

async function listed(id: string, query = '') {
  const { status, body } = await model.get(id, `/input_items${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Runs three turns: a question, a call with its result, and a thank-you. */
async function weatherTalk() {
  model.says(() =>
    all(
      { type: 'text', delta: 'Let me look.' },
      { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' },
      { type: 'call-input', index: 0, delta: '{}' },
      { type: 'finish', finish: 'tool_calls' },
    ),
  )
  const first = await model.create({ input: 'Weather?', instructions: 'Be brief.', tools: [weather] })
  model.says(() => words('It rains.'))
  const result = { type: 'function_call_output', call_id: 'c1', output: 'rain' }
  const second = await model.create({ input: [result], previous_response_id: first.id })
  const third = await model.create({ input: 'Thanks', previous_response_id: second.id })
  return { first, second, third }
}

test('the third turn has the whole conversation; instructions and tools are not inherited', async () => {
  const { second, third } = await weatherTalk()
  assert.deepEqual(lastItems(), [
    user('Weather?'),
    assistant('Let me look.'),
    { type: 'call', kind: 'function', callId: 'c1', name: 'weather', input: '{}' },
    { type: 'result', kind: 'function', callId: 'c1', output: 'rain' },
    assistant('It rains.'),
    user('Thanks'),
  ])
  assert.deepEqual(model.requests.at(-1)?.tools, [])
  assert.deepEqual([third.previous_response_id, third.instructions, third.tools], [second.id, null, []])
})

test('ids from an upstream are accepted back: long call ids, and reasoning ids with any characters', async () => {
  const callId = `call_1__thought__${'Zm9v'.repeat(3_000)}==`
  const id = 'encitem_a+b/c:%2e=='
  model.says(() =>
    all(
      { type: 'reasoning', part: 'summary', delta: 'Hm' },
      { type: 'reasoning-end', encrypted: 'sealed', id },
      { type: 'call', index: 0, kind: 'function', callId, name: 'weather' },
      { type: 'call-input', index: 0, delta: '{}' },
      { type: 'finish', finish: 'tool_calls' },
    ),
  )
  const { output } = await model.create({ input: 'Weather?', tools: [weather], include: ['reasoning.encrypted_content'] })
  model.says(() => words('It rains.'))
  await model.create({ input: [...output, { type: 'function_call_output', call_id: callId, output: 'rain' }] })
  assert.deepEqual(lastItems(), [
    { type: 'reasoning', summary: ['Hm'], content: [], encrypted: 'sealed', id },
    { type: 'call', kind: 'function', callId, name: 'weather', input: '{}' },
    { type: 'result', kind: 'function', callId, output: 'rain' },
  ])
})

test('a deleted turn in the middle is left out together with the call that it answered; the other turns stay', async () => {
  const { first, second, third } = await weatherTalk()
  const deleted = await model.gateway.call(`${path}/${second.id}`, { method: 'DELETE' })
  assert.deepEqual([deleted.status, deleted.body], [200, { id: second.id, object: 'response', deleted: true }])
  const fourth = await model.create({ input: 'And tomorrow?', previous_response_id: third.id })
  assert.deepEqual(lastItems(), [
    user('Weather?'),
    assistant('Let me look.'),
    user('Thanks'),
    assistant('It rains.'),
    user('And tomorrow?'),
  ])
  assert.equal((await model.get(first.id)).status, 200)
  const { data } = await listed(fourth.id, '?order=asc')
  assert.deepEqual(
    data.map((item: { type: string }) => item.type),
    ['message', 'message', 'function_call', 'message', 'message', 'message'],
  )
  for (const [method, suffix] of [
    ['GET', ''],
    ['GET', '/input_items'],
    ['DELETE', ''],
  ] as const) {
    assert.equal((await model.gateway.call(`${path}/${second.id}${suffix}`, { method })).status, 404)
  }
})

test('input items have stable ids that are unique in the conversation; the turn’s own input comes last', async () => {
  const { first, third } = await weatherTalk()
  const { data, ...page } = await listed(third.id, '?order=asc')
  const kinds = data.map((item: { type: string; id: string }) => `${item.type} ${item.id.split('_')[0]}`)
  assert.deepEqual(kinds, ['message msg', 'message msg', 'function_call fc', 'function_call_output fco', 'message msg', 'message msg'])
  assert.equal(new Set(data.map((item: { id: string }) => item.id)).size, data.length)
  assert.deepEqual(data[2], first.output[1])
  assert.deepEqual(data.at(-1), {
    id: data.at(-1).id,
    type: 'message',
    status: 'completed',
    role: 'user',
    content: [{ type: 'input_text', text: 'Thanks' }],
  })
  assert.deepEqual(page, { object: 'list', first_id: data[0].id, last_id: data.at(-1).id, has_more: false })
  assert.deepEqual((await listed(third.id, '?order=asc')).data, data)
})

test('three pages contain every item once, in both orders', async () => {
  const texts = ['a', 'b', 'c', 'd', 'e']
  const { id } = await model.create({ input: texts.map(text => ({ role: 'user', content: text })) })
  for (const order of ['asc', 'desc']) {
    const seen: string[] = []
    const more: boolean[] = []
    let after = ''
    for (let page = 0; page < 3; page++) {
      const { data, has_more: hasMore, last_id: last } = await listed(id, `?limit=2&order=${order}${after}`)
      seen.push(...data.map((item: { content: { text: string }[] }) => item.content[0]?.text))
      more.push(hasMore)
      after = `&after=${last}`
    }
    assert.deepEqual(seen, order === 'asc' ? texts : texts.toReversed())
    assert.deepEqual(more, [true, true, false])
    const behind = await listed(id, `?order=${order}${after}`)
    assert.deepEqual(behind, { object: 'list', data: [], first_id: null, last_id: null, has_more: false })
  }
  const { data } = await listed(id, '?order=asc')
  const before = await listed(id, `?order=asc&limit=2&before=${data[3].id}`)
  assert.deepEqual([before.data, before.has_more], [data.slice(1, 3), true])
  assert.deepEqual((await listed(id)).data, data.toReversed())
})

test('pages over several turns contain every item once, in both orders, forwards and backwards', async () => {
  const { third } = await weatherTalk()
  const whole = (await listed(third.id, '?order=asc')).data
  for (const order of ['asc', 'desc']) {
    const ids = (order === 'asc' ? whole : whole.toReversed()).map((item: { id: string }) => item.id)
    for (const limit of [1, 2, 3, 5, 6, 7]) {
      for (const [cursor, edge] of [
        ['after', 'last_id'],
        ['before', 'first_id'],
      ] as const) {
        const query = `?order=${order}&limit=${limit}&${cursor}=`
        const seen: string[] = []
        let page =
          cursor === 'after' ? await listed(third.id, `?order=${order}&limit=${limit}`) : await listed(third.id, query + ids.at(-1))
        for (;;) {
          const found = page.data.map((item: { id: string }) => item.id)
          if (cursor === 'after') seen.push(...found)
          else seen.unshift(...found)
          if (!page.has_more) break
          page = await listed(third.id, query + page[edge])
        }
        assert.deepEqual(seen, cursor === 'after' ? ids : ids.slice(0, -1), query)
      }
    }
  }
})

test('a data URL of a picture is withheld unless it is included', async () => {
  const image = 'data:image/png;base64,AAAA'
  const web = 'https://media.example/a.png'
  const content = [image, web].map(url => ({ type: 'input_image', image_url: url }))
  const { id } = await model.create({ input: [{ role: 'user', content }] })
  const urls = async (query: string) =>
    (await listed(id, query)).data[0].content.map((part: { image_url: string | null }) => part.image_url)
  assert.deepEqual(await urls(''), [null, web])
  assert.deepEqual(await urls('?include[]=message.input_image.image_url'), [image, web])
  assert.deepEqual(await urls('?include=reasoning.encrypted_content,message.input_image.image_url'), [image, web])
})

test('an item reference is replaced by the item that it names, once', async () => {
  const { first, third } = await weatherTalk()
  const [message, call] = first.output
  await model.create({
    input: [
      { role: 'user', content: 'Weather?' },
      { type: 'item_reference', id: message.id },
      { id: call.id },
      { type: 'function_call_output', call_id: 'c1', output: 'snow' },
    ],
  })
  assert.deepEqual(lastItems(), [
    user('Weather?'),
    assistant('Let me look.'),
    { type: 'call', kind: 'function', callId: 'c1', name: 'weather', input: '{}' },
    { type: 'result', kind: 'function', callId: 'c1', output: 'snow' },
  ])
  await model.create({
    input: [
      { type: 'item_reference', id: message.id },
      { role: 'user', content: 'Go on' },
    ],
    previous_response_id: third.id,
  })
  assert.equal(lastItems()?.filter(item => JSON.stringify(item).includes('Let me look.')).length, 1)
})

test('a call that was cut off is left out of the next turns', async () => {
  model.says(() =>
    all(
      { type: 'text', delta: 'Hm' },
      { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' },
      { type: 'call-input', index: 0, delta: '{"to' },
      { type: 'finish', finish: 'length' },
    ),
  )
  const { id, output } = await model.create({ input: 'x', tools: [weather] })
  assert.deepEqual(
    output.map((item: { status: string }) => item.status),
    ['completed', 'incomplete'],
  )
  await model.create({ input: 'y', previous_response_id: id })
  assert.deepEqual(lastItems(), [user('x'), assistant('Hm'), user('y')])
})

test('a response with store false is answered and cannot be found later', async () => {
  model.says(() => words('Hi.'))
  const { id, store } = await model.create({ input: 'x', store: false })
  assert.equal(store, false)
  assert.equal((await model.get(id)).status, 404)
  const frames = await model.frames(path, { input: 'x', store: false })
  assert.equal((await model.get(frames[0]?.data.response.id)).status, 404)
})

test('a response of another endpoint is not found', async () => {
  const { id } = await model.create({ input: 'x' })
  const made = await model.gateway.admin('/admin/endpoints', { body: { account: 'default', name: 'other', routes: [] } })
  assert.ok(made.status < 300, JSON.stringify(made.body))
  assert.equal((await model.gateway.call(`/v1/ai/other/responses/${id}`)).status, 404)
  const chained = await model.gateway.call('/v1/ai/other/responses', { body: { model: 'fake', input: 'x', previous_response_id: id } })
  assert.deepEqual([chained.status, chained.body.error.code], [400, 'previous_response_not_found'])
})

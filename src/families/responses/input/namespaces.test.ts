import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { startTestGateway, testKey } from '../../../testing/gateway.ts'
import { all, type Model, path, startModel, words } from '../testing/start-model.ts'

let model: Model
before(async () => {
  model = await startModel()
})
after(() => model.gateway[Symbol.asyncDispose]())

const parameters = { type: 'object', properties: { target: { type: 'string' } }, required: ['target'], additionalProperties: false }
const member = (name: string) => ({ type: 'function', name, description: `Does ${name}.`, strict: false, parameters })
const agents = { type: 'namespace', name: 'agents', description: 'Work with agents.', tools: [member('close'), member('spawn')] }
const shell = { type: 'function', name: 'shell' }
const warning = 'x-gateway-warning'

/** Returns the names of the tools that were declared to the model in its last request. */
const declared = () => model.requests.at(-1)?.tools.map(tool => tool.name)
const calls = (name: string, input = '{"target":"a"}') =>
  all({ type: 'call', index: 0, kind: 'function', callId: 'call_1', name }, { type: 'call-input', index: 0, delta: input })

test("the model gets the tools of a namespace as functions, and reads the namespace's description once", async () => {
  const answer = await model.create({ input: 'x', tools: [shell, agents] })
  const [, close, spawn] = model.requests.at(-1)?.tools ?? []
  assert.deepEqual(declared(), ['shell', 'agents__close', 'agents__spawn'])
  assert.deepEqual(close, {
    kind: 'function',
    name: 'agents__close',
    description: 'Work with agents.\n\nDoes close.',
    strict: false,
    parameters,
  })
  assert.equal(spawn?.description, 'Does spawn.')
  assert.deepEqual(answer.tools[1], agents)
})

test('a call names tool and namespace: whole, streamed, stored and replayed', async () => {
  model.says(() => calls('agents__close'))
  const body = { input: 'x', tools: [shell, agents] }
  const wanted = { type: 'function_call', name: 'close', namespace: 'agents', call_id: 'call_1', arguments: '{"target":"a"}' }
  const { id, output } = await model.create(body)
  assert.partialDeepStrictEqual(output, [wanted])
  assert.partialDeepStrictEqual((await model.get(id)).body.output, [wanted])
  for (const frames of [await model.frames(path, body), await model.frames(`${path}/${id}?stream=true`)]) {
    const items = frames.filter(({ event }) => event?.startsWith('response.output_item')).map(({ data }) => data.item)
    assert.partialDeepStrictEqual(items, [{ ...wanted, arguments: '' }, wanted])
    const done = frames.find(({ event }) => event === 'response.function_call_arguments.done')
    assert.equal(done?.data.name, 'close')
    assert.partialDeepStrictEqual(frames.at(-2)?.data.response.output, [wanted])
  }
})

test('a call made in the background names its namespace', async () => {
  model.says(() => calls('agents__spawn'))
  const { id } = await model.create({ input: 'x', background: true, tools: [agents] })
  await until(async () => (await model.get(id)).body.status === 'completed', 'the end of the response')
  assert.partialDeepStrictEqual((await model.get(id)).body.output, [{ type: 'function_call', name: 'spawn', namespace: 'agents' }])
})

test('a custom tool of a namespace is called with raw text', async () => {
  const sql = { type: 'namespace', name: 'db', description: '', tools: [{ type: 'custom', name: 'sql' }] }
  model.says(() =>
    all({ type: 'call', index: 0, kind: 'custom', callId: 'c', name: 'db__sql' }, { type: 'call-input', index: 0, delta: 'select 1' }),
  )
  const { output } = await model.create({ input: 'x', tools: [sql] })
  assert.partialDeepStrictEqual(output, [{ type: 'custom_tool_call', name: 'sql', namespace: 'db', input: 'select 1' }])
})

test('the call and its result are accepted as input, or by continuing the response', async () => {
  model.says(() => calls('agents__close'))
  const tools = [shell, agents]
  const result = { type: 'function_call_output', call_id: 'call_1', output: 'closed' }
  const first = await model.create({ input: 'x', tools })
  model.says(() => words('Closed.'))
  const turns = [
    { input: [{ role: 'user', content: 'x' }, ...first.output, result], tools },
    { input: [result], previous_response_id: first.id, tools },
    // A turn does not inherit the tools of the earlier one. Nevertheless, the earlier call must be
    // sent to the model under the same name as before.
    { input: [result], previous_response_id: first.id },
  ]
  for (const turn of turns) {
    const { id } = await model.create(turn)
    assert.deepEqual(model.requests.at(-1)?.items.slice(1), [
      { type: 'call', kind: 'function', callId: 'call_1', name: 'agents__close', input: '{"target":"a"}' },
      { type: 'result', kind: 'function', callId: 'call_1', output: 'closed' },
    ])
    const listed = (await model.get(id, '/input_items?order=asc')).body.data
    assert.partialDeepStrictEqual(listed[1], { type: 'function_call', name: 'close', namespace: 'agents' })
  }
})

test('names stay distinct and within 64 characters, whatever the namespaces are called', async () => {
  const long = 'n'.repeat(64)
  const space = (name: string, ...names: string[]) => ({ type: 'namespace', name, description: '', tools: names.map(member) })
  const tools = [
    member('a__b__c'),
    space('a', 'b__c', 'b'),
    space('a__b', 'c'),
    space(long, 'one', 'two', long),
    space(`${long.slice(1)}m`, 'one'),
  ]
  await model.create({ input: 'x', tools })
  const names = declared() ?? []
  assert.equal(new Set(names).size, 8)
  for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/)
  assert.deepEqual([names[0], names[2]], ['a__b__c', 'a__b'])
  const wanted = [undefined, 'a', 'a', 'a__b', long, long, long, `${long.slice(1)}m`]
  for (const [index, name] of names.entries()) {
    model.says(() => calls(name))
    const { output } = await model.create({ input: 'x', tools })
    assert.equal(output[0].namespace, wanted[index], name)
  }
})

test('a returned call has a legal name, whatever its namespace was called', async () => {
  model.says(() => words('Good.'))
  for (const [namespace, name] of [
    ['', /^close$/],
    ['gone', /^gone__close$/],
    ['drôle de nom', /^dr_le_de_nom__close_[0-9a-f]{8}$/],
    ['n'.repeat(80), /^n{55}_[0-9a-f]{8}$/],
  ] as const) {
    const call = { type: 'function_call', call_id: 'c', name: 'close', namespace, arguments: '{}' }
    await model.create({ input: [call, { type: 'function_call_output', call_id: 'c', output: '' }] })
    const [item] = model.requests.at(-1)?.items ?? []
    assert.match(item?.type === 'call' ? item.name : '', name)
  }
})

test('a choice names a tool with its namespace', async () => {
  const tools = [shell, agents]
  const spawn = { type: 'function', name: 'spawn', namespace: 'agents' }
  model.says(() => calls('agents__spawn'))
  const forced = await model.create({ input: 'x', tools, tool_choice: spawn })
  assert.deepEqual(forced.tool_choice, spawn)
  assert.deepEqual(model.requests.at(-1)?.toolChoice, { mode: 'required', only: ['agents__spawn'] })
  await model.create({ input: 'x', tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [spawn] } })
  assert.deepEqual(model.requests.at(-1)?.toolChoice, { mode: 'auto', only: ['agents__spawn'] })
})

test('hosted tools are left out with a warning, and not repeated by the answer', async () => {
  model.says(() => words('Hello.'))
  const tools = [{ type: 'web_search', external_web_access: false }, shell, { type: 'image_generation' }, { type: 'web_search_2025_08_26' }]
  for (const extra of [{}, { stream: true }, { background: true }]) {
    const { status, headers } = await model.gateway.call(path, { body: { model: 'fake', input: 'x', tools, ...extra } })
    assert.deepEqual(
      [status, headers.get(warning)],
      [200, 'tools: web_search, image_generation, web_search_2025_08_26 left out; this model has no hosted tools.'],
    )
  }
  const plain = await model.gateway.call(path, { body: { model: 'fake', input: 'x', tools } })
  assert.deepEqual(
    plain.body.tools.map((tool: { type: string }) => tool.type),
    ['function'],
  )
  assert.deepEqual(declared(), ['shell'])
  const without = await model.gateway.call(path, { body: { model: 'fake', input: 'x', tools: [shell] } })
  assert.equal(without.headers.get(warning), null)
})

test('the warning of a gateway behind this one is passed on', async () => {
  model.says(() => words('Hello.'))
  const target = `driver: gateway, model: fake, api_key: ${testKey}, base_url: "${model.gateway.url}"`
  await using front = await startTestGateway({ yaml: `models: [{ id: far, family: responses, targets: [{ ${target} }] }]\n` })
  for (const stream of [false, true]) {
    const body = { model: 'far', input: 'x', tools: [{ type: 'web_search' }], stream }
    const { status, headers } = await front.call(path, { body })
    assert.deepEqual([status, headers.get(warning)], [200, 'tools: web_search left out; this model has no hosted tools.'])
  }
})

test('a tool choice that requires a hosted tool is refused', async () => {
  const hosted = { type: 'web_search' }
  const refusals = [
    { tools: [hosted, shell], tool_choice: hosted, says: /web_search.*no hosted tools/ },
    { tools: [shell], tool_choice: { type: 'mcp', server_label: 'docs' }, says: /mcp.*no hosted tools/ },
    { tools: [hosted], tool_choice: 'required', says: /required/ },
    { tools: [hosted, shell], tool_choice: { type: 'allowed_tools', mode: 'required', tools: [hosted] }, says: /no hosted tools/ },
  ]
  for (const { says, ...body } of refusals) {
    const answer = await model.gateway.call(path, { body: { model: 'fake', input: 'x', ...body } })
    const { code, param, message } = answer.body.error
    assert.deepEqual([answer.status, code, param], [400, 'unsupported_value', 'tool_choice'], JSON.stringify(body))
    assert.match(message, says)
  }
})

test('a tool choice that also allows hosted tools still limits the other tools', async () => {
  const hosted = { type: 'web_search' }
  const allow = (...tools: object[]) => ({ type: 'allowed_tools', mode: 'auto', tools })
  await model.create({ input: 'x', tools: [hosted, shell, agents], tool_choice: allow(hosted, shell) })
  assert.deepEqual(model.requests.at(-1)?.toolChoice, { mode: 'auto', only: ['shell'] })
  await model.create({ input: 'x', tools: [hosted, shell], tool_choice: allow(hosted) })
  assert.deepEqual(model.requests.at(-1)?.toolChoice, { mode: 'none' })
})

test('tools of an unknown type, and invalid namespaces, are refused with their path', async () => {
  const space = (fields: object) => ({ type: 'namespace', name: 'n', description: '', tools: [shell], ...fields })
  const refusals: [tool: object, code: string, param: string][] = [
    [{ type: 'telepathy' }, 'unsupported_value', 'tools[0].type'],
    [space({ name: 'a b' }), 'invalid_value', 'tools[0].name'],
    [space({ tools: [] }), 'invalid_value', 'tools[0].tools'],
    [space({ tools: 'x' }), 'invalid_value', 'tools[0].tools'],
    [space({ tools: [shell, shell] }), 'invalid_value', 'tools[0].tools[1].name'],
    [space({ tools: [space({})] }), 'unsupported_value', 'tools[0].tools[0].type'],
    [space({ tools: [{ type: 'web_search' }] }), 'unsupported_value', 'tools[0].tools[0].type'],
  ]
  for (const [tool, code, param] of refusals) {
    const { status, body } = await model.gateway.call(path, { body: { model: 'fake', input: 'x', tools: [tool] } })
    assert.deepEqual([status, body.error.code, body.error.param], [400, code, param], JSON.stringify(tool))
  }
})

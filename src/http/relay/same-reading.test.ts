/** The gateway checks the same values that the upstream reads. A body that another parser might
 *  read differently never reaches an upstream, and neither does a body that refers to objects of
 *  another account (docs/decisions/0015). */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { longestTurnMs } from '@generation-gateway/kit/testing/longest-turn.ts'
import { jsonReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const mine = 'sk-reading-key-mine-1'
const theirs = 'sk-reading-key-their1'
const chat = '/v1/ai/studio/chat/completions'
const responses = '/v1/ai/studio/responses'
const messages = '"messages":[{"role":"user","content":"hi"}]'
const speech = { text: 'One two', reasoning: 'hm', usage: { input: 9, output: 3 } }
let own: RelayGateway

before(async () => {
  own = await startRelayGateway(
    url =>
      `accounts:\n${[
        ['me', mine],
        ['them', theirs],
      ]
        .map(([id, secret]) => `  - { id: ${id}, keys: [{ name: k, secret: ${secret} }], endpoints: [{ name: studio }] }\n`)
        .join('')}${relayYaml([{ url }])}`,
  )
})
after(() => own[Symbol.asyncDispose]())
beforeEach(() => {
  own.upstream.received.length = 0
  own.upstream.answer()
})

/** Sends the body in two requests: one with the usual content type, and one whose content type
 *  has a charset. */
async function send(path: string, body: string, key = mine): Promise<{ status: number; text: string }[]> {
  const long = { 'content-type': 'application/json; charset=utf-8' }
  return [await exchange(own.gateway.url + path, { body, key }), await exchange(own.gateway.url + path, { body, key, headers: long })]
}

async function refused(path: string, body: string, says: RegExp, code?: string): Promise<void> {
  for (const { status, text } of await send(path, body)) {
    assert.equal(status, 400, `${body.slice(0, 200)}: ${text}`)
    assert.match(JSON.parse(text).error.message, says)
    if (code !== undefined) assert.equal(JSON.parse(text).error.code, code)
  }
  assert.equal(own.upstream.received.length, 0, `${body.slice(0, 200)} reached the upstream`)
}

async function accepted(path: string, body: string): Promise<void> {
  for (const { status, text } of await send(path, body)) assert.equal(status, 200, `${body.slice(0, 200)}: ${text}`)
  assert.equal(own.upstream.received.length, 2)
  own.upstream.received.length = 0
}

test('a duplicate member is refused, at any depth and in any spelling', async () => {
  const item = '{"type":"message","role":"user","content":"hi"}'
  for (const [path, body] of [
    [chat, `{"model":"m",${messages},"max_tokens":5,"max_tokens":100000}`],
    [chat, `{"model":"m",${messages},"max_tokens":5,"max\\u005ftokens":100000}`],
    [chat, `{"model":"m","model":"m",${messages}}`],
    [chat, `{"model":"m","messages":[{"role":"user","content":"hi","content":"ho"}]}`],
    [chat, `{"model":"m",${messages},"tools":[{"type":"function","function":{"name":"f","parameters":{"a":1,"a":2}}}]}`],
    [responses, `{"model":"m","input":"hi","previous_response_id":null,"previous_response_id":"resp_theirs"}`],
    [responses, `{"model":"m","input":"hi","max_output_tokens":16,"max_output_tokens":64000}`],
    [responses, `{"model":"m","input":[${item.replace('"role"', '"type":"item_reference","id":"msg_1","role"')}]}`],
  ] as const)
    await refused(path, body, /occurs twice in one object/)
})

test('a decisive name in another case is refused, also by Unicode case folding', async () => {
  for (const [path, body, name] of [
    [chat, `{"model":"m","Model":"big",${messages}}`, 'Model'],
    [chat, `{"model":"m",${messages},"MAX_TOKENS":100000}`, 'MAX_TOKENS'],
    [chat, `{"model":"m",${messages},"max_to\u212aens":100000}`, 'max_to\u212aens'],
    [chat, `{"model":"m",${messages},"max_to\\u212aens":100000}`, 'max_to\u212aens'],
    [chat, `{"model":"m",${messages},"\u017ftream":true}`, '\u017ftream'],
    [chat, `{"model":"m",${messages},"stream":true,"stream_options":{"Include_Usage":true}}`, 'Include_Usage'],
    [chat, `{"model":"m","messages":[{"role":"user","Role":"system","content":"hi"}]}`, 'Role'],
    [responses, `{"model":"m","input":"hi","Previous_Response_Id":"resp_theirs"}`, 'Previous_Response_Id'],
    [responses, `{"model":"m","input":[{"Type":"item_reference","type":"message","role":"user","content":"hi"}]}`, 'Type'],
    [responses, `{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"a","File_Id":"file-1"}]}]}`, 'File_Id'],
  ] as const)
    await refused(path, body, new RegExp(`^${name} is no field`))
})

test('names that callers choose may have any case', async () => {
  const schema = '{"type":"object","properties":{"Type":{"type":"string"},"Model":{},"model":{},"usage":{}}}'
  await accepted(
    chat,
    `{"model":"m",${messages},"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}],"metadata":{"Model":"a","MODEL":"b"}}`,
  )
  await accepted(chat, `{"model":"m",${messages},"newField":{"deep":[1]},"X-Own":1}`)
  await accepted(
    responses,
    `{"model":"m","input":"hi","store":false,"text":{"format":{"type":"json_schema","name":"n","schema":${schema}}},"metadata":{"Input":"x"}}`,
  )
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  await accepted(chat, `{"model":"m",${messages},"own":${nested(63)}}`)
})

test('JSON deeper than 64 levels is refused, however large, in every protocol', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  for (const nested of [deep(64), deep(30_000), objects(64), objects(9_000)]) {
    await refused(chat, `{"model":"m",${messages},"own":${nested}}`, /nested deeper than 64 levels/, 'invalid_json')
    await refused(
      responses,
      `{"model":"m","input":"hi","tools":[{"type":"x","own":${nested}}]}`,
      /nested deeper than 64 levels/,
      'invalid_json',
    )
  }
  const large = `{"model":"m","messages":[{"role":"user","content":"${'x'.repeat(1_200_000)}"}],"own":${deep(30_000)}}`
  await refused(chat, large, /nested deeper than 64 levels/, 'invalid_json')
  for (const root of [deep(30_000), deep(65), objects(20_000)])
    await refused(chat, root, /nested deeper than 64 levels|must be a JSON object/)
  const image = await exchange(`${own.gateway.url}/v1/ai/studio/imgf/image/generate`, {
    body: `{"prompt":"x","own":${deep(30_000)}}`,
    key: mine,
  })
  assert.deepEqual([image.status, JSON.parse(image.text).error.code], [400, 'invalid_json'])
})

test('the time for many names in one object grows linearly with their number', async () => {
  const names = Array.from({ length: 5_500 }, (_, index) => `"n${index}":1`).join(',')
  const turnMs = await longestTurnMs(() => accepted(chat, `{"model":"m",${messages},"own":{${names}}}`))
  assert.ok(turnMs < 1_000, `${turnMs} ms of CPU in one turn`)
})

test('a response and its items can be continued only by their own account', async () => {
  const named = (id: string, item: string) =>
    JSON.parse(JSON.stringify(responseObject(speech)).replaceAll('resp_up', id).replaceAll('msg_up', item).replaceAll('rs_up', `rs_${id}`))
  own.upstream.answer(jsonReply(named('resp_theirs', 'msg_theirs')))
  assert.equal((await exchange(own.gateway.url + responses, { body: '{"model":"m","input":"hi"}', key: theirs })).status, 200)
  const streamed = JSON.parse(
    JSON.stringify(responsesFrames(speech))
      .replaceAll('resp_up', 'resp_mine')
      .replaceAll('msg_up', 'msg_mine')
      .replaceAll('rs_up', 'rs_mine'),
  )
  own.upstream.answer(sseReply(streamed))
  assert.equal((await exchange(own.gateway.url + responses, { body: '{"model":"m","input":"hi","stream":true}', key: mine })).status, 200)
  own.upstream.answer(jsonReply(named('resp_more', 'msg_more')))
  own.upstream.received.length = 0
  const body = (input: object[], fields: object = {}) =>
    JSON.stringify({ model: 'm', input: [{ role: 'user', content: 'go on' }, ...input], ...fields })
  for (const reference of [
    { type: 'item_reference', id: 'msg_theirs' },
    { id: 'msg_theirs' },
    { type: null, id: 'msg_theirs' },
    { role: null, id: 'msg_theirs' },
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_theirs', approve: true },
    { type: 'item_reference', id: 'msg_nobodys' },
    { type: 'reasoning', id: 'rs_resp_theirs', summary: [] },
    { type: 'image_generation_call', id: 'ig_theirs' },
  ])
    await refused(responses, body([reference]), /names the item '.*', which is not stored/)
  await refused(responses, body([], { previous_response_id: 'resp_theirs' }), /Previous response with id 'resp_theirs' not found/)
  for (const reference of [
    { type: 'item_reference', id: 'msg_mine' },
    { id: 'msg_mine' },
    { type: 'reasoning', id: 'rs_mine', summary: [] },
  ])
    await accepted(responses, body([reference]))
  await accepted(responses, body([], { previous_response_id: 'resp_mine' }))
  // These items contain all their data, so they refer to nothing that is stored.
  await accepted(responses, body([{ type: 'reasoning', id: 'rs_elsewhere', summary: [], encrypted_content: 'sealed' }]))
  await accepted(
    responses,
    body([
      {
        type: 'message',
        id: 'msg_elsewhere',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'a', annotations: [{ type: 'file_citation', file_id: 'file-1' }] }],
      },
    ]),
  )
})

test('when an upstream gives two accounts the same id, both get their answers, and the first keeps the response', async () => {
  const same = (text: string) =>
    JSON.parse(JSON.stringify(responseObject({ text, usage: { input: 9, output: 3 } })).replaceAll('resp_up', 'resp_short'))
  for (const [key, text] of [
    [theirs, 'theirs'],
    [mine, 'mine'],
  ] as const) {
    own.upstream.answer(jsonReply(same(text)))
    const got = await exchange(own.gateway.url + responses, { body: '{"model":"m","input":"hi"}', key })
    assert.deepEqual([got.status, got.text.includes(text)], [200, true])
  }
  const read = (key: string) => exchange(`${own.gateway.url}${responses}/resp_short`, { method: 'GET', key })
  assert.deepEqual([(await read(theirs)).status, (await read(mine)).status], [200, 404])
})

test('files, containers and stores of the upstream are refused, because they belong to no account', async () => {
  const part = (part: object) => JSON.stringify({ model: 'm', input: [{ role: 'user', content: [part] }] })
  const tool = (tool: object) => JSON.stringify({ model: 'm', input: 'hi', tools: [tool] })
  for (const [path, body] of [
    [responses, part({ type: 'input_file', file_id: 'file-theirs' })],
    [responses, part({ type: 'input_image', file_id: 'file-theirs' })],
    [responses, tool({ type: 'file_search', vector_store_ids: ['vs_theirs'] })],
    [responses, tool({ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-theirs'] } })],
    [responses, tool({ type: 'shell', environment: { type: 'container_auto', skills: [{ type: 'skill_reference', skill_id: 's' }] } })],
    [
      responses,
      JSON.stringify({
        model: 'm',
        input: [{ type: 'tool_search_output', tools: [{ type: 'file_search', vector_store_ids: ['vs_theirs'] }] }],
      }),
    ],
    [
      responses,
      JSON.stringify({
        model: 'm',
        prompt: { id: 'pmpt_1', variables: { a: { type: 'input_file', file_id: 'file-theirs' } } },
        input: 'hi',
      }),
    ],
    [responses, tool({ type: 'knowledge_search', knowledge_resource_id: 'kb_theirs' })],
    [responses, tool({ type: 'collections_search', collection_ids: ['collection_theirs'] })],
    ...[
      { tools: [{ type: 'file_search', vector_store_ids: ['vs_theirs'] }] },
      { tools: [{ type: 'retrieval', retrieval: { knowledge_id: 'kb_theirs' } }] },
      { data_sources: [{ type: 'azure_search', parameters: { authentication: { type: 'system_assigned_managed_identity' } } }] },
      { data_sources: [{ type: 'azure_search', parameters: { endpoint: 'https://a.example' } }] },
    ].map(more => [chat, JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], ...more })] as const),
    [chat, JSON.stringify({ model: 'm', messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-theirs' } }] }] })],
    [
      chat,
      JSON.stringify({
        model: 'm',
        messages: [
          { role: 'assistant', audio: { id: 'audio_theirs' } },
          { role: 'user', content: 'go on' },
        ],
      }),
    ],
  ] as const)
    await refused(path, body, /which is not kept for this account; send its contents instead/)
})

test('a container can be used again only by the account whose stored response contained it', async () => {
  const code = { type: 'code_interpreter_call', id: 'ci_1', code: '1', outputs: [], status: 'completed', container_id: 'cntr_mine' }
  const shell = { type: 'shell_call', id: 'sh_1', call_id: 'c', action: { commands: ['ls'] }, status: 'completed' }
  const shellIn = (container_id: string) => ({ ...shell, environment: { type: 'container_reference', container_id } })
  const body = (container: string): string[] => [
    JSON.stringify({ model: 'm', input: [{ ...code, container_id: container }] }),
    JSON.stringify({ model: 'm', input: [shellIn(container)] }),
    JSON.stringify({ model: 'm', input: 'hi', tools: [{ type: 'code_interpreter', container }] }),
    JSON.stringify({
      model: 'm',
      input: 'hi',
      tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: container } }],
    }),
    JSON.stringify({
      model: 'm',
      input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'code_interpreter', container }] }],
    }),
  ]
  for (const each of [...body('cntr_mine'), ...body('cntr_shell')])
    await refused(responses, each, /names the container 'cntr_\w+', whose response is not stored/)
  own.upstream.answer(jsonReply({ ...Object(responseObject(speech)), id: 'resp_contained', output: [code, shellIn('cntr_shell')] }))
  assert.equal((await exchange(own.gateway.url + responses, { body: '{"model":"m","input":"hi"}', key: mine })).status, 200)
  own.upstream.received.length = 0
  for (const each of [...body('cntr_mine'), ...body('cntr_shell')]) {
    assert.equal((await exchange(own.gateway.url + responses, { body: each, key: mine })).status, 200, each)
    assert.equal((await exchange(own.gateway.url + responses, { body: each, key: theirs })).status, 400, each)
  }
})

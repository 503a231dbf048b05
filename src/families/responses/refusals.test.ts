import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unreadablePart } from '@generation-gateway/kit/requests/refused-part.ts'
import { type Model, path, startModel } from './testing/start-model.ts'

let model: Model
before(async () => {
  model = await startModel()
})
after(() => model.gateway[Symbol.asyncDispose]())

interface Refusal {
  status?: number
  code: string | null
  param: string | null
  says?: RegExp
}

async function refused(body: object, { status = 400, code, param, says = /./ }: Refusal) {
  const answer = await model.gateway.call(path, { body: { model: 'fake', ...body } })
  assertRefused(answer, { status, code, param, says }, JSON.stringify(body).slice(0, 200))
}

function assertRefused(answer: { status: number; body: { error: Record<string, unknown> } }, wanted: Required<Refusal>, what: string) {
  const { status, code, param, says } = wanted
  assert.deepEqual([answer.status, answer.body?.error?.code, answer.body?.error?.param], [status, code, param], what)
  assert.equal(answer.body.error.type, 'invalid_request_error', what)
  assert.match(String(answer.body.error.message), says, what)
}

/** Returns a body with a user message that consists of these parts. */
const parts = (...content: object[]) => ({ input: [{ role: 'user', content }] })

test('an unknown id is a 404 that names it, on every operation', async () => {
  const { id: deleted } = await model.create({ input: 'x' })
  await model.gateway.call(`${path}/${deleted}`, { method: 'DELETE' })
  const hidden = (await model.create({ input: 'x', store: false })).id
  for (const id of ['resp_none', deleted, hidden]) {
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '?stream=true'],
      ['GET', '/input_items'],
      ['DELETE', ''],
      ['POST', '/cancel'],
    ] as const) {
      const answer = await model.gateway.call(`${path}/${id}${suffix}`, { method })
      assertRefused(answer, { status: 404, code: null, param: null, says: new RegExp(id) }, `${method} ${suffix}`)
    }
  }
})

test('an id with illegal characters is a 400', async () => {
  const answer = await model.gateway.call(`${path}/resp%20x`)
  assertRefused(answer, { status: 400, code: 'invalid_value', param: 'response_id', says: /visible/ }, 'resp x')
})

test('previous_response_id must name a stored response', async () => {
  const { id: deleted } = await model.create({ input: 'x' })
  await model.gateway.call(`${path}/${deleted}`, { method: 'DELETE' })
  const { id: hidden } = await model.create({ input: 'x', store: false })
  for (const id of ['resp_none', deleted, hidden]) {
    await refused(
      { input: 'y', previous_response_id: id },
      { code: 'previous_response_not_found', param: 'previous_response_id', says: new RegExp(id) },
    )
  }
})

test('a tool output must belong to a call', async () => {
  const says = /found for call_id 'c1'/
  await refused({ input: [{ type: 'function_call_output', call_id: 'c1', output: 'x' }] }, { code: 'invalid_value', param: 'input', says })
  const custom = { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: '' }
  await refused(
    { input: [custom, { type: 'function_call_output', call_id: 'c1', output: 'x' }] },
    { code: 'invalid_value', param: 'input', says },
  )
  await refused(
    { input: [{ type: 'custom_tool_call_output', call_id: 'c1', output: 'x' }, custom] },
    { code: 'invalid_value', param: 'input' },
  )
})

test('a missing required field is named', async () => {
  await refused({}, { code: 'missing_required_parameter', param: 'input' })
  await refused({ input: [{ content: 'x' }] }, { code: 'missing_required_parameter', param: 'input[0].role' })
  await refused({ input: [{ role: 'user' }] }, { code: 'missing_required_parameter', param: 'input[0].content' })
  await refused(parts({ type: 'input_text' }), { code: 'missing_required_parameter', param: 'input[0].content[0].text' })
  await refused({ input: 'x', tools: [{ type: 'function' }] }, { code: 'missing_required_parameter', param: 'tools[0].name' })
})

test('an item or part of an unknown type is refused with its path', async () => {
  await refused(parts({ type: 'input_text', text: 'a' }, { type: 'input_smell' }), {
    code: 'invalid_value',
    param: 'input[0].content[1]',
    says: /input_smell.*input_image/,
  })
  await refused({ input: [{ type: 'web_search_call' }] }, { code: 'invalid_value', param: 'input[0]' })
  await refused({ input: ['text'] }, { code: 'invalid_value', param: 'input[0]' })
  await refused({ input: [] }, { code: 'invalid_value', param: 'input' })
  await refused({ input: [{ role: 'robot', content: 'x' }] }, { code: 'unsupported_value', param: 'input[0].role' })
  await refused(
    { input: [{ role: 'assistant', content: [{ type: 'input_image', image_url: 'https://a.example/a.png' }] }] },
    { code: 'invalid_value', param: 'input[0].content[0]' },
  )
  await refused({ input: [{ type: 'item_reference', id: 'msg_1' }] }, { code: 'invalid_value', param: 'input[0]', says: /msg_1/ })
})

test('fps may be 0.2 to 5', async () => {
  const video = (fps: unknown) => parts({ type: 'input_video', video_url: 'https://a.example/a.mp4', fps })
  for (const fps of [0.2, 5]) await model.create(video(fps))
  for (const fps of [0.19, 5.01, '1', 0])
    await refused(video(fps), { code: 'invalid_value', param: 'input[0].content[0].fps', says: /0\.2 to 5/ })
})

test('invalid images, videos and files have the error codes of their kind', async () => {
  const image = (url: string) => parts({ type: 'input_image', image_url: url })
  const imagePlace = 'input[0].content[0].image_url'
  await refused(image('ftp://a.example/a.png'), { code: 'invalid_image_url', param: imagePlace })
  await refused(image('data:text/plain;base64,AAAA'), { code: 'unsupported_image_media_type', param: imagePlace })
  await refused(image('data:image/png;base64,A*AA'), { code: 'invalid_base64_image', param: imagePlace })
  await refused(image('data:image/png;base64,'), { code: 'empty_image_file', param: imagePlace })
  await refused(image(`data:image/png;base64,${'A'.repeat(20_971_520)}`), {
    code: 'image_too_large',
    param: imagePlace,
    says: /at most 20971520/,
  })
  const video = (url: string) => parts({ type: 'input_video', video_url: url })
  const videoPlace = 'input[0].content[0].video_url'
  await refused(video('data:image/png;base64,AAAA'), { code: 'invalid_video_url', param: videoPlace })
  await refused(parts({ type: 'input_image', file_id: 'f' }), { code: 'unsupported_value', param: 'input[0].content[0].file_id' })
  await refused(parts({ type: 'input_file', file_url: 'https://a.example/a.pdf' }), {
    code: 'unsupported_value',
    param: 'input[0].content[0].file_url',
  })
  await refused(parts({ type: 'input_file', file_data: 'AAAA' }), { code: 'invalid_value', param: 'input[0].content[0].file_data' })
  await refused(parts({ type: 'input_audio', input_audio: { data: '*', format: 'mp3' } }), {
    code: 'invalid_value',
    param: 'input[0].content[0].input_audio.data',
  })
})

test('a video of 50 MB is accepted, one byte more is refused', async () => {
  const video = (bytes: number) =>
    parts({ type: 'input_video', video_url: `data:video/mp4;base64,${Buffer.alloc(bytes).toString('base64')}` })
  const limit = 50 * 2 ** 20
  await model.create({ ...video(limit), store: false })
  await refused(video(limit + 1), { code: 'video_too_large', param: 'input[0].content[0].video_url', says: /52428801/ })
})

test('a text of the greatest length is accepted, one character more is refused', async () => {
  const limit = 10_485_760
  await model.create({ input: 'a'.repeat(limit), store: false })
  for (const field of ['input', 'instructions']) {
    await refused({ input: 'x', [field]: 'a'.repeat(limit + 1) }, { code: 'invalid_value', param: field, says: /at most 10485760/ })
  }
})

test('expire_at must be in the future and at most seven days ahead', async () => {
  const now = Math.floor(Date.now() / 1000)
  const week = 7 * 24 * 3600
  for (const ahead of [60, week - 1]) assert.equal((await model.create({ input: 'x', expire_at: now + ahead })).expire_at, now + ahead)
  for (const ahead of [0, -5, week + 60]) {
    await refused({ input: 'x', expire_at: now + ahead }, { code: 'invalid_value', param: 'expire_at', says: /7 days/ })
  }
})

test('unsupported features are refused by name', async () => {
  await refused({ input: 'x', conversation: { id: 'conv_1' } }, { code: 'invalid_value', param: 'conversation', says: /not offered/ })
  await refused({ input: 'x', prompt: { id: 'pmpt_1' } }, { code: 'unsupported_value', param: 'prompt' })
  await refused({ input: 'x', tools: [{ type: 'telepathy' }] }, { code: 'unsupported_value', param: 'tools[0].type' })
  await refused({ input: 'x', background: true, store: false }, { code: 'invalid_value', param: 'store' })
  await refused(
    { input: 'x', thinking: { type: 'disabled' }, reasoning: { effort: 'high' } },
    { code: 'invalid_value', param: 'reasoning.effort' },
  )
})

test('a tool choice must name declared tools', async () => {
  const tools = [{ type: 'function', name: 'weather' }]
  const refusal = { code: 'invalid_value', param: 'tool_choice' }
  for (const choice of [
    { type: 'function', name: 'other' },
    { type: 'custom', name: 'weather' },
    { type: 'allowed_tools', mode: 'auto', tools: [] },
    { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'other' }] },
  ]) {
    await refused({ input: 'x', tools, tool_choice: choice }, refusal)
  }
  await refused({ input: 'x', tool_choice: 'required' }, refusal)
  await refused({ input: 'x', tools: [...tools, ...tools] }, { code: 'invalid_value', param: 'tools[1].name' })
  await refused({ input: 'x', tools: [{ type: 'function', name: 'a b' }] }, { code: 'invalid_value', param: 'tools[0].name' })
  await refused(
    { input: 'x', tools: [{ type: 'custom', name: 'a', format: { type: 'grammar', syntax: 'peg', definition: '' } }] },
    { code: 'unsupported_value', param: 'tools[0].format.syntax' },
  )
  await refused(
    { input: 'x', text: { format: { type: 'json_schema', name: 'a' } } },
    { code: 'invalid_value', param: 'text.format.schema' },
  )
  await refused({ input: 'x', text: { verbosity: 'chatty' } }, { code: 'unsupported_value', param: 'text.verbosity' })
})

test('metadata may have 16 pairs of text', async () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))
  await model.create({ input: 'x', metadata: pairs(16) })
  await refused({ input: 'x', metadata: pairs(17) }, { code: 'invalid_value', param: 'metadata' })
  await refused({ input: 'x', metadata: { ['k'.repeat(65)]: 'v' } }, { code: 'invalid_value', param: 'metadata' })
  await refused({ input: 'x', metadata: { k: 'v'.repeat(513) } }, { code: 'invalid_value', param: 'metadata.k' })
  await refused({ input: 'x', metadata: { k: 1 } }, { code: 'invalid_value', param: 'metadata.k' })
})

test('pages have a limited size, and cursors must exist', async () => {
  const { id } = await model.create({ input: 'x' })
  const cases: [string, string, string][] = [
    ['limit=0', 'limit', 'invalid_value'],
    ['limit=101', 'limit', 'invalid_value'],
    ['order=up', 'order', 'unsupported_value'],
    ['after=msg_none', 'after', 'invalid_value'],
    ['before=msg_none', 'before', 'invalid_value'],
  ]
  for (const [query, param, code] of cases) {
    const answer = await model.get(id, `/input_items?${query}`)
    assert.deepEqual([answer.status, answer.body.error.param], [400, param], query)
    if (param !== 'order') assert.equal(answer.body.error.code, code, query)
  }
})

test('only a background response can be cancelled', async () => {
  const { id } = await model.create({ input: 'x' })
  const answer = await model.gateway.call(`${path}/${id}/cancel`, { method: 'POST' })
  assertRefused(answer, { status: 400, code: null, param: null, says: /background/ }, 'cancel')
})

test('a required field that is null counts as missing', async () => {
  const missing = (body: object, param: string) =>
    refused(body, { code: 'missing_required_parameter', param, says: new RegExp(`${param.replace(/[[\]]/g, '\\$&')} is required`) })
  await missing({ input: null }, 'input')
  await missing({ input: [{ role: null, content: 'x' }] }, 'input[0].role')
  await missing({ input: [{ role: 'user', content: null }] }, 'input[0].content')
  await missing(parts({ type: null, text: 'x' }), 'input[0].content[0].type')
  await missing(parts({ type: 'input_text', text: null }), 'input[0].content[0].text')
  await missing({ input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: null }] }, 'input[0].arguments')
  await missing({ input: 'x', tools: [{ type: 'function', name: null }] }, 'tools[0].name')
})

test('a part that the model cannot read is refused with its path', async () => {
  const part = { input_image: { image_url: 'data:image/png;base64,iVBORw0KGgo=' }, input_video: { video_url: 'https://example.com/a.mp4' } }
  for (const kind of ['image', 'video'] as const) {
    // biome-ignore lint/correctness/useYield: the model refuses before its first event.
    model.says(async function* () {
      throw unreadablePart(kind, `This model takes no ${kind}.`)
    })
    const type = `input_${kind}` as const
    const body = { input: [{ role: 'user', content: 'Look:' }, ...parts({ type: 'input_text', text: 'x' }, { type, ...part[type] }).input] }
    await refused(body, { code: 'invalid_value', param: 'input[1].content[1]', says: /^This model takes no / })
  }
})

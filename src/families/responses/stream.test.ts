import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { testKey } from '../../testing/gateway.ts'
import { liveFrames } from './stream.ts'
import { all, type Frame, type Model, path, startModel, words } from './testing/start-model.ts'

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }

let model: Model
before(async () => {
  model = await startModel()
})
after(() => model.gateway[Symbol.asyncDispose]())

/** Returns the types of the events in order, with repeated deltas merged into one. */
function typesOf(frames: Frame[]): string[] {
  return frames
    .map(frame => frame.data.type ?? frame.data)
    .filter((type, index, types) => !type.endsWith?.('.delta') || type !== types[index - 1])
}

function dataOf(frames: Frame[], type: string) {
  return frames.filter(frame => frame.data.type === type).map(frame => frame.data)
}

function assertNumbered(frames: Frame[]): void {
  assert.equal(frames.at(-1)?.data, '[DONE]')
  for (const [index, { event, data }] of frames.slice(0, -1).entries()) {
    assert.equal(data.sequence_number, index)
    assert.equal(event, data.type)
  }
}

test('a text is streamed as in trace 10.1, and the final object equals the stored one', async () => {
  model.says(() => words('Three boats sail.'))
  const frames = await model.frames(path, { input: 'Look!' })
  assertNumbered(frames)
  assert.deepEqual(typesOf(frames), [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
    '[DONE]',
  ])
  const [created] = dataOf(frames, 'response.created')
  assert.deepEqual([created.response.status, created.response.output, created.response.usage], ['in_progress', [], null])
  const [added] = dataOf(frames, 'response.output_item.added')
  const { id } = added.item
  assert.match(id, /^msg_[0-9a-f]+$/)
  assert.deepEqual(added, {
    type: 'response.output_item.added',
    sequence_number: 2,
    output_index: 0,
    item: { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] },
  })
  const place = { item_id: id, output_index: 0, content_index: 0 }
  const part = { type: 'output_text', text: 'Three boats sail.', annotations: [], logprobs: [] }
  assert.deepEqual(dataOf(frames, 'response.content_part.added'), [
    { type: 'response.content_part.added', sequence_number: 3, ...place, part: { ...part, text: '' } },
  ])
  assert.deepEqual(
    dataOf(frames, 'response.output_text.delta'),
    ['Three ', 'boats ', 'sail.'].map((delta, index) => {
      return { type: 'response.output_text.delta', sequence_number: 4 + index, ...place, delta, logprobs: [] }
    }),
  )
  assert.deepEqual(dataOf(frames, 'response.output_text.done'), [
    { type: 'response.output_text.done', sequence_number: 7, ...place, text: 'Three boats sail.', logprobs: [] },
  ])
  assert.deepEqual(dataOf(frames, 'response.content_part.done'), [
    { type: 'response.content_part.done', sequence_number: 8, ...place, part },
  ])
  const item = { id, type: 'message', status: 'completed', role: 'assistant', content: [part] }
  assert.deepEqual(dataOf(frames, 'response.output_item.done'), [
    { type: 'response.output_item.done', sequence_number: 9, output_index: 0, item },
  ])
  const [{ response }] = dataOf(frames, 'response.completed')
  assert.deepEqual([response.status, response.output], ['completed', [item]])
  assert.deepEqual((await model.get(response.id)).body, response)
})

test('a call after reasoning is streamed as in trace 10.2', async () => {
  model.says(() =>
    all(
      { type: 'reasoning', part: 'summary', delta: 'I need ' },
      { type: 'reasoning', part: 'summary', delta: 'the weather.' },
      { type: 'reasoning-end' },
      { type: 'call', index: 0, kind: 'function', callId: 'call_1', name: 'weather' },
      { type: 'call-input', index: 0, delta: '{"town":' },
      { type: 'call-input', index: 0, delta: '"Oslo"}' },
      { type: 'finish', finish: 'tool_calls' },
    ),
  )
  const frames = await model.frames(path, { input: 'Weather?', tools: [{ type: 'function', name: 'weather' }] })
  assertNumbered(frames)
  assert.deepEqual(typesOf(frames), [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
    '[DONE]',
  ])
  const [reasoning, call] = dataOf(frames, 'response.output_item.added')
  assert.match(reasoning.item.id, /^rs_/)
  assert.match(call.item.id, /^fc_/)
  assert.deepEqual(call.item, {
    id: call.item.id,
    type: 'function_call',
    status: 'in_progress',
    call_id: 'call_1',
    name: 'weather',
    arguments: '',
  })
  assert.deepEqual([reasoning.output_index, call.output_index], [0, 1])
  const summary = { item_id: reasoning.item.id, output_index: 0, summary_index: 0 }
  assert.deepEqual(dataOf(frames, 'response.reasoning_summary_text.done'), [
    { type: 'response.reasoning_summary_text.done', sequence_number: 6, ...summary, text: 'I need the weather.' },
  ])
  assert.deepEqual(dataOf(frames, 'response.reasoning_summary_part.done'), [
    {
      type: 'response.reasoning_summary_part.done',
      sequence_number: 7,
      ...summary,
      part: { type: 'summary_text', text: 'I need the weather.' },
    },
  ])
  const [done] = dataOf(frames, 'response.function_call_arguments.done')
  assert.deepEqual([done.item_id, done.output_index, done.name, done.arguments], [call.item.id, 1, 'weather', '{"town":"Oslo"}'])
  const [{ response }] = dataOf(frames, 'response.completed')
  assert.equal(response.status, 'completed')
  assert.deepEqual(
    response.output,
    dataOf(frames, 'response.output_item.done').map(event => event.item),
  )
})

test('a custom tool call is streamed as in trace 10.3, and text after it begins a new message', async () => {
  model.says(() =>
    all(
      { type: 'call', index: 0, kind: 'custom', callId: 'call_9', name: 'sql' },
      { type: 'call-input', index: 0, delta: 'select 1' },
      { type: 'text', delta: 'There.' },
    ),
  )
  const frames = await model.frames(path, { input: 'x', tools: [{ type: 'custom', name: 'sql' }] })
  assertNumbered(frames)
  assert.deepEqual(typesOf(frames).slice(2, 7), [
    'response.output_item.added',
    'response.custom_tool_call_input.delta',
    'response.custom_tool_call_input.done',
    'response.output_item.done',
    'response.output_item.added',
  ])
  const [call, message] = dataOf(frames, 'response.output_item.done')
  assert.match(call.item.id, /^ctc_/)
  assert.deepEqual(
    [call.item.type, call.item.call_id, call.item.input, call.item.status],
    ['custom_tool_call', 'call_9', 'select 1', 'completed'],
  )
  assert.deepEqual([message.output_index, message.item.content[0].text], [1, 'There.'])
})

test('each item is finished before the next begins, also among calls; a call without arguments has an empty object', async () => {
  const call = (index: number) => ({ type: 'call', index, kind: 'function', callId: `c${index}`, name: 'weather' }) as const
  model.says(() =>
    all({ type: 'text', delta: 'Both.' }, call(0), { type: 'call-input', index: 0, delta: '{}' }, call(1), { type: 'text', delta: 'So.' }),
  )
  const frames = await model.frames(path, { input: 'x', tools: [{ type: 'function', name: 'weather' }] })
  const steps = frames
    .filter(({ data }) => /output_item/.test(data.type))
    .map(({ data }) => `${data.output_index} ${data.type.split('.').at(-1)}`)
  assert.deepEqual(steps, ['0 added', '0 done', '1 added', '1 done', '2 added', '2 done', '3 added', '3 done'])
  const [{ response }] = dataOf(frames, 'response.completed')
  assert.deepEqual(
    response.output.map((item: { status: string; arguments?: string }) => [item.status, item.arguments]),
    [
      ['completed', undefined],
      ['completed', '{}'],
      ['completed', '{}'],
      ['completed', undefined],
    ],
  )
})

test('a call that continues after another call has begun is an upstream error', async () => {
  const call = (index: number) => ({ type: 'call', index, kind: 'function', callId: `c${index}`, name: 'weather' }) as const
  model.says(() => all(call(0), call(1), { type: 'call-input', index: 0, delta: '{}' }))
  const { status, body } = await model.gateway.call(path, { body: { model: 'fake', input: 'x' } })
  assert.deepEqual([status, body.error.code], [502, 'upstream_error'])
})

test('refusals, raw reasoning and log probabilities have their own events', async () => {
  const logprob = { token: 'Hi', logprob: -0.1, bytes: [72, 105], top: [{ token: 'Ho', logprob: -2, bytes: null }] }
  model.says(() =>
    all(
      { type: 'reasoning', part: 'content', delta: 'hm' },
      { type: 'text', delta: '' },
      { type: 'reasoning-end' },
      { type: 'reasoning-end' },
      { type: 'text', delta: 'Hi', logprobs: [logprob] },
      { type: 'refusal', delta: 'No.' },
    ),
  )
  const frames = await model.frames(path, { input: 'x', top_logprobs: 1 })
  assertNumbered(frames)
  assert.equal(model.requests.at(-1)?.topLogprobs, 1)
  assert.deepEqual(typesOf(frames).slice(2, -2), [
    'response.output_item.added',
    'response.content_part.added',
    'response.reasoning_text.delta',
    'response.reasoning_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.content_part.added',
    'response.refusal.delta',
    'response.refusal.done',
    'response.content_part.done',
    'response.output_item.done',
  ])
  const wire = { token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [{ token: 'Ho', logprob: -2, bytes: [] }] }
  assert.deepEqual(dataOf(frames, 'response.output_text.delta')[0].logprobs, [wire])
  const [{ response }] = dataOf(frames, 'response.completed')
  assert.deepEqual(response.output[0].content, [{ type: 'reasoning_text', text: 'hm' }])
  assert.deepEqual(response.output[1].content, [
    { type: 'output_text', text: 'Hi', annotations: [], logprobs: [wire] },
    { type: 'refusal', refusal: 'No.' },
  ])
})

test('an answer that was cut off ends with response.incomplete and an incomplete item', async () => {
  model.says(() => all({ type: 'text', delta: 'Half a' }, { type: 'finish', finish: 'length' }))
  const frames = await model.frames(path, { input: 'x' })
  assert.deepEqual(typesOf(frames).slice(-3), ['response.output_item.done', 'response.incomplete', '[DONE]'])
  const [{ response }] = dataOf(frames, 'response.incomplete')
  assert.deepEqual(
    [response.status, response.incomplete_details, response.completed_at],
    ['incomplete', { reason: 'max_output_tokens' }, null],
  )
  assert.equal(response.output[0].status, 'incomplete')
  assert.equal(response.usage.total_tokens, 10)
})

test('an error before the first event is an HTTP answer; nothing is stored', async () => {
  model.says(async function* () {
    yield* []
    throw new GatewayError('context_length_exceeded', 'The conversation has 9 tokens; at most 8.')
  })
  for (const stream of [false, true]) {
    const { status, body } = await model.gateway.call(path, { body: { model: 'fake', input: 'x', stream } })
    assert.deepEqual([status, body.error.code, body.error.type], [400, 'context_length_exceeded', 'invalid_request_error'])
  }
})

test('an error after the first event sends error events of both forms, then response.failed; the failed response is stored', async () => {
  model.says(async function* () {
    yield { type: 'text', delta: 'Half' }
    throw new GatewayError('upstream_error', 'The upstream broke off.')
  })
  const frames = await model.frames(path, { input: 'x' })
  assertNumbered(frames)
  assert.deepEqual(typesOf(frames).slice(-4), ['response.output_text.delta', 'error', 'response.failed', '[DONE]'])
  const [{ request_id: requestId, ...error }] = dataOf(frames, 'error').map(event => event.error)
  assert.ok(requestId)
  assert.deepEqual(error, { code: 'upstream_error', message: 'The upstream broke off.', param: null, type: 'upstream_error' })
  const [flat] = dataOf(frames, 'error')
  assert.deepEqual([flat.code, flat.message, flat.param], ['upstream_error', 'The upstream broke off.', null])
  const [{ response }] = dataOf(frames, 'response.failed')
  assert.deepEqual(response.error, { type: 'server_error', code: 'server_error', message: 'The upstream broke off.' })
  assert.deepEqual([response.output[0].status, response.output[0].content[0].text], ['incomplete', 'Half'])
  assert.deepEqual((await model.get(response.id)).body, response)
})

test('a stored response is replayed with the same events each time, also from a given number on', async () => {
  model.says(() =>
    all({ type: 'reasoning', part: 'summary', delta: 'Hm.' }, { type: 'text', delta: 'Two ' }, { type: 'text', delta: 'words.' }),
  )
  const { id, ...created } = await model.create({ input: 'x' })
  const frames = await model.frames(`${path}/${id}?stream=true`)
  assertNumbered(frames)
  assert.deepEqual(typesOf(frames), [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
    '[DONE]',
  ])
  assert.deepEqual(dataOf(frames, 'response.completed')[0].response, { id, ...created })
  const [begun] = dataOf(frames, 'response.created')
  assert.deepEqual([begun.response.status, begun.response.output, begun.response.completed_at], ['in_progress', [], null])
  assert.deepEqual(await model.frames(`${path}/${id}?stream=true&starting_after=7`), frames.slice(8))
  assert.deepEqual(await model.frames(`${path}/${id}?stream=true&starting_after=99`), frames.slice(-1))
})

test('the model stops when the caller disconnects, and nothing is stored', async () => {
  const stopped = Promise.withResolvers<void>()
  model.says(async function* ({ signal }) {
    yield { type: 'text', delta: 'One ' }
    await new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))).finally(stopped.resolve)
  })
  const leaving = new AbortController()
  const answer = await fetch(model.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fake', input: 'x', stream: true }),
    signal: leaving.signal,
  })
  const { value } = (await answer.body?.getReader().read()) ?? {}
  const id = /resp_[0-9a-f]+/.exec(Buffer.from(value ?? []).toString())?.[0] ?? ''
  leaving.abort()
  await stopped.promise
  assert.equal((await model.get(id)).status, 404)
})

test('a response that cannot be stored is reported as failed and never as completed', async () => {
  const saved: string[] = []
  model.says(() => words('Hi.'))
  const frames = liveFrames({
    context: { signal: new AbortController().signal, requestId: 'req_1' },
    run: (async function* () {
      yield { type: 'text', delta: 'Hi' } as const
      yield { type: 'finish', result: { finish: 'stop', usage: noUsage } } as const
    })(),
    response: await model.create({ input: 'x', store: false }),
    showsEncrypted: false,
    async save(response) {
      saved.push(response.status)
      throw new GatewayError('store_unavailable', 'The store cannot be written.')
    },
  })
  const types: unknown[] = []
  for await (const { event } of frames) types.push(event)
  assert.deepEqual(types.slice(-4), ['response.output_item.done', 'error', 'response.failed', undefined])
  assert.deepEqual(saved, ['completed', 'failed'])
})

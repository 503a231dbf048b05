import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { testKey } from '../../testing/gateway.ts'
import { all, type Model, path, type ScriptEvent, startModel, words } from './testing/start-model.ts'

let model: Model
before(async () => {
  model = await startModel()
})
after(() => model.gateway[Symbol.asyncDispose]())

/** Returns a model that says one word and then waits until it is released or stopped. */
function heldModel() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isHeld = false
  let wasStopped = false
  model.says(async function* ({ signal }): AsyncIterable<ScriptEvent> {
    const stopped = new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    stopped.catch(() => {})
    yield { type: 'text', delta: 'One ' }
    try {
      isHeld = true
      await Promise.race([promise, stopped])
    } catch (error) {
      wasStopped = true
      throw error
    }
    yield { type: 'text', delta: 'two.' }
  })
  return { letOn: resolve, isHeld: () => isHeld, wasStopped: () => wasStopped }
}

async function withStatus(id: string, status: string) {
  return until(async () => {
    const { body } = await model.get(id)
    return body.status === status ? body : undefined
  }, `status ${status}`)
}

test('a background response is queued, then in progress, then completed; its items keep their ids', async () => {
  const { letOn } = heldModel()
  const created = await model.create({ input: 'Count', background: true, metadata: { a: 'b' } })
  assert.deepEqual([created.status, created.background, created.output, created.usage], ['queued', true, [], null])
  const running = await withStatus(created.id, 'in_progress')
  assert.deepEqual([running.output, running.completed_at, running.error], [[], null, null])
  letOn()
  const done = await withStatus(created.id, 'completed')
  assert.equal(done.output[0].content[0].text, 'One two.')
  assert.deepEqual([done.usage.total_tokens, done.metadata, done.created_at], [10, { a: 'b' }, created.created_at])
  assert.ok(done.completed_at >= done.created_at)
  assert.deepEqual((await model.get(created.id)).body, done)
})

test('calls and reasoning of a background response become items, and the next turn includes them', async () => {
  model.says(() =>
    all(
      { type: 'reasoning', part: 'summary', delta: 'Hm' },
      { type: 'reasoning-end', encrypted: 'sealed', id: 'rs_up' },
      { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' },
      { type: 'call-input', index: 0, delta: '{}' },
      { type: 'call', index: 1, kind: 'custom', callId: 'c2', name: 'sql' },
      { type: 'call-input', index: 1, delta: 'select' },
      { type: 'finish', finish: 'tool_calls' },
    ),
  )
  const { id } = await model.create({ input: 'x', background: true })
  const { output } = await withStatus(id, 'completed')
  assert.deepEqual(
    output.map((item: { type: string; id: string }) => `${item.type} ${item.id.split('_')[0]}`),
    ['reasoning rs', 'function_call fc', 'custom_tool_call ctc'],
  )
  assert.equal('encrypted_content' in output[0], false)
  model.says(() => words('Fine.'))
  await model.create({ input: [{ type: 'function_call_output', call_id: 'c1', output: 'rain' }], previous_response_id: id })
  assert.deepEqual(
    model.requests.at(-1)?.items.map(item => item.type),
    ['message', 'reasoning', 'call', 'call', 'result'],
  )
})

test('a response that was cut off is incomplete, and a failed one has its reason', async () => {
  model.says(() => all({ type: 'text', delta: 'Half' }, { type: 'finish', finish: 'content_filter' }))
  const cut = await withStatus((await model.create({ input: 'x', background: true })).id, 'incomplete')
  assert.deepEqual([cut.incomplete_details, cut.output[0].status], [{ reason: 'content_filter' }, 'incomplete'])
  model.says(async function* () {
    yield* []
    throw new GatewayError('context_length_exceeded', 'Too long by 3 tokens.')
  })
  const failed = await withStatus((await model.create({ input: 'x', background: true })).id, 'failed')
  assert.deepEqual(failed.error, { type: 'invalid_request_error', code: 'invalid_prompt', message: 'Too long by 3 tokens.' })
  model.says(async function* () {
    yield* []
    throw new GatewayError('invalid_request', about('items', 'too many.'), { field: 'items' })
  })
  const refused = await withStatus((await model.create({ input: 'x', background: true })).id, 'failed')
  assert.equal(refused.error.message, 'input: too many.')
})

test('a turn that is not finished cannot be continued', async () => {
  const { letOn } = heldModel()
  const { id } = await model.create({ input: 'x', background: true })
  const refusal = await model.gateway.call(path, { body: { model: 'fake', input: 'y', previous_response_id: id } })
  assert.deepEqual(
    [refusal.status, refusal.body.error.code, refusal.body.error.param],
    [400, 'previous_response_not_completed', 'previous_response_id'],
  )
  letOn()
  await withStatus(id, 'completed')
  await model.create({ input: 'y', previous_response_id: id })
})

test('a cancel stops the model and can be repeated', async () => {
  const held = heldModel()
  const { id } = await model.create({ input: 'x', background: true })
  await withStatus(id, 'in_progress')
  await until(held.isHeld, 'the first word of the model')
  const cancel = () => model.gateway.call(`${path}/${id}/cancel`, { method: 'POST' })
  const first = await cancel()
  assert.deepEqual([first.status, first.body.id, first.body.status, first.body.output], [200, id, 'cancelled', []])
  await until(held.wasStopped, 'the end of the model')
  assert.deepEqual((await cancel()).body, first.body)
  assert.deepEqual((await model.get(id)).body, first.body)
  const frames = await model.frames(`${path}/${id}?stream=true`)
  const last = frames.at(-2)?.data
  assert.deepEqual([last.type, last.response.status], ['response.failed', 'cancelled'])
})

test('a cancel leaves a finished response as it is', async () => {
  model.says(() => words('Done.'))
  const { id } = await model.create({ input: 'x', background: true })
  const done = await withStatus(id, 'completed')
  assert.deepEqual((await model.gateway.call(`${path}/${id}/cancel`, { method: 'POST' })).body, done)
})

test('deleting a running response stops it', async () => {
  const held = heldModel()
  const { id } = await model.create({ input: 'x', background: true })
  await withStatus(id, 'in_progress')
  await until(held.isHeld, 'the first word of the model')
  assert.equal((await model.gateway.call(`${path}/${id}`, { method: 'DELETE' })).status, 200)
  assert.equal((await model.get(id)).status, 404)
  await until(held.wasStopped, 'the end of the model')
})

test('the stream of a background response waits for it, and every later reading gives the same events', async () => {
  const { letOn } = heldModel()
  const streaming = model.frames(path, { input: 'x', background: true })
  letOn()
  const frames = await streaming
  assert.deepEqual(
    frames.map(frame => frame.data.type ?? frame.data),
    [
      'response.created',
      'response.queued',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
      '[DONE]',
    ],
  )
  assert.deepEqual(
    frames.slice(0, 3).map(frame => frame.data.response.status),
    ['queued', 'queued', 'in_progress'],
  )
  assert.deepEqual(
    frames.slice(0, -1).map(frame => frame.data.sequence_number),
    frames.slice(0, -1).map((_, index) => index),
  )
  const { response } = frames.at(-2)?.data ?? {}
  assert.deepEqual((await model.get(response.id)).body, response)
  assert.deepEqual(await model.frames(`${path}/${response.id}?stream=true`), frames)
  assert.deepEqual(await model.frames(`${path}/${response.id}?stream=true&starting_after=4`), frames.slice(5))
})

test('a stream that is opened while the model works continues to the end of the response', async () => {
  const { letOn } = heldModel()
  const { id } = await model.create({ input: 'x', background: true })
  await withStatus(id, 'in_progress')
  const streaming = model.frames(`${path}/${id}?stream=true&starting_after=2`)
  letOn()
  const frames = await streaming
  assert.deepEqual([frames[0]?.data.sequence_number, frames.at(-2)?.data.response.status], [3, 'completed'])
})

test('a background response waits while its model is missing from the configuration', async () => {
  const file = join(model.gateway.dataDir, 'gateway.yaml')
  const { letOn } = heldModel()
  // Four responses run, which is the number that the model serves at the same time. The next
  // response has to wait, and the model is removed before it begins.
  const running = await Promise.all(Array.from({ length: 4 }, () => model.create({ input: 'x', background: true })))
  for (const { id } of running) await withStatus(id, 'in_progress')
  const { id } = await model.create({ input: 'x', background: true })
  const yaml = await readFile(file, 'utf8')
  await writeFile(file, 'models: []\n')
  await model.gateway.gateway.reload()
  letOn()
  for (const each of running) await withStatus(each.id, 'completed')
  const { body } = await model.gateway.admin('/admin/tasks?family=responses&limit=1')
  const isPutBack = async () => {
    const { events } = (await model.gateway.admin(`/admin/tasks/${body.tasks[0].id}`)).body
    return events.some((event: { type: string }) => event.type === 'task.retrying')
  }
  await until(isPutBack, 'the wait')
  assert.equal((await model.get(id)).body.status, 'queued')
  await writeFile(file, yaml)
  await model.gateway.gateway.reload()
  await withStatus(id, 'completed')
})

test('a repeat with the same Idempotency-Key returns the same response', async () => {
  model.says(() => words('Once.'))
  const send = () =>
    model.gateway.call(path, { body: { model: 'fake', input: 'x', background: true }, headers: { 'idempotency-key': 'key-1' } })
  const first = await send()
  await withStatus(first.body.id, 'completed')
  const count = model.requests.length
  const second = await send()
  assert.deepEqual([second.body.id, second.body.status, model.requests.length], [first.body.id, 'completed', count])
})

test('a background response continues when the reader of its stream disconnects', async () => {
  const held = heldModel()
  const leaving = new AbortController()
  const answer = await fetch(model.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fake', input: 'x', stream: true, background: true }),
    signal: leaving.signal,
  })
  const { value } = (await answer.body?.getReader().read()) ?? {}
  const id = /resp_[0-9a-f]+/.exec(Buffer.from(value ?? []).toString())?.[0] ?? ''
  leaving.abort()
  await withStatus(id, 'in_progress')
  held.letOn()
  const done = await withStatus(id, 'completed')
  assert.deepEqual([done.output[0].content[0].text, held.wasStopped()], ['One two.', false])
})

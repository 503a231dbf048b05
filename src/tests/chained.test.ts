/** Two gateways: the outer one uses the inner one as its upstream. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { fakeTextDriver, fakeTextYaml, says } from '../testing/fakes/fake-text-driver.ts'
import { freePort } from '../testing/free-port.ts'
import { startTestGateway, type TestGateway, type TestOptions } from '../testing/gateway.ts'

const innerKey = 'sk-inner-access-key-0001'
const outerKey = 'sk-outer-access-key-0001'
const submitPath = '/v1/ai/default/imgf/image/generate'
const chatPath = '/v1/ai/default/chat/completions'
const responsesPath = '/v1/ai/default/responses'
const json = { 'content-type': 'application/json' }

/** Answers with the number of items in the conversation and the length of the last one. The
 *  number shows whether the conversation was continued. */
const echo = fakeTextDriver('echo', ({ request }) => says(`${request.items.length} items: ${JSON.stringify(request.items.at(-1)).length}`))

function startInner(options: TestOptions = {}): Promise<TestGateway> {
  const env = { GATEWAY_ACCESS_KEY: innerKey, GATEWAY_ENGINE_WORKERS: '1', GATEWAY_ALLOW_PRIVATE_URLS: '0', ...options.env }
  return startTestGateway({ drivers: [echo], yaml: fakeTextYaml('echo', 'talker'), ...options, env })
}

function startOuter(inner: TestGateway, options: TestOptions = {}): Promise<TestGateway> {
  const target = `{ driver: gateway, base_url: "${inner.url}", api_key_env: INNER_KEY }`
  const yaml = `models:
  - { id: MaaS_ImgF_P, family: F1, group: P, targets: [${target}] }
  - { id: MaaS_ImgF_KG, family: F1, group: KG, targets: [${target}] }
  - { id: MaaS_ImgF_KE, family: F1, group: KE, targets: [${target}] }
  - { id: near, family: [chat, responses], targets: [{ driver: echo }] }
  - { id: far, family: [chat, responses], targets: [{ model: talker, ${target.slice(1)}] }
`
  const env = { GATEWAY_ACCESS_KEY: outerKey, INNER_KEY: innerKey, GATEWAY_ALLOW_PRIVATE_URLS: '0', ...options.env }
  return startTestGateway({ drivers: [echo], yaml, ...options, env })
}

interface Pair {
  inner: TestGateway
  outer: TestGateway
  /** Sends a request to the outer gateway. */
  call: TestGateway['call']
}

function pairOf(inner: TestGateway, outer: TestGateway): Pair {
  return { inner, outer, call: (path, options = {}) => outer.call(path, { key: outerKey, ...options }) }
}

/** Polls `get_result` of the outer gateway until the task has ended, and returns the last
 *  answer. */
async function ended({ call }: Pair, pollingUrl: string): Promise<Record<string, unknown>> {
  return until(async () => {
    const { body } = await call(pollingUrl)
    return body.status === 'Pending' ? undefined : body
  }, 'the end of the task')
}

async function submit({ call }: Pair, body: object): Promise<{ id: string; polling_url: string }> {
  const answer = await call(submitPath, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Creates a picture through both gateways. Returns its task, its bytes and its result. */
async function picture(pair: Pair, body: object) {
  const { polling_url } = await submit(pair, body)
  const seen = await ended(pair, polling_url)
  assert.equal(seen.status, 'Ready', JSON.stringify(seen))
  const result = Object(seen.result)
  assert.ok(String(result.sample).startsWith(pair.outer.url), 'the picture is not the outer gateway’s own')
  const { bytes, status } = await pair.call(result.sample, { key: false })
  assert.equal(status, 200)
  return { result, bytes, facts: await sharp(bytes).metadata() }
}

async function tasksOf(gateway: TestGateway): Promise<{ id: string; state: string }[]> {
  return (await gateway.admin('/admin/tasks')).body.tasks
}

describe('two running gateways', () => {
  let pair: Pair
  const logs = { inner: new PassThrough(), outer: new PassThrough() }
  const logged = { inner: text(logs.inner), outer: text(logs.outer) }
  before(async () => {
    const env = { GATEWAY_LOG_LEVEL: 'debug' }
    const inner = await startInner({ env, logTo: logs.inner })
    pair = pairOf(inner, await startOuter(inner, { env, logTo: logs.outer }))
  })
  after(async () => {
    await pair.outer[Symbol.asyncDispose]()
    await pair.inner[Symbol.asyncDispose]()
    for (const stream of Object.values(logs)) stream.end()
    const lines = { inner: await logged.inner, outer: await logged.outer }
    assert.ok(lines.inner.includes('listening') && lines.outer.includes('listening'))
    for (const key of [innerKey, outerKey]) assert.ok(!(lines.inner + lines.outer).includes(key), 'a key is in a log')
  })

  test('a picture has the pixels, the seed and the prompt of the one that the inner gateway drew', async () => {
    const body = { prompt: 'a red fox and a flibbertigibbetty', width: 320, height: 192, seed: 7, output_format: 'png' }
    const { result, bytes, facts } = await picture(pair, body)
    assert.deepEqual([facts.format, facts.width, facts.height, result.seed], ['png', 320, 192, 7])
    const direct = await pair.inner.call(submitPath, { body, key: innerKey })
    const seen = await ended({ ...pair, call: path => pair.inner.call(path, { key: innerKey }) }, direct.body.polling_url)
    const { sample, seed, prompt, not_drawn } = Object(seen.result)
    assert.deepEqual([result.seed, result.prompt, result.not_drawn], [seed, prompt, not_drawn])
    assert.ok(bytes.equals((await pair.inner.call(sample, { key: false })).bytes))
  })

  test('an aspect ratio, a seed of 64 bits and an edit are carried exactly', async () => {
    const raw = '{"prompt":"a boat","aspect_ratio":"16:9","seed":-9223372036854775807,"output_format":"png"}'
    const answer = await pair.call(submitPath, { raw })
    await ended(pair, answer.body.polling_url)
    const result = (await pair.call(answer.body.polling_url)).bytes.toString()
    assert.match(result, /"seed":-9223372036854775807[,}]/)
    const { bytes, facts } = await picture(pair, { prompt: 'a boat', aspect_ratio: '16:9', seed: 1 })
    assert.deepEqual([facts.format, facts.width, facts.height], ['jpeg', 1376, 768])
    const edit = { prompt: 'make it black and white', input_image: bytes.toString('base64'), seed: 1 }
    const grey = await picture(pair, edit)
    const { channels } = await sharp(grey.bytes).stats()
    assert.deepEqual([grey.facts.width, grey.facts.height], [1376, 768])
    const [red, green, blue] = channels.map(channel => channel.mean)
    assert.ok(Math.abs((red ?? 0) - (green ?? 0)) < 3 && Math.abs((green ?? 0) - (blue ?? 0)) < 3, JSON.stringify([red, green, blue]))
  })

  test('a chat is relayed, whole and streamed', async () => {
    const body = { model: 'far', messages: [{ role: 'user', content: 'hello' }] }
    const whole = await pair.call(chatPath, { body })
    assert.equal(whole.status, 200, whole.bytes.toString())
    const said = whole.body.choices[0].message.content
    assert.match(said, /^1 items/)
    assert.equal(whole.body.usage.prompt_tokens, 7)
    const streamed = await pair.call(chatPath, { body: { ...body, stream: true } })
    const frames = framesOf(streamed.bytes)
    assert.equal(frames.map(frame => frame.choices?.[0]?.delta?.content ?? '').join(''), said)
    assert.ok(streamed.bytes.toString().endsWith('data: [DONE]\n\n'))
  })

  test('a response is relayed, streamed, found again and continued across the chain', async () => {
    const first = await pair.call(responsesPath, { body: { model: 'far', input: 'hello' } })
    assert.equal(first.status, 200, first.bytes.toString())
    assert.match(first.body.output.at(-1).content[0].text, /^1 items/)
    const again = await pair.call(`${responsesPath}/${first.body.id}`)
    assert.deepEqual(again.body.output, first.body.output)
    assert.equal((await pair.inner.call(`${responsesPath}/${first.body.id}`, { key: innerKey })).status, 200, 'it is not kept inside')
    const body = { model: 'far', input: 'and now', previous_response_id: first.body.id, stream: true }
    const streamed = await pair.call(responsesPath, { body })
    const last = framesOf(streamed.bytes).at(-1)
    assert.equal(last?.type, 'response.completed')
    assert.equal(last?.response.previous_response_id, first.body.id)
    assert.match(last?.response.output.at(-1).content[0].text, /^3 items/)
    const items = await pair.call(`${responsesPath}/${last?.response.id}/input_items`)
    assert.ok(items.body.data.length > 0)
    const gone = await pair.call(`${responsesPath}/${first.body.id}`, { method: 'DELETE' })
    assert.equal(gone.body.deleted, true)
    assert.equal((await pair.inner.call(`${responsesPath}/${first.body.id}`, { key: innerKey })).status, 404)
  })

  test('a conversation that began at the outer gateway continues at the inner one, translated', async () => {
    const first = await pair.call(responsesPath, { body: { model: 'near', input: 'hello' } })
    const body = { model: 'far', input: 'and now', previous_response_id: first.body.id }
    const second = await pair.call(responsesPath, { body })
    assert.equal(second.status, 200, second.bytes.toString())
    assert.match(second.body.output.at(-1).content[0].text, /^3 items/)
    assert.equal(second.body.usage.input_tokens, 7)
    const streamed = framesOf((await pair.call(responsesPath, { body: { ...body, stream: true } })).bytes)
    assert.match(streamed.at(-1)?.response.output.at(-1).content[0].text, /^3 items/)
  })

  test('usage is recorded in both', async () => {
    await pair.call(chatPath, { body: { model: 'far', messages: [{ role: 'user', content: 'count me' }] } })
    await picture(pair, { prompt: 'a kite', width: 64, height: 64 })
    for (const [gateway, talker] of [
      [pair.inner, 'talker'],
      [pair.outer, 'far'],
    ] as const) {
      const units = await until(async () => {
        const { usage } = (await gateway.admin('/admin/usage')).body
        const found = usage.filter((line: { model: string }) => [talker, 'MaaS_ImgF_P'].includes(line.model))
        return found.some((line: { model: string }) => line.model === talker) ? found : undefined
      }, 'the usage')
      const named = (model: string, unit: string) =>
        units.some((line: { model: string; unit: string }) => line.model === model && line.unit === unit)
      assert.ok(named('MaaS_ImgF_P', 'images') && named('MaaS_ImgF_P', 'pixels'), JSON.stringify(units))
      assert.ok(named(talker, 'input_tokens') && named(talker, 'output_tokens'), JSON.stringify(units))
    }
  })

  test('a refusal of the inner gateway is returned by the outer one', async () => {
    const { polling_url } = await submit(pair, { prompt: 'a naked child', width: 64, height: 64 })
    const seen = await ended(pair, polling_url)
    assert.equal(seen.status, 'Request Moderated', JSON.stringify(seen))
    assert.ok(Object(seen.details)['Moderation Reasons'].length > 0)
    const { status, body } = await pair.call(chatPath, { body: { model: 'far', messages: [] } })
    assert.equal(status, 400, JSON.stringify(body))
  })
})

test('a submit whose answer is lost is sent again and creates no second task', async () => {
  let lost = 0
  const proxy = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const names = ['authorization', 'content-type', 'idempotency-key']
    const sent = Object.fromEntries(names.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))
    const answer = await fetch(inner.url + url, { method, headers: sent, ...(method === 'POST' ? { body: await buffer(request) } : {}) })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (method === 'POST' && lost++ === 0) response.socket?.resetAndDestroy()
    else response.writeHead(answer.status, json).end(bytes)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${Object(proxy.address()).port}`
  const inner = await startInner({ env: { GATEWAY_PUBLIC_URL: url } })
  const outer = await startOuter({ ...inner, url })
  try {
    const { result } = await picture(pairOf(inner, outer), { prompt: 'a kite', width: 64, height: 64, seed: 3 })
    assert.equal(result.seed, 3)
    assert.equal(lost, 2)
    assert.equal((await tasksOf(inner)).length, 1)
  } finally {
    await outer[Symbol.asyncDispose]()
    proxy.close()
    proxy.closeAllConnections()
    await inner[Symbol.asyncDispose]()
  }
})

test('the inner model stops when the caller of a stream disconnects', async () => {
  let isStopped = false
  const endless = fakeTextDriver('endless', async function* ({ signal }) {
    yield { type: 'text', delta: 'and' }
    await once(signal, 'abort')
    isStopped = true
  })
  const inner = await startInner({ drivers: [endless], yaml: fakeTextYaml('endless', 'talker') })
  const outer = await startOuter(inner)
  try {
    const leaving = new AbortController()
    const headers = { ...json, authorization: `Bearer ${outerKey}` }
    const body = JSON.stringify({ model: 'far', stream: true, messages: [{ role: 'user', content: 'hello' }] })
    const answer = await fetch(outer.url + chatPath, { method: 'POST', headers, body, signal: leaving.signal })
    await answer.body?.getReader().read()
    assert.equal(isStopped, false)
    leaving.abort()
    await until(() => isStopped, 'the end of the model')
  } finally {
    await outer[Symbol.asyncDispose]()
    await inner[Symbol.asyncDispose]()
  }
})

/** Starts a pair whose inner gateway runs no engines. Its tasks therefore wait for as long as a
 *  test needs. */
async function startParked(): Promise<Pair & AsyncDisposable> {
  const inner = await startInner({ env: { GATEWAY_ENGINE_WORKERS: '0' } })
  const outer = await startOuter(inner)
  return {
    ...pairOf(inner, outer),
    [Symbol.asyncDispose]: async () => {
      await outer[Symbol.asyncDispose]()
      await inner[Symbol.asyncDispose]()
    },
  }
}

test('a cancellation reaches the inner gateway', async () => {
  await using pair = await startParked()
  const { polling_url } = await submit(pair, { prompt: 'a slow picture', width: 64, height: 64 })
  await until(async () => (await tasksOf(pair.inner)).length === 1, 'the inner task')
  await pair.call(polling_url, { method: 'DELETE' })
  const states = async (gateway: TestGateway) => (await tasksOf(gateway)).map(task => task.state).join()
  await until(async () => (await states(pair.inner)) === 'cancelled', 'the end of the inner task')
  await until(async () => (await states(pair.outer)) === 'cancelled', 'the end of the outer task')
})

test('an outer task survives a restart of either gateway', async () => {
  const inner = await startInner({ env: { GATEWAY_ENGINE_WORKERS: '0', PORT: String(await freePort()) } })
  let outer = await startOuter(inner)
  const first = pairOf(inner, outer)
  const { id } = await submit(first, { prompt: 'a lighthouse', width: 128, height: 64, seed: 5, output_format: 'png' })
  await until(async () => (await tasksOf(inner)).length === 1, 'the inner task')
  await until(async () => (await tasksOf(outer))[0]?.state === 'running', 'the run of the outer task')
  await outer.stop()
  outer = await startOuter(inner, { dataDir: outer.dataDir })
  await inner.stop()
  const revived = await startInner({ dataDir: inner.dataDir, env: { PORT: new URL(inner.url).port } })
  try {
    const second = pairOf(revived, outer)
    const seen = await ended(second, `/v1/ai/default/imgf/get_result?id=${id}`)
    assert.equal(seen.status, 'Ready', JSON.stringify(seen))
    assert.equal(Object(seen.result).seed, 5)
    assert.equal((await tasksOf(revived)).length, 1)
  } finally {
    await outer[Symbol.asyncDispose]()
    await revived[Symbol.asyncDispose]()
    await rm(inner.dataDir, { recursive: true, force: true })
  }
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape.
function framesOf(bytes: Buffer): any[] {
  return [...bytes.toString().matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
}

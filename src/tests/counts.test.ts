/** Counts cannot be forged, tested with the whole program: neither text from the caller nor an
 *  early disconnect makes a count smaller than what was delivered (docs/decisions/0015). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeFrame, type FakeReply, frameText, hangingReply, jsonReply, rawReply, sseReply } from '../testing/fakes/fake-upstream.ts'
import { responseObject, responsesFrames } from '../testing/fakes/fake-upstream-text.ts'
import { begin, callRows, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../testing/relay-gateway.ts'

const keyA = 'sk-counts-key-a-0001'
const keyB = 'sk-counts-key-b-0001'
const free = 'sk-counts-key-free-1'
const chat = '/v1/ai/studio/chat/completions'
const responses = '/v1/ai/studio/responses'
const forged = { prompt_tokens: 1, completion_tokens: 1, input_tokens: 1, output_tokens: 1, total_tokens: 2 }
const says = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })

/** Returns a configuration with one priced model on one upstream and two accounts: `acme` has two
 *  keys that share its quotas, `loose` has one key and no quotas. */
function yaml(quotas = 'tokens: 100000/day, cost: 5/day') {
  return (url: string) =>
    `accounts:
  - id: acme
    quotas: { ${quotas} }
    keys: [{ name: a, secret: ${keyA} }, { name: b, secret: ${keyB} }]
    endpoints: [{ name: studio }]
  - { id: loose, keys: [{ name: free, secret: ${free} }], endpoints: [{ name: studio }] }
${relayYaml([{ url }]).replace('    targets:', '    price: { million_input_tokens: 10, million_output_tokens: 100 }\n    targets:')}`
}

function ask(own: RelayGateway, path: string, body: object | string, key = keyA) {
  return exchange(own.gateway.url + path, { body: typeof body === 'string' ? body : JSON.stringify(body), key })
}

const requested = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

interface Count {
  used: number
  held: number
}

/** Returns how much of the account's quotas is used, once nothing is reserved any more. */
async function atRest({ gateway }: RelayGateway, key = keyA): Promise<{ tokens: number; cost: number }> {
  const quotas = await until(async () => {
    const { body } = await gateway.call('/v1/usage', { key })
    return body.quotas.every(({ held }: Count) => held === 0) ? body.quotas : undefined
  }, 'the ends of all holds')
  const of = (unit: string) => quotas.find((quota: { unit: string }) => quota.unit === unit).used
  return { tokens: of('tokens'), cost: of('cost') }
}

async function ledgerOf({ gateway }: RelayGateway, account: string): Promise<Record<string, number>> {
  const { body } = await gateway.admin(`/admin/usage?by=account&account=${account}`)
  return Object.fromEntries(body.usage.map(({ unit, units }: { unit: string; units: number }) => [unit, units]))
}

test('limits of another protocol have no effect: negative ones neither pass a quota nor block another key', async () => {
  await using own = await startRelayGateway(yaml('tokens: 8000/day, cost: 5/day'))
  const usage = { prompt_tokens: 700, completion_tokens: 800 }
  own.upstream.answer(jsonReply({ choices: [{ message: { content: 'x' } }], output: [], usage }))
  for (const [path, fields] of [
    [chat, { max_output_tokens: -1e9, maxOutputTokens: -1e15 }],
    [responses, { input: 'hi', messages: undefined, max_tokens: -1e15, max_completion_tokens: -1e9, n: -5 }],
  ] as const) {
    const { status, text } = await ask(own, path, { ...requested, ...fields })
    assert.equal(status, 200, text)
    await atRest(own)
  }
  const { tokens } = await atRest(own)
  const { input_tokens: input = 0, output_tokens: output = 0 } = await ledgerOf(own, 'acme')
  assert.equal(tokens, input + output)
  // In the chat answer, the counts had the names of the Responses protocol. They were not read, so
  // the reserved amount was counted.
  assert.ok(tokens >= 3_000, `${tokens}`)
  for (const key of [keyA, keyB]) {
    const over = await ask(own, chat, { ...requested, max_output_tokens: -1e15, max_tokens: 4_999 }, key)
    assert.deepEqual([over.status, JSON.parse(over.text).error.code], [429, 'quota_exceeded'], 'nothing has made room')
  }
  const within = await ask(own, chat, { ...requested, max_tokens: 100 }, keyB)
  assert.equal(within.status, 200, within.text)
})

test('limits of the own protocol are checked: negative, huge and fractional ones are refused and hold nothing', async () => {
  await using own = await startRelayGateway(yaml())
  for (const value of [-1e9, -1, 0, 1.5, 1e308, 2 ** 31, '100', [1], { a: 1 }]) {
    for (const fields of [{ max_tokens: value }, { max_completion_tokens: value }]) {
      const { status } = await ask(own, chat, { ...requested, ...fields })
      assert.equal(status, 400, JSON.stringify(fields))
    }
    assert.equal((await ask(own, responses, { model: 'm', input: 'hi', max_output_tokens: value })).status, 400)
  }
  assert.equal(own.upstream.received.length, 0)
  assert.deepEqual(await atRest(own), { tokens: 0, cost: 0 })
})

test('a caller who disconnects just before the counts pays for what he received, in the quota and in the ledger', async () => {
  for (const [key, account] of [
    [keyA, 'acme'],
    [free, 'loose'],
  ] as const) {
    await using own = await startRelayGateway(yaml())
    const words = Array.from({ length: 9_000 }, () => says('a '))
    own.upstream.answer(hangingReply(words))
    const answer = await begin(own.gateway.url + chat, { body: JSON.stringify({ ...requested, stream: true, max_tokens: 3 }), key })
    const whole = 9_000 * frameText(says('a ')).length
    let bytes = 0
    for await (const chunk of answer) {
      bytes += chunk.length
      if (bytes >= whole) break
    }
    answer.destroy()
    const ledger = await until(async () => {
      const found = await ledgerOf(own, account)
      return (found.requests ?? 0) > 0 ? found : undefined
    }, 'the record')
    assert.ok((ledger.output_tokens ?? 0) >= 9_000, `${ledger.output_tokens} tokens of 9,000 were counted`)
    if (key === free) continue
    const { tokens, cost } = await atRest(own)
    assert.equal(tokens, (ledger.output_tokens ?? 0) + (ledger.input_tokens ?? 0))
    assert.ok(cost >= 0.9, `${cost} of 0.9`)
  }
})

test('a prompt counts whatever it begins with, and wherever it is stored', async () => {
  const text = 'word '.repeat(40_000)
  const filler = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_200_000)}` } }
  const prompts: Record<string, unknown> = {
    'a plain one': text,
    'one that begins like a file': `data:text/plain,${text}`,
    'one in a part': [{ type: 'text', text: `data:${text}` }],
    'one over 64 KB in a body over 1 MB': [{ type: 'text', text }, filler],
    'one that is no file in the place of one': [{ type: 'image_url', image_url: { url: 'https://a.example/a.png', detail: text } }],
  }
  for (const [name, content] of Object.entries(prompts)) {
    for (const key of [keyA, free]) {
      await using own = await startRelayGateway(yaml('tokens: 10000000/day, cost: 5000/day'))
      own.upstream.answer(hangingReply([says('a ')]))
      const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] })
      const answer = await begin(own.gateway.url + chat, { body, key })
      answer.destroy()
      const row = await until(async () => (await callRows(own.gateway))[0], 'the record')
      const counted = Number(row.input_tokens)
      assert.ok(counted >= 40_000 && counted < 60_000, `${name}: ${counted} tokens`)
    }
  }
})

test('counts that an upstream copies from the request are ignored', async () => {
  const echo = {
    tools: [{ usage: forged, type: 'function' }],
    metadata: { usage: JSON.stringify(forged) },
    text: { format: { schema: { usage: forged } } },
  }
  const answer = { text: 'one two three', usage: { input: 900, output: 800 } }
  const withEcho = (status: string) => ({ ...echo, ...responseObject(answer, status) })
  const frames: FakeFrame[] = responsesFrames(answer).map(frame =>
    typeof frame === 'object' && 'data' in frame
      ? {
          ...frame,
          data: {
            ...Object(frame.data),
            ...(Object(frame.data).response ? { response: { ...echo, ...Object(frame.data).response } } : {}),
          },
        }
      : frame,
  )
  const chatAnswer = {
    id: 'c',
    choices: [{ message: { content: 'x', tool_calls: [{ usage: forged }] } }],
    usage: { prompt_tokens: 900, completion_tokens: 800 },
  }
  const late = { id: 'c', usage: { prompt_tokens: 900, completion_tokens: 800 }, choices: [], metadata: { usage: forged } }
  const cases: [string, object, FakeReply][] = [
    [responses, { input: 'hi' }, jsonReply(withEcho('completed'))],
    [responses, { input: 'hi', stream: true }, sseReply(frames)],
    [chat, { messages: requested.messages }, jsonReply({ ...chatAnswer, tools: echo.tools })],
    [
      chat,
      { messages: requested.messages, stream: true },
      sseReply([{ ...says('a '), tools: [{ usage: forged }] }, { ...late, tools: echo.tools }, '[DONE]']),
    ],
  ]
  for (const [path, fields, reply] of cases) {
    await using own = await startRelayGateway(yaml())
    own.upstream.answer(reply)
    assert.equal((await ask(own, path, { model: 'm', ...fields })).status, 200)
    assert.equal((await atRest(own)).tokens, 1_700, JSON.stringify(fields))
  }
})

test('counts before the output are ignored, and of counts with every word the last one is used', async () => {
  const counted = (content: string, completion: number) => ({
    ...says(content),
    usage: { prompt_tokens: 9, completion_tokens: completion },
  })
  const words = Array.from({ length: 600 }, () => says('a '))
  for (const [frames, least, most] of [
    [[counted('a ', 1), ...words, '[DONE]'], 600, 5_000],
    [[counted('a ', 1), counted('b ', 2), counted('c ', 3), '[DONE]'], 12, 12],
  ] as const) {
    await using own = await startRelayGateway(yaml())
    own.upstream.answer(sseReply(frames))
    const body = { ...requested, stream: true, max_tokens: 2, stream_options: { include_usage: true } }
    assert.equal((await ask(own, chat, body)).status, 200)
    const { tokens } = await atRest(own)
    assert.ok(tokens >= least && tokens <= most, `${tokens}`)
  }
})

test('running counts of one of several answers are not used for all', async () => {
  await using own = await startRelayGateway(yaml())
  const frames = Array.from({ length: 400 }, (_, index) => ({
    choices: [{ index: index % 8, delta: { content: ` word${index}` }, finish_reason: null }],
    usage: { prompt_tokens: 5, completion_tokens: Math.ceil((index + 1) / 8) },
  }))
  own.upstream.answer(hangingReply(frames))
  const body = JSON.stringify({
    ...requested,
    n: 8,
    max_tokens: 1,
    stream: true,
    stream_options: { include_usage: true, continuous_usage_stats: true },
  })
  const answer = await begin(own.gateway.url + chat, { body, key: keyA })
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk
    if (text.includes('word399')) break
  }
  const { tokens } = await atRest(own)
  assert.ok(tokens >= 400, `${tokens} of 400`)
})

test('impossible counts are ignored, and do not affect other records', async () => {
  await using own = await startRelayGateway(yaml())
  for (const completion_tokens of [18446744073709551615n, 1e16, 1e308, -5, 2 ** 31]) {
    const text = `{"choices":[{"message":{"content":"one two three"}}],"usage":{"prompt_tokens":3,"completion_tokens":${completion_tokens}}}`
    own.upstream.answer(rawReply(text, 200, { 'content-type': 'application/json' }))
    assert.equal((await ask(own, chat, { ...requested, max_tokens: 10 }, free)).status, 200)
  }
  const ledger = await until(async () => {
    const found = await ledgerOf(own, 'loose')
    return found.requests === 5 ? found : undefined
  }, 'five records')
  assert.ok((ledger.output_tokens ?? 0) >= 15 && (ledger.output_tokens ?? 0) < 100, `${ledger.output_tokens}`)
})

test("a background response costs the upstream's final counts, and nothing that is shown before", async () => {
  await using own = await startRelayGateway(yaml())
  const running = {
    ...responseObject({ text: 'x' }, 'in_progress'),
    id: 'resp_bg',
    background: true,
    usage: forged,
    metadata: { usage: forged },
  }
  own.upstream.answer(jsonReply(running))
  assert.equal((await ask(own, responses, { model: 'm', input: 'hi', background: true, max_output_tokens: 5_000 })).status, 200)
  const held = await atRest(own)
  assert.ok(held.tokens >= 5_000, `as it was held: ${held.tokens}`)
  const read = (suffix = '') => exchange(`${own.gateway.url}${responses}/resp_bg${suffix}`, { method: 'GET', key: keyA })
  await read()
  own.upstream.answer(jsonReply({ object: 'list', data: [{ type: 'message', usage: forged }], usage: forged, status: 'completed' }))
  assert.equal((await read('/input_items')).status, 200)
  assert.deepEqual(await atRest(own), held)
  own.upstream.answer(jsonReply({ ...running, status: 'completed', usage: { input_tokens: 40, output_tokens: 2_000 } }))
  for (let times = 0; times < 2; times += 1) await read()
  await until(async () => (await atRest(own)).tokens === 2_040, 'the count of the upstream')
  const ledger = await ledgerOf(own, 'acme')
  assert.deepEqual([ledger.input_tokens, ledger.output_tokens], [40, 2_000])
  assert.equal((await atRest(own)).cost, 0.2004)
})

test('an answer that breaks off at its end costs what arrived; one that nobody waited for costs nothing', async () => {
  await using own = await startRelayGateway(yaml())
  const words = 'word '.repeat(3_000)
  own.upstream.answer(
    rawReply(`{"choices":[{"message":{"content":"${words}"}}]`, 200, { 'content-type': 'application/json', 'content-length': '50000' }),
  )
  const cut: FakeReply = response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 50_000 })
    response.write(`{"choices":[{"message":{"content":"${words}`, () => response.socket?.end())
  }
  own.upstream.answer(cut)
  assert.equal((await ask(own, chat, { ...requested, max_tokens: 10 })).status, 502)
  const { tokens } = await atRest(own)
  assert.ok(tokens >= 3_000, `${tokens} of 3,000`)
})

test('a caller who is gone before anything was sent pays nothing', async () => {
  await using own = await startRelayGateway(yaml())
  // The caller disconnects exactly when its body is complete. The quota is then already checked,
  // but nothing must be sent to the upstream.
  const body = JSON.stringify({ ...requested, max_tokens: 900 })
  for (let times = 0; times < 20; times += 1) {
    const controller = new AbortController()
    const call = begin(own.gateway.url + chat, { body, key: keyA, signal: controller.signal }).catch(() => undefined)
    setImmediate(() => controller.abort())
    await call
  }
  await until(async () => own.upstream.received.every(({ isCut, isEnded }) => isCut || isEnded), 'the ends of all calls')
  const { tokens } = await atRest(own)
  const sent = own.upstream.received.length
  assert.ok(tokens <= sent * 950, `${tokens} tokens for ${sent} calls that were sent`)
})

test('an operator resets and corrects a quota, which is logged', async () => {
  const lines: string[] = []
  const logTo = new (await import('node:stream')).Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) })
  await using own = await startRelayGateway(yaml('tokens: 2000/day, cost: 5/day'), { logTo, env: { GATEWAY_LOG_LEVEL: 'info' } })
  own.upstream.answer(jsonReply({ choices: [{ message: {} }], usage: { prompt_tokens: 1_000, completion_tokens: 900 } }))
  assert.equal((await ask(own, chat, { ...requested, max_tokens: 100 })).status, 200)
  await atRest(own)
  assert.equal((await ask(own, chat, { ...requested, max_tokens: 100 })).status, 429)
  const adjust = (body: object) => own.gateway.admin('/admin/usage/adjust', { method: 'POST', body })
  const reset = await adjust({ account: 'acme', unit: 'tokens', window: 'day' })
  assert.deepEqual(reset.body.before, { used: 1_900, held: 0 })
  assert.deepEqual(reset.body.after, { used: 0, held: 0 })
  assert.equal((await ask(own, chat, { ...requested, max_tokens: 100 })).status, 200)
  await atRest(own)
  await adjust({ account: 'acme', unit: 'cost', window: 'day', used: 4.5 })
  assert.equal((await atRest(own)).cost, 4.5)
  assert.ok(
    lines.some(line => line.includes('admin change') && line.includes('"used":1900')),
    lines.join(''),
  )
  for (const [body, status] of [
    [{ account: 'acme', unit: 'tokens', window: 'day', used: -1 }, 400],
    [{ account: 'acme', unit: 'images', window: 'day' }, 404],
    [{ account: 'nobody', unit: 'tokens', window: 'day' }, 404],
    [{ unit: 'tokens', window: 'day' }, 400],
    [{ account: 'acme', key: 'k', unit: 'tokens', window: 'day' }, 400],
  ] as const)
    assert.equal((await adjust(body)).status, status, JSON.stringify(body))
})

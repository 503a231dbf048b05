import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextRequest, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeTextDriver, fakeTextYaml, says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { type Answer, type CallOptions, startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const path = '/v1/completions'
const key = 'sk-completions-key-0001'
let script: TextScript
let requests: TextRequest[] = []
let gateway: TestGateway

before(async () => {
  const driver = fakeTextDriver('fake-text', job => {
    requests.push(job.request)
    return script(job)
  })
  gateway = await startTestGateway({
    drivers: [driver],
    yaml: `${fakeTextYaml('fake-text')}
accounts:
  - id: acme
    keys: [{ name: k, secret: ${key}, quotas: { tokens: 1000/day } }]
    endpoints: [{ name: default }]
`,
  })
})
after(() => gateway[Symbol.asyncDispose]())

const promptIn = ({ items: [item] }: TextRequest) => (item?.type === 'message' && item.parts[0]?.type === 'text' ? item.parts[0].text : '')
const echoes: TextScript = job => says(`After ${promptIn(job.request)}.`, { usage: { inputTokens: 10, outputTokens: 4 } })

async function ask(body: object, reply: TextScript = echoes, more: CallOptions = {}): Promise<Answer> {
  script = reply
  requests = []
  return gateway.call(path, { body: { model: 'fake', ...body }, ...more })
}

async function created(body: object, reply?: TextScript): Promise<Answer> {
  const answer = await ask(body, reply)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('createCompletion', answer)
  return answer
}

test('a prompt becomes a user message, and its answer has every key of the interface', async () => {
  const { body } = await created({ prompt: 'one' })
  assert.match(body.id, /^cmpl-[0-9a-f]{32}$/)
  const { id: _id, created: at, ...rest } = body
  assert.ok(Math.abs(at - Date.now() / 1000) < 60)
  assert.deepEqual(rest, {
    object: 'text_completion',
    model: 'fake',
    choices: [{ index: 0, text: 'After one.', logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
  })
  const [request] = requests
  assert.deepEqual([request!.items.length, request!.maxOutputTokens, request!.extras.fields], [1, 16, {}])
})

test('each prompt gets n answers, in the order of the prompts, and counts once', async () => {
  const { body } = await created({ prompt: ['one', 'two'], n: 2, seed: 5 })
  const said = body.choices.map(({ index, text }: { index: number; text: string }) => [index, text])
  assert.deepEqual(said, [
    [0, 'After one.'],
    [1, 'After one.'],
    [2, 'After two.'],
    [3, 'After two.'],
  ])
  assert.deepEqual(body.usage, { prompt_tokens: 20, completion_tokens: 16, total_tokens: 36 })
  assert.deepEqual(requests.map(({ seed }) => seed).sort(), [5, 5, 6, 6])
})

test('sampling fields reach the model', async () => {
  const fields = { temperature: 0.5, top_p: 0.9, presence_penalty: 1, frequency_penalty: -1, logit_bias: { 7: 3 }, user: 'u', seed: 1 }
  await created({ prompt: 'x', ...fields, stop: 'END', max_tokens: 30, house_field: 1 })
  const { items: _, ...request } = requests[0]!
  assert.deepEqual(request, {
    ...{ tools: [], toolChoice: { mode: 'auto' }, parallelToolCalls: true, format: { type: 'text' }, maxOutputTokens: 30 },
    ...{ temperature: 0.5, topP: 0.9, stop: ['END'], seed: 1, frequencyPenalty: -1, presencePenalty: 1, logitBias: { 7: 3 }, user: 'u' },
    extras: { protocol: 'chat', fields: {} },
  })
})

const token = (text: string, logprob: number): TokenLogprob => ({
  token: text,
  logprob,
  bytes: null,
  top: [
    { token: text, logprob, bytes: null },
    { token: 'x', logprob: -9, bytes: null },
  ],
})

test('log probabilities are lists, with the offset of each token in the text', async () => {
  const reply: TextScript = async function* () {
    yield { type: 'text', delta: 'Hä🦊', logprobs: [token('H', -0.5), token('ä🦊', -1)] }
    yield { type: 'text', delta: '!', logprobs: [token('!', -2)] }
  }
  const { body } = await created({ prompt: 'x', logprobs: 2 }, reply)
  const expected = {
    tokens: ['H', 'ä🦊', '!'],
    token_logprobs: [-0.5, -1, -2],
    top_logprobs: [
      { H: -0.5, x: -9 },
      { 'ä🦊': -1, x: -9 },
      { '!': -2, x: -9 },
    ],
    text_offset: [0, 1, 3],
  }
  assert.deepEqual(body.choices[0].logprobs, expected)
  assert.equal(requests[0]!.topLogprobs, 2)
  assert.equal((await created({ prompt: 'x', logprobs: 0 }, reply)).body.choices[0].logprobs.top_logprobs, null)
  const frames = framesOf(await ask({ prompt: 'x', logprobs: 2, stream: true }, reply))
  const offsets = frames.flatMap(frame => frame.choices?.[0]?.logprobs?.text_offset ?? [])
  assert.deepEqual(offsets, [0, 1, 3])
})

test('the most likely of best_of answers is returned, and all of them are charged', async () => {
  let run = 0
  const reply: TextScript = async function* () {
    run += 1
    const [text, logprob] = run === 2 ? ['best', -0.1] : [`other ${run}`, -1]
    yield { type: 'text', delta: String(text), logprobs: [token(String(text), Number(logprob))] }
    yield { type: 'finish', usage: { inputTokens: 5, outputTokens: 2 } }
  }
  const { body } = await created({ prompt: 'x', best_of: 3 }, reply)
  assert.deepEqual([body.choices.length, body.choices[0].text, body.choices[0].logprobs], [1, 'best', null])
  assert.deepEqual(body.usage, { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 })
  const unranked = await created({ prompt: 'x', best_of: 2 })
  assert.match(unranked.headers.get('x-gateway-warning') ?? '', /best_of.*no log probabilities/)
  assert.equal(unranked.body.choices.length, 1)
})

test('fields that a translation leaves out are named in a warning', async () => {
  const { headers } = await created({ prompt: 'x', min_p: 0.1, stream_options: null })
  assert.match(headers.get('x-gateway-warning') ?? '', /min_p/)
  assert.doesNotMatch(headers.get('x-gateway-warning') ?? '', /stream_options|prompt/)
})

// biome-ignore lint/suspicious/noExplicitAny: chunks of every shape.
function framesOf({ bytes }: Answer): any[] {
  return bytes
    .toString()
    .split('\n\n')
    .filter(frame => frame !== '' && frame !== 'data: [DONE]')
    .map(frame => JSON.parse(frame.slice(6)))
}

test('a stream has the text and the end of each choice, the usage on request, and the terminator', async () => {
  const answer = await ask({ prompt: ['one', 'two'], stream: true, stream_options: { include_usage: true } })
  assert.ok(answer.bytes.toString().endsWith('data: [DONE]\n\n'))
  const frames = framesOf(answer)
  assert.equal(new Set(frames.map(({ id }) => id)).size, 1)
  for (const [index, text] of ['After one.', 'After two.'].entries()) {
    const own = frames.flatMap(({ choices }) => choices).filter(choice => choice.index === index)
    assert.equal(own.map(choice => choice.text).join(''), text)
    assert.deepEqual(own.map(choice => choice.finish_reason).filter(Boolean), ['stop'])
    assert.equal(own.at(-1).finish_reason, 'stop')
  }
  const last = frames.at(-1)
  assert.deepEqual([last.choices, last.usage.total_tokens, frames[0].usage], [[], 28, null])
  const plain = framesOf(await ask({ prompt: 'one', stream: true }))
  assert.ok(plain.every(frame => !('usage' in frame)))
})

test('a stream that fails ends with an error and the terminator', async () => {
  const answer = await ask({ prompt: 'x', stream: true }, async function* () {
    yield { type: 'text', delta: 'Hi' }
    throw new GatewayError('upstream_error', 'gone')
  })
  const text = answer.bytes.toString()
  assert.match(text, /"error":\{[^\n]*\}\}?\n\ndata: \[DONE\]\n\n$/)
})

test('finish reasons are those of the interface', async () => {
  for (const [finish, shown] of [
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
  ] as const) {
    const { body } = await created({ prompt: 'x' }, () => says('x', { finish }))
    assert.equal(body.choices[0].finish_reason, shown)
  }
})

test('fields that only an upstream with this protocol supports are refused by name, at no cost', async () => {
  for (const [body, param] of [
    [{ prompt: 'x', suffix: 'end' }, 'suffix'],
    [{ prompt: 'x', echo: true }, 'echo'],
    [{ prompt: [1, 2, 3] }, 'prompt'],
    [{ prompt: [[1, 2], [3]] }, 'prompt'],
    [{ prompt: 'x', max_tokens: 0 }, 'max_tokens'],
  ] as const) {
    const answer = await ask(body)
    assert.deepEqual(
      [answer.status, answer.body.error?.param, answer.body.error?.type],
      [400, param, 'invalid_request_error'],
      JSON.stringify(body),
    )
    assert.equal(requests.length, 0)
  }
  await created({ prompt: 'x', suffix: '', echo: false, best_of: null, n: null })
})

test('invalid bodies are refused with the field', async () => {
  for (const [body, param] of [
    [{}, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: ['a', 1] }, 'prompt'],
    [{ prompt: [['a']] }, 'prompt[0][0]'],
    [{ prompt: [-1] }, 'prompt[0]'],
    [{ prompt: ['a', 'b'], n: 65 }, 'prompt'],
    [{ prompt: 'a', n: 3, best_of: 2 }, 'best_of'],
    [{ prompt: 'a', best_of: 2, stream: true }, 'best_of'],
    [{ prompt: 'a', logprobs: 6 }, 'logprobs'],
    [{ prompt: 'a', stop: ['1', '2', '3', '4', '5'] }, 'stop'],
    [{ prompt: 'a', stream_options: {} }, 'stream_options'],
  ] as const) {
    const answer = await ask(body)
    assert.deepEqual([answer.status, answer.body.error?.param], [400, param], `${JSON.stringify(body)} ${JSON.stringify(answer.body)}`)
  }
})

test("a target's refusal is reported with the field names of this interface", async () => {
  const { status, body } = await ask({ prompt: 'x' }, async function* () {
    yield* []
    throw new GatewayError('context_length_exceeded', about('items', 'are too long.'), { field: 'items' })
  })
  assert.deepEqual([status, body.error.code, body.error.param], [400, 'context_length_exceeded', 'prompt'])
})

test('the expected usage of all answers of a call is held once, and then counted', async () => {
  const refused = await ask({ prompt: ['one', 'two'], n: 3, max_tokens: 200 }, echoes, { key })
  assert.deepEqual([refused.status, refused.body.error.code, requests.length], [429, 'quota_exceeded', 0])
  assert.equal((await ask({ prompt: ['one', 'two'], n: 2, max_tokens: 200 }, echoes, { key })).status, 200)
  const quota = await until(async () => {
    const [found] = (await gateway.call('/v1/usage', { key })).body.quotas
    return found.held === 0 ? found : undefined
  }, 'the end of the hold')
  assert.equal(quota.used, 4 * 14)
})

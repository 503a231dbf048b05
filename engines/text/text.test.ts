import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextFormat, TextRequest, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { Ajv } from 'ajv'
import { ask, firstCall, needsModel as needs, openDriver, request } from './testing/ask.ts'

const driver = openDriver()
after(() => driver.close?.())
const capital = 'What is the capital of France?'

const weather: TextTool = {
  kind: 'function',
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 30 }, unit: { enum: ['celsius', 'fahrenheit'] } },
    required: ['city', 'unit'],
    additionalProperties: false,
  },
}
const clock: TextTool = {
  kind: 'function',
  name: 'get_time',
  parameters: { type: 'object', properties: { zone: { type: 'string', maxLength: 20 } } },
}
const note: TextTool = { kind: 'custom', name: 'note', description: 'Writes a note' }

test('the default model knows the capital of France, and counts its tokens', needs, async () => {
  const answer = await ask(driver, request(capital))
  assert.equal(answer.text, 'The capital of France is Paris.')
  assert.ok(answer.deltas.length >= 5, 'it streams')
  assert.equal(answer.result.finish, 'stop')
  // The chat template and the system turn have 20 tokens, the question has 7 tokens, and the answer
  // has 7 tokens, too.
  assert.equal(answer.result.usage.inputTokens, 27)
  assert.equal(answer.result.usage.outputTokens, 7)
  assert.deepEqual(answer.usage, [
    { unit: 'input_tokens', units: 27 },
    { unit: 'output_tokens', units: 7 },
  ])
})

test('a longer question of two more tokens counts two more, and its beginning is not read again', needs, async () => {
  await ask(driver, request(capital, { maxOutputTokens: 1 }))
  const { result } = await ask(driver, request(`${capital} Now?`, { maxOutputTokens: 1 }))
  assert.equal(result.usage.inputTokens, 29)
  assert.ok(result.usage.cachedInputTokens >= 20)
})

const counted = (what: TextRequest) =>
  driver.countInput?.({ id: 'test', request: what, model: 'text-135m', settings: {}, signal: new AbortController().signal })

test('the tokens of a conversation are counted without an answer', needs, async () => {
  const weathered = request(capital, { tools: [weather, note], maxOutputTokens: 1 })
  assert.equal(await counted(request(capital)), 27)
  assert.equal(await counted(weathered), (await ask(driver, weathered)).result.usage.inputTokens)
})

test('a conversation that is longer than the context is counted, one of many contexts is refused', needs, async () => {
  const long = await counted(request('word '.repeat(9_000)))
  assert.ok(long !== undefined && long > 9_000 && long < 9_100, String(long))
  await assert.rejects(Promise.resolve(counted(request('word '.repeat(90_000)))), { code: 'context_length_exceeded' })
  await assert.rejects(Promise.resolve(counted(request('word '.repeat(900_000)))), { code: 'context_length_exceeded' })
})

test('marks of the chat template in what a user writes are plain text', needs, async () => {
  const count = async (text: string): Promise<number> => (await ask(driver, request(text, { maxOutputTokens: 1 }))).result.usage.inputTokens
  assert.ok((await count('a <|im_end|> b')) - (await count('a  b')) > 3, 'the mark is spelled, not one token')
})

test('an answer ends before a stop string, of which nothing comes out', needs, async () => {
  const answer = await ask(driver, request(capital, { stop: ['of Fra', 'never'] }))
  assert.equal(answer.text, 'The capital ')
  assert.equal(answer.result.finish, 'stop')
})

test('an answer of as many tokens as were allowed is cut with finish length', needs, async () => {
  const { text, result } = await ask(driver, request(capital, { maxOutputTokens: 3 }))
  assert.equal(text, 'The capital of')
  assert.equal(result.finish, 'length')
  assert.equal(result.usage.outputTokens, 3)
})

test('the same seed gives the same answer, also beside others; another seed another', needs, async () => {
  const story = (seed: number) => ask(driver, request('Tell me a story about a fox.', { temperature: 1, seed, maxOutputTokens: 12 }))
  const alone = (await story(7)).text
  const [again, beside] = await Promise.all([story(7), story(8)])
  assert.equal(again.text, alone)
  assert.notEqual(beside.text, alone)
})

test('conversations that come and go beside each other say what they say alone', needs, async () => {
  const lands = ['France', 'Japan', 'Italy', 'Egypt', 'Chile', 'Norway', 'Kenya', 'Poland', 'Cuba', 'Iran']
  // The texts have several lengths, so some prompts are processed while other answers are being
  // written.
  const texts = lands.flatMap(land => [
    `What is the capital of ${land}?`,
    `Please tell me in one sentence what people like to eat in ${land}, and why.`,
  ])
  const answers = async (atOnce: number): Promise<string[]> => {
    const said: string[] = []
    const waiting = [...texts.entries()]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        said[next[0]] = (await ask(driver, request(next[1], { maxOutputTokens: 12 }))).text
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return said
  }
  assert.deepEqual(await answers(4), await answers(1))
})

test('a frequency penalty changes what is said', needs, async () => {
  const plain = await ask(driver, request('Write a long story about a fox and a bear.', { maxOutputTokens: 20 }))
  const varied = await ask(
    driver,
    request('Write a long story about a fox and a bear.', { maxOutputTokens: 20, frequencyPenalty: 2, presencePenalty: 1 }),
  )
  assert.notEqual(plain.text, varied.text)
})

test('a token that is biased away is not said; one the model does not have is refused', needs, async () => {
  const first = await ask(driver, request(capital, { maxOutputTokens: 1, topLogprobs: 1 }))
  assert.equal(first.text, 'The')
  // 504 is the id of the token "The" in this vocabulary.
  const biased = await ask(driver, request(capital, { maxOutputTokens: 1, logitBias: { 504: -100 } }))
  assert.notEqual(biased.text, 'The')
  await assert.rejects(ask(driver, request(capital, { logitBias: { 999999: 1 } })), refusal('invalid_request', /999999/))
})

test('log probabilities come with each token, likeliest first', needs, async () => {
  const { events } = await ask(driver, request(capital, { maxOutputTokens: 3, topLogprobs: 2 }))
  const tokens = events.flatMap(event => (event.type === 'text' ? (event.logprobs ?? []) : []))
  assert.deepEqual(
    tokens.map(({ token }) => token),
    ['The', ' capital', ' of'],
  )
  for (const { token, logprob, bytes, top } of tokens) {
    assert.equal(top.length, 2)
    assert.equal(top[0]?.token, token)
    assert.ok(logprob <= 0 && logprob >= (top[1]?.logprob ?? 0))
    assert.deepEqual(bytes, [...Buffer.from(token)])
  }
})

const person: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20 },
    age: { type: 'integer', minimum: 18, maximum: 99 },
    score: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    born: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 3 },
    mail: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/mail' }] },
  },
  required: ['name', 'age', 'score', 'born', 'tags', 'mail'],
  additionalProperties: false,
  $defs: { mail: { type: 'string', pattern: '^[a-z]{2,8}@[a-z]{2,8}\\.com$' } },
}
const list: JsonObject = {
  type: 'array',
  items: { type: 'object', properties: { word: { type: 'string', maxLength: 12 } }, required: ['word'] },
  minItems: 2,
  maxItems: 2,
}
const tree: JsonObject = {
  type: 'object',
  properties: { value: { type: 'integer', minimum: -3, maximum: 12 }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
  required: ['value', 'next'],
}

for (const [name, schema] of Object.entries({ person, list, tree })) {
  test(`an answer held to the schema ${name} fits it at any temperature`, needs, async () => {
    const format: TextFormat = { type: 'json_schema', name, schema }
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    const most = name === 'tree' ? 40 : 160
    const { text, result } = await ask(driver, request('Invent something.', { format, temperature: 1.3, seed: 2, maxOutputTokens: most }))
    // The tree is recursive, so it may grow until the token limit cuts the answer off. An answer
    // that ends by itself must match the schema.
    if (name === 'tree' && result.finish === 'length') assert.match(text, /^\{"value": -?\d+, "next": /)
    else assert.ok(validate(JSON.parse(text)), `${text}: ${JSON.stringify(validate.errors)}`)
  })
}

test('json_object gives an object', needs, async () => {
  const { text, result } = await ask(
    driver,
    request('Name a colour as JSON with the key "colour".', { format: { type: 'json_object' }, maxOutputTokens: 60 }),
  )
  assert.equal(result.finish, 'stop')
  assert.equal(typeof JSON.parse(text), 'object')
})

test('a keyword that cannot be held is refused by name where strictness is asked for, else left to the model', needs, async () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', multipleOf: 7 } }, required: ['n'], additionalProperties: false }
  const format: TextFormat = { type: 'json_schema', name: 'odd', schema, strict: true }
  await assert.rejects(ask(driver, request('A number.', { format })), refusal('invalid_request', /multipleOf/))
  const { text } = await ask(driver, request('A number.', { format: { ...format, strict: false }, maxOutputTokens: 40 }))
  assert.match(text, /^\{"n": -?\d+\}$/)
  const tool: TextTool = { kind: 'function', name: 'f', parameters: schema, strict: true }
  const forced = { tools: [tool], toolChoice: { mode: 'required' as const }, maxOutputTokens: 60 }
  await assert.rejects(ask(driver, request('A number.', forced)), refusal('invalid_request', /multipleOf/))
  const { calls } = await ask(driver, request('A number.', { ...forced, tools: [{ ...tool, strict: null }] }))
  assert.match(calls[0]?.input ?? '', /^\{"n": -?\d+\}$/)
})

test('a tool that is forced is called once, with arguments that fit', needs, async () => {
  const { calls, result, text } = await ask(
    driver,
    request('What is the weather in Paris?', { tools: [clock, weather], toolChoice: { mode: 'required', only: ['get_weather'] } }),
  )
  assert.equal(calls.length, 1)
  assert.match(calls[0]?.callId ?? '', /^call_[A-Za-z0-9]{24}$/)
  assert.equal(calls[0]?.name, 'get_weather')
  const given: { city: string; unit: string } = JSON.parse(calls[0]?.input ?? '')
  assert.equal(given.city, 'Paris')
  assert.ok(['celsius', 'fahrenheit'].includes(given.unit))
  assert.equal(text, '')
  assert.equal(result.finish, 'tool_calls')
})

test('only an allowed tool is ever called, whatever the seed', needs, async () => {
  const choice = { tools: [weather, clock, note], toolChoice: { mode: 'required' as const, only: ['get_time', 'note'] }, temperature: 1.2 }
  for (let seed = 0; seed < 10; seed += 1) {
    const name = await firstCall(driver, request('What is the weather?', { ...choice, seed }))
    assert.ok(['get_time', 'note'].includes(name ?? ''), `seed ${seed}: ${name}`)
  }
})

test('a custom tool with a grammar gets text of that grammar', needs, async () => {
  const date: TextTool = { kind: 'custom', name: 'set_date', grammar: { syntax: 'regex', definition: '\\d{4}-\\d{2}-\\d{2}' } }
  const sum: TextTool = {
    kind: 'custom',
    name: 'sum',
    grammar: { syntax: 'lark', definition: 'start: INT ("+" INT)~1..2 "\\n"\n%import common.INT' },
  }
  const choice = { toolChoice: { mode: 'required' } as const, parallelToolCalls: false, maxOutputTokens: 80 }
  const dated = await ask(driver, request('Set the date to 2024-05-06.', { tools: [date], ...choice }))
  assert.deepEqual([dated.calls[0]?.kind, dated.calls[0]?.input], ['custom', '2024-05-06'])
  const summed = await ask(driver, request('Sum 3 and 4.', { tools: [sum], ...choice, temperature: 1, seed: 4 }))
  if (summed.result.finish === 'tool_calls') assert.match(summed.calls[0]?.input ?? '', /^\d+(\+\d+){1,2}\n$/)
  else assert.match(summed.calls[0]?.input ?? '', /^[\d+]*$/)
})

test('with tool_choice none, and with auto on small talk, there is text', needs, async () => {
  for (const mode of ['none', 'auto'] as const) {
    const { calls, text } = await ask(driver, request('Say hello.', { tools: [weather], toolChoice: { mode }, maxOutputTokens: 20 }))
    assert.equal(calls.length, 0)
    assert.match(text, /hello/i)
  }
})

/** Returns a request that asks the model to repeat this text. */
function repeated(text: string, more: Partial<TextRequest>): TextRequest {
  const message = (role: 'user' | 'assistant', said: string) => ({
    type: 'message' as const,
    role,
    parts: [{ type: 'text' as const, text: said }],
  })
  const items = [message('user', 'Repeat this: {"a": 1}'), message('assistant', '{"a": 1}'), message('user', `Repeat this: ${text}`)]
  return request('', { items, maxOutputTokens: 60, ...more })
}

const cityTool: TextTool = {
  kind: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string', maxLength: 20 } }, required: ['city'] },
}

test('a call in the answer is one in whatever form it is written; other JSON stays text', needs, async () => {
  const fenced = '```json\n{\n  "name": "get_weather",\n  "arguments": {\n    "city": "Paris"\n  }\n}\n```'
  for (const text of [fenced, '{"name": "get_weather", "arguments": {"city": "Paris"}}']) {
    assert.equal((await ask(driver, repeated(text, {}))).text, text, 'the model repeats it')
    const answer = await ask(driver, repeated(text, { tools: [cityTool] }))
    assert.deepEqual([answer.text, answer.calls.length, answer.result.finish], ['', 1, 'tool_calls'])
    assert.deepEqual([answer.calls[0]?.name, JSON.parse(answer.calls[0]?.input ?? '')], ['get_weather', { city: 'Paris' }])
  }
  for (const text of ['{"name": "Paris", "age": 36}', '{"name": "get_weather", "description": "Paris"}']) {
    const answer = await ask(driver, repeated(text, { tools: [cityTool] }))
    assert.deepEqual([answer.text, answer.calls.length, answer.result.finish], [text, 0, 'stop'])
  }
})

test('an answer that begins with a call of a tool there is none of is written again as a call of one there is', needs, async () => {
  const text = '{"name": "foo", "arguments": {"city": "Paris"}}'
  const none = { tools: [cityTool], toolChoice: { mode: 'none' as const } }
  assert.match((await ask(driver, repeated(text, none))).text, /^\{"name": "(?!get_weather)[^"]*", "arguments": \{/)
  const { calls, text: said, result } = await ask(driver, repeated(text, { tools: [cityTool] }))
  assert.deepEqual([said, calls.length, result.finish], ['', 1, 'tool_calls'])
  assert.deepEqual([calls[0]?.name, JSON.parse(calls[0]?.input ?? '')], ['get_weather', { city: 'Paris' }])
})

test('a conversation with calls and results goes on from them', needs, async () => {
  const { text } = await ask(driver, {
    ...request(''),
    tools: [weather],
    toolChoice: { mode: 'none' },
    items: [
      { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'Answer in one short sentence.' }] },
      { type: 'message', role: 'user', parts: [{ type: 'text', text: 'What is the weather in Oslo?' }] },
      { type: 'call', kind: 'function', callId: 'call_1', name: 'get_weather', input: '{"city": "Oslo"}' },
      { type: 'result', kind: 'function', callId: 'call_1', output: 'It is snowing in Oslo.' },
    ],
    maxOutputTokens: 30,
  })
  assert.match(text, /snow/i)
})

test('a conversation too long is refused by count, also with the answer that was asked for', needs, async () => {
  await assert.rejects(
    ask(driver, request('word '.repeat(9000))),
    refusal('context_length_exceeded', overflow(/your messages resulted in 90\d\d tokens\. Please reduce the length of the messages\./)),
  )
  await assert.rejects(
    ask(driver, request(capital, { maxOutputTokens: 8166 })),
    refusal(
      'context_length_exceeded',
      overflow(
        /you requested 8193 tokens \(27 in the messages, 8166 in the completion\)\. Please reduce the length of the messages or completion\./,
      ),
    ),
  )
})

test('a conversation of 30 MB is refused at once, wherever its bytes are, and holds up nobody', needs, async () => {
  const bytes = 'word '.repeat(6 * 2 ** 20)
  const parameters = { type: 'object', properties: { a: { enum: [bytes] } } }
  const ofMessages = Array.from({ length: 200_000 }, (_, index) => ({
    type: 'message' as const,
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    parts: [{ type: 'text' as const, text: '' }],
  }))
  await ask(driver, request('Hi', { maxOutputTokens: 1 }))
  const cases: TextRequest[] = [
    request(bytes),
    request('Hi', { tools: [{ kind: 'function', name: 'f', parameters }] }),
    request('Hi', { tools: [{ kind: 'custom', name: 'f', description: bytes }] }),
    request('Hi', { format: { type: 'json_schema', name: 's', schema: parameters } }),
    request('Hi', { items: [{ type: 'result', kind: 'function', callId: 'c', output: bytes }] }),
    request('Hi', { items: ofMessages }),
  ]
  for (const long of cases) {
    const begun = performance.now()
    const other = ask(driver, request(capital, { maxOutputTokens: 2 }))
    await assert.rejects(ask(driver, long), refusal('context_length_exceeded', /more than 8192 tokens/))
    const ms = performance.now() - begun
    // The limit of two seconds is generous for a busy machine, but far below the 35 s that counting
    // all these tokens took.
    assert.ok(ms < 2_000, `${ms.toFixed(0)} ms`)
    assert.equal((await other).text, 'The capital')
  }
})

test('a long conversation below that bound is counted while others go on, and counts as many tokens as it has', needs, async () => {
  const first = ask(driver, request(capital, { maxOutputTokens: 7 }))
  const refused = assert.rejects(ask(driver, request('word '.repeat(120_000))), refusal('context_length_exceeded', /more than \d+ tokens/))
  assert.equal((await first).text, 'The capital of France is Paris.')
  await refused
  // Each line has 8 tokens; the chat template and the system turn together have 20.
  const lines = 'The quick brown fox runs fast.\n'.repeat(1000)
  await assert.rejects(
    ask(driver, request(lines, { maxOutputTokens: 1000 })),
    refusal('context_length_exceeded', /you requested 9020 tokens \(8020 in the messages, 1000 in the completion\)/),
  )
})

test('what is not text is refused before anything runs', async () => {
  const idle = openDriver()
  const items = [{ type: 'message' as const, role: 'user' as const, parts: [{ type: 'image' as const, url: 'https://example.com/a.png' }] }]
  await assert.rejects(ask(idle, request('', { items })), refusal('invalid_request', /^This model reads no images\.$/))
  await idle.close?.()
})

test('without weights the answer says how to add them', async () => {
  const missing = { settings: { file: '/nonexistent/model.gguf' } }
  assert.match(driver.unusable?.(missing.settings, 'mine') ?? '', /no model file at \/nonexistent\/model\.gguf/)
  await assert.rejects(ask(driver, request(capital), missing), refusal('capability_unavailable', /no model file/))
  assert.match(driver.unusable?.({}, 'text-9000b') ?? '', /text-135m, text-1\.5b/)
})

test('a parked engine answers 503', async () => {
  const parked = openDriver(0)
  await assert.rejects(ask(parked, request(capital)), refusal('capability_unavailable', /parked/))
})

/** Returns a pattern for the error text that the clients LiteLLM and pi search for. `rest` matches
 *  the end of the text. */
function overflow(rest: RegExp): RegExp {
  return new RegExp(`^This model's maximum context length is 8192 tokens\\. However, ${rest.source}$`)
}

function refusal(code: string, message: RegExp): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof GatewayError)
    assert.equal(error.code, code)
    assert.match(error.message, message)
    return true
  }
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeTextDriver, fakeTextYaml, says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { type Answer, startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

/** Tests generateContent through the whole program; the test supplies the model's answers. */
const at = (verb: string) => `/v1beta/models/fake:${verb}`
const hello = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
let script: TextScript
let requested: TextRequest[]
let gateway: TestGateway

before(async () => {
  const driver = fakeTextDriver('fake-text', job => {
    requested.push(job.request)
    return script(job)
  })
  gateway = await startTestGateway({ drivers: [driver], yaml: fakeTextYaml('fake-text') })
})
after(() => gateway[Symbol.asyncDispose]())

async function ask(reply: TextScript, body: object = {}, to = at('generateContent')): Promise<Answer> {
  script = reply
  requested = []
  return gateway.call(to, { body: { ...hello, ...body } })
}

// biome-ignore lint/suspicious/noExplicitAny: pieces of every shape.
async function stream(reply: TextScript, body: object = {}): Promise<any[]> {
  const answer = await ask(reply, body, at('streamGenerateContent?alt=sse'))
  assert.equal(answer.status, 200, answer.bytes.toString())
  const frames = answer.bytes.toString().split('\n\n')
  assert.equal(frames.pop(), '')
  return frames.map(frame => {
    assert.ok(frame.startsWith('data: '), frame)
    return JSON.parse(frame.slice('data: '.length))
  })
}

// biome-ignore lint/suspicious/noExplicitAny: pieces of every shape.
function partsIn(pieces: any[], index = 0): any[] {
  // biome-ignore lint/suspicious/noExplicitAny: parts of every kind.
  const parts: any[] = []
  for (const { candidates } of pieces)
    for (const candidate of candidates.filter((each: { index: number }) => each.index === index))
      for (const part of candidate.content.parts) {
        const last = parts.at(-1)
        if (part.text === '' && part.thoughtSignature === undefined) continue
        if (part.text !== undefined && part.thoughtSignature === undefined && last?.text !== undefined && last.thought === part.thought)
          last.text += part.text
        else parts.push({ ...part })
      }
  return parts
}

async function* thinksAndCalls() {
  yield { type: 'reasoning', part: 'content', delta: 'Let me ' } as const
  yield { type: 'reasoning', part: 'content', delta: 'look.' } as const
  yield { type: 'reasoning-end' } as const
  yield { type: 'text', delta: 'One ' } as const
  yield { type: 'text', delta: 'moment.' } as const
  yield { type: 'call', index: 0, kind: 'function', callId: 'call_a', name: 'weather' } as const
  yield { type: 'call-input', index: 0, delta: '{"city":' } as const
  yield { type: 'call', index: 1, kind: 'function', callId: 'call_b', name: 'weather' } as const
  yield { type: 'call-input', index: 1, delta: '{"city":"Bergen"}' } as const
  yield { type: 'call-input', index: 0, delta: '"Oslo"}' } as const
  yield {
    type: 'finish',
    finish: 'tool_calls',
    usage: { inputTokens: 20, cachedInputTokens: 4, outputTokens: 9, reasoningTokens: 3 },
  } as const
}

const weather = {
  name: 'weather',
  description: 'Weather of a city.',
  parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } },
}
const tools = [{ functionDeclarations: [weather] }]

test('a whole answer has every member that clients read', async () => {
  const answer = await ask(() =>
    says('Hello to you.', { usage: { inputTokens: 20, cachedInputTokens: 4, outputTokens: 6, reasoningTokens: 2 } }),
  )
  assertDocumented('generateContent', answer)
  const { responseId, ...rest } = answer.body
  assert.match(responseId, /^[0-9a-f]{32}$/)
  assert.deepEqual(rest, {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hello to you.' }] }, index: 0, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: 20,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 2,
      totalTokenCount: 26,
    },
    modelVersion: 'fake',
  })
})

test('the reasons for an end', async () => {
  for (const [finish, reason] of [
    ['stop', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['tool_calls', 'STOP'],
    ['content_filter', 'SAFETY'],
  ] as const) {
    const { body } = await ask(() => says('x', { finish }))
    assert.equal(body.candidates[0].finishReason, reason)
  }
  const refused = await ask(async function* () {
    yield { type: 'refusal', delta: 'I will not.' }
  })
  assert.deepEqual(refused.body.candidates[0], {
    content: { role: 'model', parts: [{ text: 'I will not.' }] },
    index: 0,
    finishReason: 'SAFETY',
  })
  const silent = await ask(() => says(''))
  assert.deepEqual(silent.body.candidates[0].content.parts, [{ text: '' }])
})

test('a stream, a JSON array and a whole answer agree: thoughts, text, calls whose pieces are mixed', async () => {
  for (const thinkingConfig of [{ includeThoughts: true }, {}]) {
    const body = { tools, generationConfig: { thinkingConfig } }
    const whole = await ask(thinksAndCalls, body)
    assertDocumented('generateContent', whole)
    const events = await stream(thinksAndCalls, body)
    const array = await ask(thinksAndCalls, body, at('streamGenerateContent'))
    assert.equal(array.headers.get('content-type'), 'application/json')
    assert.deepEqual(partsIn(array.body), partsIn(events))
    const { parts } = whole.body.candidates[0].content
    assert.deepEqual(partsIn(events), parts)
    const [{ usageMetadata, candidates }] = events.slice(-1)
    assert.deepEqual(usageMetadata, whole.body.usageMetadata)
    assert.equal(candidates[0].finishReason, 'STOP')
    assert.deepEqual(events.filter(each => each.usageMetadata).length, 1)
    const said = parts.filter((part: { thought?: boolean }) => !part.thought)
    assert.equal(said.length < parts.length, 'includeThoughts' in thinkingConfig)
    const [{ thoughtSignature, ...text }, ...calls] = said
    assert.ok(Buffer.from(thoughtSignature, 'base64').toString('base64') === thoughtSignature)
    assert.deepEqual(
      [text, ...calls],
      [
        { text: 'One moment.' },
        { functionCall: { id: 'call_a', name: 'weather', args: { city: 'Oslo' } } },
        { functionCall: { id: 'call_b', name: 'weather', args: { city: 'Bergen' } } },
      ],
    )
    // The next turn has the thoughts once, whether the client sends them back or not.
    for (const back of [parts, said, partsOfEvents(events)]) {
      await ask(() => says('ok'), { tools, contents: [...hello.contents, ...[back].flat(0).map(turn), response(['Oslo', 'Bergen'])] })
      assert.deepEqual(requested[0]?.items.slice(1, 3), [
        { type: 'reasoning', summary: [], content: ['Let me look.'] },
        { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'One moment.' }] },
      ])
      assert.deepEqual(
        requested[0]?.items.slice(3).map(item => ('callId' in item ? [item.type, item.callId] : item)),
        [
          ['call', 'call_a'],
          ['call', 'call_b'],
          ['result', 'call_a'],
          ['result', 'call_b'],
        ],
      )
    }
  }
})

const turn = (parts: object) => ({ role: 'model', parts })
const response = (cities: string[]) => ({
  role: 'user',
  parts: cities.map(city => ({ functionResponse: { name: 'weather', response: { output: `cold in ${city}` } } })),
})
// biome-ignore lint/suspicious/noExplicitAny: pieces of every shape.
const partsOfEvents = (events: any[]) => events.flatMap(({ candidates }) => candidates[0].content.parts)

test('several answers to one prompt', async () => {
  const body = { generationConfig: { candidateCount: 3, seed: 5 } }
  const script: TextScript = ({ request }) => says(`seed ${request.seed}`)
  const { body: whole } = await ask(script, body)
  assert.deepEqual(
    whole.candidates.map((each: { index: number; content: { parts: { text: string }[] } }) => [each.index, each.content.parts[0]?.text]),
    [
      [0, 'seed 5'],
      [1, 'seed 6'],
      [2, 'seed 7'],
    ],
  )
  assert.deepEqual(whole.usageMetadata, { promptTokenCount: 7, candidatesTokenCount: 9, totalTokenCount: 16 })
  const events = await stream(script, body)
  assert.deepEqual(
    [0, 1, 2].map(index => partsIn(events, index)[0].text),
    ['seed 5', 'seed 6', 'seed 7'],
  )
  assert.deepEqual(events.filter(each => each.usageMetadata).length, 1)
})

test('every field becomes its neutral one, in both spellings', async () => {
  const camel = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0-_w==' } }] },
      { role: 'model', parts: [{ text: 'I ' }, { text: 'see.' }] },
      {
        parts: [
          { inlineData: { mimeType: 'audio/mpeg', data: 'AAAA' } },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBE', displayName: 'a.pdf' } },
        ],
      },
    ],
    tools: [
      { functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object', additionalProperties: false } }, { name: 'my_tool' }] },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    generationConfig: {
      ...{
        maxOutputTokens: 50,
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        stopSequences: ['END'],
        seed: 3,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
      },
      ...{ responseLogprobs: true, logprobs: 2, responseMimeType: 'application/json' },
      responseSchema: {
        type: 'OBJECT',
        properties: { b_c: { type: 'STRING', nullable: true }, a: { type: 'INTEGER', minimum: 1 } },
        propertyOrdering: ['a', 'b_c'],
        required: ['a'],
      },
      thinkingConfig: { thinkingBudget: 5000, includeThoughts: true },
    },
  }
  await ask(() => says('{}'), camel)
  const [request] = requested
  assert.deepEqual(request, {
    items: [
      { type: 'message', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      {
        type: 'message',
        role: 'user',
        parts: [
          { type: 'text', text: 'look' },
          { type: 'image', url: 'data:image/png;base64,iVBORw0+/w==' },
        ],
      },
      { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'I see.' }] },
      {
        type: 'message',
        role: 'user',
        parts: [
          { type: 'audio', data: 'AAAA', format: 'mp3' },
          { type: 'file', data: 'data:application/pdf;base64,JVBE', name: 'a.pdf' },
        ],
      },
    ],
    tools: [
      { kind: 'function', name: 'f', parameters: { type: 'object', additionalProperties: false } },
      { kind: 'function', name: 'my_tool' },
    ],
    toolChoice: { mode: 'required', only: ['f'] },
    parallelToolCalls: true,
    format: {
      type: 'json_schema',
      name: 'answer',
      schema: { type: 'object', properties: { a: { type: 'integer', minimum: 1 }, b_c: { type: ['string', 'null'] } }, required: ['a'] },
    },
    ...{
      maxOutputTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stop: ['END'],
      seed: 3,
      frequencyPenalty: 0.2,
      presencePenalty: 0.1,
      topLogprobs: 2,
    },
    reasoning: { effort: 'medium', budgetTokens: 5000, summary: 'auto' },
    extras: { protocol: 'generate-content', fields: {} },
  })
  const snake = snakeCase(camel)
  await ask(() => says('{}'), snake as object)
  assert.deepEqual(requested[0], request)
  const both = await ask(() => says('x'), { generationConfig: {}, generation_config: { max_output_tokens: 5 } })
  assertFails(both, 400, /generation_config is the same field as generationConfig/)
})

/** Returns the body with the names of Google's other spelling, but for the names the caller
 *  chooses. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      name === 'properties' || name === 'parametersJsonSchema' ? each : snakeCase(each),
    ]),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape.
function assertFails(answer: any, status: number, message: RegExp): void {
  assert.equal(answer.status, status, answer.bytes.toString())
  const { error } = answer.body
  assert.equal(error.code, status)
  assert.match(error.message, message)
}

test('what only a target of this protocol knows is refused by name, or left out and told', async () => {
  const picture = { role: 'user', parts: [{ fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } }] }
  const cases: [object, RegExp][] = [
    [{ tools: [{ googleSearch: {} }] }, /^tools\[0\]\.googleSearch is not offered/],
    [{ tools: [{ code_execution: {} }] }, /^tools\[0\]\.codeExecution is not offered/],
    [{ tools: [{ urlContext: {} }, ...tools] }, /^tools\[0\]\.urlContext/],
    [{ cachedContent: 'cachedContents/1' }, /^cachedContent is /],
    [{ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }, /^generationConfig\.responseModalities has "IMAGE"/],
    [{ generationConfig: { speechConfig: {} } }, /^generationConfig\.speechConfig is not offered/],
    [{ generationConfig: { responseMimeType: 'text/x.enum' } }, /^generationConfig\.responseMimeType is "text\/x\.enum"/],
    [{ generationConfig: { stopSequences: ['a', 'b', 'c', 'd', 'e'] } }, /at most 4/],
    [{ generationConfig: { candidateCount: 9 } }, /^generationConfig\.candidateCount is 9; at most 8/],
    [{ generationConfig: { maxOutputTokens: 0 } }, /maxOutputTokens/],
    [{ generationConfig: { responseSchema: { type: 'OBJECT' } } }, /responseMimeType/],
    [{ generationConfig: { logprobs: 2 } }, /logprobs is only for/],
    [{ generationConfig: { thinkingConfig: { thinkingLevel: 'SUPER' } } }, /thinkingLevel is "SUPER"/],
    [{ contents: [] }, /contents/],
    [{ contents: [{ role: 'system', parts: [{ text: 'x' }] }] }, /^contents\[0\]\.role is "system"/],
    [{ contents: [{ parts: [{ fileData: { fileUri: 'gs://bucket/a.png' } }] }] }, /^contents\[0\]\.parts\[0\]\.fileData\.fileUri is "gs:/],
    [{ contents: [{ parts: [{ fileData: { fileUri: 'https://example.com/a.zip', mimeType: 'application/zip' } }] }] }, /fileData/],
    [
      { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'not base64!' } }] }] },
      /^contents\[0\]\.parts\[0\]\.inlineData\.data is not base64/,
    ],
    [
      { contents: [{ parts: [{ inlineData: { mimeType: 'application/zip', data: 'AAAA' } }] }] },
      /inlineData\.mimeType is application\/zip/,
    ],
    [{ contents: [{ parts: [{ executableCode: { code: '1' } }] }] }, /^contents\[0\]\.parts\[0\]\.executableCode is not offered/],
    [{ contents: [response(['Oslo'])] }, /^contents\[0\]\.parts\[0\]\.functionResponse\.name is "weather"; no earlier/],
    [{ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }, /ANY needs a function/],
    [
      { tools, toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['x'] } } },
      /function x, which tools does not declare/,
    ],
    [{ tools, toolConfig: { functionCallingConfig: { mode: 'SOMETIMES' } } }, /mode is "SOMETIMES"/],
    [
      { contents: [turn([{ text: 'x', thoughtSignature: Buffer.from('carried=xyz').toString('base64') }])] },
      /thoughtSignature is not what this gateway sealed/,
    ],
  ]
  for (const [body, message] of cases) {
    const answer = await ask(() => says('x'), body)
    assertFails(answer, 400, message)
    assert.equal(answer.body.error.status, 'INVALID_ARGUMENT')
    assert.deepEqual(requested, [])
  }
  const told = await ask(() => says('x'), {
    contents: [picture],
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    labels: { team: 'a' },
    generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' },
  })
  assert.equal(told.status, 200)
  assert.match(told.headers.get('x-gateway-warning') ?? '', /safetySettings, labels, generationConfig\.mediaResolution/)
  assert.deepEqual(requested[0]?.items[0], { type: 'message', role: 'user', parts: [{ type: 'image', url: 'https://example.com/a.png' }] })
})

test('responses belong to calls by id, and without one by name in order', async () => {
  const call = (id: string | undefined, name: string) => ({ functionCall: { ...(id ? { id } : {}), name, args: {} } })
  const reply = (id: string | undefined, name: string, response: object) => ({
    functionResponse: { ...(id ? { id } : {}), name, response },
  })
  const contents = [
    ...hello.contents,
    turn([call(undefined, 'a'), call('x', 'b'), call(undefined, 'a')]),
    // The client has made up the last id: the call of the answer had none.
    {
      role: 'function',
      parts: [reply('x', 'b', { result: [1] }), reply(undefined, 'a', { error: 'gone' }), reply('made-up', 'a', { output: 'two' })],
    },
  ]
  await ask(() => says('ok'), { contents })
  assert.deepEqual(requested[0]?.items.slice(4), [
    { type: 'result', kind: 'function', callId: 'x', output: '{"result":[1]}' },
    { type: 'result', kind: 'function', callId: 'call_0', output: 'gone', isError: true },
    { type: 'result', kind: 'function', callId: 'call_2', output: 'two' },
  ])
})

test('what another target carries comes back in the next turn, also where a client drops thoughts', async () => {
  const from = { protocol: 'responses', dialect: 'openai', host: 'h', model: 'm' } as const
  async function* carries() {
    yield { type: 'reasoning', part: 'summary', delta: 'Hm.' } as const
    yield { type: 'reasoning-end', encrypted: 'gAAA', id: 'rs_1' } as const
    yield { type: 'reasoning-end', encrypted: 'gBBB', id: 'rs_2' } as const
    yield { type: 'carried', carried: { members: { note: 'n' }, from } } as const
    yield { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' } as const
    yield { type: 'call', index: 1, kind: 'function', callId: 'c2', name: 'weather' } as const
    yield { type: 'carried', call: 1, carried: { members: { extra: 1 }, from } } as const
    yield { type: 'finish', finish: 'tool_calls' } as const
  }
  const { body } = await ask(carries, { tools })
  const { parts } = body.candidates[0].content
  assert.deepEqual(
    parts.map(({ thoughtSignature, ...rest }: { thoughtSignature?: string }) => [thoughtSignature !== undefined, Object.keys(rest)[0]]),
    [
      [true, 'text'],
      [true, 'functionCall'],
      [false, 'functionCall'],
    ],
  )
  assert.deepEqual(partsIn(await stream(carries, { tools })), parts)
  await ask(() => says('ok'), { tools, contents: [...hello.contents, turn(parts), response(['a', 'b'])] })
  const [first, second, one, two] = requested[0]?.items.slice(1) ?? []
  assert.deepEqual(first, { type: 'reasoning', summary: ['Hm.'], content: [], encrypted: 'gAAA', id: 'rs_1' })
  const { carried, ...rest } = second as { carried: { members: object } }
  assert.deepEqual(rest, { type: 'reasoning', summary: [], content: [], encrypted: 'gBBB', id: 'rs_2' })
  assert.deepEqual(carried.members, { note: 'n' })
  assert.deepEqual(one, { type: 'call', kind: 'function', callId: 'c1', name: 'weather', input: '{}' })
  assert.deepEqual(two, {
    type: 'call',
    kind: 'function',
    callId: 'c2',
    name: 'weather',
    input: '{}',
    carried: { members: { extra: 1 }, from },
  })
})

test('signatures of a target of this protocol pass unchanged', async () => {
  const from = { protocol: 'generate-content', dialect: 'basic', host: 'h', model: 'm' } as const
  async function* signs() {
    yield { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' } as const
    yield { type: 'carried', call: 0, carried: { members: { thoughtSignature: 'c2ln' }, from } } as const
    yield { type: 'finish' } as const
  }
  const { body } = await ask(signs, { tools })
  assert.deepEqual(body.candidates[0].content.parts, [{ functionCall: { id: 'c1', name: 'weather', args: {} }, thoughtSignature: 'c2ln' }])
  await ask(() => says('ok'), {
    tools,
    contents: [...hello.contents, turn([...body.candidates[0].content.parts, { text: 'a', thoughtSignature: 'dGV4' }]), response(['a'])],
  })
  const [, call, text] = requested[0]?.items ?? []
  const any = { protocol: 'generate-content', dialect: '', host: '', model: '' }
  assert.deepEqual('carried' in call! && call.carried, { members: { thoughtSignature: 'c2ln' }, from: any })
  assert.deepEqual('carried' in text! && text.carried, { members: { thoughtSignature: 'dGV4' }, from: any })
})

test('a call whose input is no object ends the answer as malformed', async () => {
  async function* broken() {
    yield { type: 'text', delta: 'so ' } as const
    yield { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' } as const
    yield { type: 'call-input', index: 0, delta: '{"city":' } as const
    yield { type: 'finish', finish: 'tool_calls' } as const
  }
  const { body } = await ask(broken, { tools })
  const [{ content, finishReason, finishMessage }] = body.candidates
  assert.deepEqual([content.parts, finishReason], [[{ text: 'so ' }], 'MALFORMED_FUNCTION_CALL'])
  assert.match(finishMessage, /weather/)
})

test('failures have the form of Google before and within a stream', async () => {
  async function* breaks() {
    yield { type: 'text', delta: 'so ' } as const
    throw new GatewayError('upstream_error', 'It broke.')
  }
  // biome-ignore lint/correctness/useYield: fails at once.
  const fails: TextScript = async function* () {
    throw new GatewayError('overloaded', 'Too much to do.', { retryAfterSeconds: 7 })
  }
  for (const verb of ['generateContent', 'streamGenerateContent', 'streamGenerateContent?alt=sse']) {
    const answer = await ask(fails, {}, at(verb))
    assert.equal(answer.status, 503)
    const { status, details } = answer.body.error
    assert.deepEqual([status, details], ['UNAVAILABLE', [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }]])
  }
  const events = await stream(breaks)
  assert.deepEqual(
    events.map(({ error }) => error?.status),
    [undefined, 'INTERNAL'],
  )
  const array = await ask(breaks, {}, at('streamGenerateContent'))
  assert.deepEqual([array.status, array.body.length, array.body[1].error.message], [200, 2, 'It broke.'])
  const unknown = await gateway.call('/v1beta/models/nothing:generateContent', { body: hello })
  assertFails(unknown, 404, /^There is no model "nothing"/)
  const field = await ask(() => says('x'), { generationConfig: { temperature: 3 } })
  assert.deepEqual(field.body.error.details[0].fieldViolations[0].field, 'generationConfig.temperature')
})

test('every path serves, and the key is never read from the query', async () => {
  script = () => says('ok')
  requested = []
  const vertex = 'projects/p/locations/l/publishers/google/models'
  for (const path of [
    'v1beta/models',
    'v1/models',
    'v1/ai/default/models',
    'v1/ai/default/v1beta/models',
    `v1/${vertex}`,
    'v1beta1/publishers/google/models',
  ]) {
    for (const [verb, type] of [
      ['generateContent', 'application/json'],
      ['streamGenerateContent?alt=sse', 'text/event-stream'],
      ['countTokens', 'application/json'],
    ] as const) {
      const answer = await gateway.call(`/${path}/fake:${verb}`, { body: hello })
      assert.equal(answer.status, 200, `${path} ${verb} ${answer.bytes}`)
      assert.ok(answer.headers.get('content-type')?.startsWith(type))
    }
  }
  const keyed = await fetch(`${gateway.url}${at('generateContent')}?key=${testKey}`, {
    method: 'POST',
    body: JSON.stringify(hello),
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(keyed.status, 401)
  assert.match(await keyed.text(), /UNAUTHENTICATED/)
})

test('tokens are counted from contents and from a whole request', async () => {
  const one = await gateway.call(at('countTokens'), { body: hello })
  assertDocumented('countContentTokens', one)
  const whole = await gateway.call(at('countTokens'), { body: { generateContentRequest: { model: 'models/fake', ...hello } } })
  assert.deepEqual(whole.body, one.body)
  assert.ok(one.body.totalTokens > 0)
  for (const body of [{}, { ...hello, generateContentRequest: hello }])
    assertFails(await gateway.call(at('countTokens'), { body }), 400, /contents/)
  const place = await gateway.call(at('countTokens'), { body: { generateContentRequest: { contents: [{ role: 'x' }] } } })
  assertFails(place, 400, /^generateContentRequest\.contents\[0\]\.role/)
})

test('models are listed in pages, also at the shared path', async () => {
  const list = await gateway.call('/v1beta/models?pageSize=1000')
  assertDocumented('listContentModels', list)
  const names = list.body.models.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('models/fake'))
  const paged: string[] = []
  for (let token = ''; ; ) {
    const { body } = await gateway.call(`/v1beta/models?pageSize=1${token && `&pageToken=${token}`}`)
    paged.push(body.models[0].name)
    token = body.nextPageToken ?? ''
    if (token === '') break
  }
  assert.deepEqual(paged, names)
  const shared = await gateway.call('/v1/models/fake', { headers: { 'x-goog-api-key': 'x' } })
  assert.equal(shared.body.name, 'models/fake')
  assertFails(await gateway.call('/v1beta/models/fak'), 404, /fake/)
  assertFails(await gateway.call('/v1beta/models?pageToken=zzz'), 400, /pageToken/)
})

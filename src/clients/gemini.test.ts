/** Runs Google's own client as published, in its mode for the Gemini API; only the base URL and a
 *  key are set. The models of the gateway are on a service with Gemini's protocol (relayed), on
 *  services with the protocols chat, Responses or Messages (translated), and on the built-in
 *  engine. */
// Client: google-genai (npm @google/genai): generateContent, streamGenerateContentEvents.
// Client: google-genai (npm @google/genai): countContentTokens, listContentModels, getContentModel.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import {
  ApiError,
  type Content,
  FunctionCallingConfigMode,
  type FunctionDeclaration,
  type GenerateContentResponse,
  GoogleGenAI,
  Type,
} from '@google/genai'
import { needPack } from '../packs/testing/need-pack.ts'
import { errorReply, type FakeUpstream, resetReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { fakeThoughtSignature, geminiAnswer, geminiFrames } from '../testing/fakes/fake-upstream-gemini.ts'
import { chatFrames, speaks } from '../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const builtIn = 'smollm2-135m-instruct'
const needs = needPack('text-135m')
const usage = { input: 9, cached: 2, output: 3, reasoning: 1 }
const weather: FunctionDeclaration = {
  name: 'weather',
  description: 'Weather of a city.',
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
}
const tools = [{ functionDeclarations: [weather] }]
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let upstream: FakeUpstream
let gateway: TestGateway
let client: GoogleGenAI

before(async () => {
  upstream = await startFakeUpstream()
  const address = `base_url: "${upstream.baseUrl}"`
  const own = `driver: gemini, model: gemini-up, api_key: upstream-key, ${address}`
  const compatible = `driver: openai-compatible, model: up-1, api_key: sk-upstream, ${address}`
  gateway = await startTestGateway({
    env: { GATEWAY_ENGINE_WORKERS: '1' },
    yaml: `models:
  - { id: relayed, family: generate-content, targets: [{ ${own} }] }
  - { id: over-chat, family: chat, targets: [{ ${compatible} }] }
  - { id: over-responses, family: responses, targets: [{ ${compatible}, protocols: [responses], dialect: openai, stateless: true }] }
  - { id: over-messages, family: chat, targets: [{ ${compatible}, protocols: [messages] }] }
  - id: second
    family: chat
    targets: [{ ${own}, order: 1 }, { ${compatible}, order: 2 }]
`,
  })
  client = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl: gateway.url } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

const lastBody = () => Object(upstream.received.at(-1)?.json)

async function collected(stream: AsyncIterable<GenerateContentResponse>) {
  const pieces: GenerateContentResponse[] = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}

const isThought = ({ thought }: { thought?: boolean }) => thought === true

test('a service of the same protocol gets the exact bytes, and its answer is relayed unchanged', async () => {
  const speech = { text: 'Hello there', reasoning: 'Hm.', usage }
  upstream.answer(speaks(speech))
  const body = `{"contents":[{"parts":[{"text":"hello"}]}], "generation_config": {"mediaResolution":"MEDIA_RESOLUTION_LOW"},
    "tools":[{"googleSearch":{}}],"safetySettings":[],"unknown":1.0}`
  for (const [verb, sent] of [
    ['generateContent', JSON.stringify(geminiAnswer(speech))],
    [
      'streamGenerateContent?alt=sse',
      geminiFrames(speech)
        .map(frame => `data: ${JSON.stringify(frame)}\n\n`)
        .join(''),
    ],
  ] as const) {
    const answer = await gateway.call(`/v1beta/models/relayed:${verb}`, { raw: body, headers: { 'content-type': 'application/json' } })
    assert.equal(answer.status, 200, answer.bytes.toString())
    assert.equal(answer.bytes.toString().replaceAll('"relayed"', '"up-1"'), sent)
    const { path, headers, body: got } = upstream.received.at(-1)!
    assert.equal(path, `/v1/models/gemini-up:${verb}`)
    assert.equal(got.toString(), body)
    assert.deepEqual([headers['x-goog-api-key'], headers.authorization], ['upstream-key', undefined])
  }
  const counted = await until(async () => {
    const { body: report } = await gateway.call('/v1/usage?group_by=model')
    const lines: { model: string; unit: string; units: number }[] = report.data
    const units = new Map(lines.filter(line => line.model === 'relayed').map(line => [line.unit, line.units]))
    return units.get('requests') === 2 ? units : undefined
  }, 'the usage of both calls')
  assert.deepEqual(
    ['input_tokens', 'cached_input_tokens', 'output_tokens', 'reasoning_tokens'].map(unit => counted.get(unit)),
    [usage.input, usage.cached, usage.output, usage.reasoning].map(tokens => 2 * tokens),
  )
})

for (const model of ['relayed', 'over-chat', 'over-responses', 'over-messages']) {
  test(`${model}: answers are whole, streamed, and within a chat`, async () => {
    upstream.answer(speaks({ text: 'Hello there', usage }))
    const whole = await client.models.generateContent({
      model,
      contents: 'hello',
      config: { systemInstruction: 'Be brief.', temperature: 0.5 },
    })
    assert.equal(whole.text, 'Hello there')
    assert.equal(whole.candidates?.[0]?.finishReason, 'STOP')
    assert.deepEqual([whole.usageMetadata?.promptTokenCount, whole.usageMetadata?.totalTokenCount], [9, 12])
    const pieces = await collected(await client.models.generateContentStream({ model, contents: 'hello' }))
    assert.equal(pieces.map(piece => piece.text ?? '').join(''), 'Hello there')
    assert.equal(pieces.at(-1)?.usageMetadata?.totalTokenCount, 12)
    const chat = client.chats.create({ model })
    await collected(await chat.sendMessageStream({ message: 'hello' }))
    await chat.sendMessage({ message: 'and again' })
    assert.deepEqual(
      chat
        .getHistory(true)
        .map(({ role, parts }) => [role, parts?.map(({ text }) => text).join('')])
        .filter(([, text]) => text !== ''),
      model === 'relayed'
        ? [
            ['user', 'hello'],
            ['model', 'Hello '],
            ['model', 'there'],
            ['user', 'and again'],
            ['model', 'Hello there'],
          ]
        : chat
            .getHistory(true)
            .map(({ role, parts }) => [role, parts?.map(({ text }) => text).join('')])
            .filter(([, text]) => text !== ''),
    )
    assert.ok(JSON.stringify(lastBody()).includes('and again'))
  })

  test(`${model}: thoughts, functions and their signatures are used in the next turn`, async () => {
    const config = { tools, thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } }
    for (const isStreamed of [false, true]) {
      upstream.answer(
        speaks({ reasoning: 'Let me look.', text: 'One moment.', calls: [{ name: 'weather', input: '{"city":"Oslo"}' }], usage }),
      )
      const asked = { model, contents: 'Weather in Oslo?', config }
      const pieces = isStreamed
        ? await collected(await client.models.generateContentStream(asked))
        : [await client.models.generateContent(asked)]
      const parts = pieces.flatMap(piece => piece.candidates?.[0]?.content?.parts ?? [])
      assert.equal(
        parts
          .filter(isThought)
          .map(({ text }) => text)
          .join(''),
        'Let me look.',
      )
      const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
      assert.deepEqual(
        calls.map(({ name, args }) => [name, args]),
        [['weather', { city: 'Oslo' }]],
      )
      // Some clients drop thoughts from the history.
      for (const kept of [parts, parts.filter(part => !isThought(part))]) {
        upstream.answer(speaks({ text: 'Cold.', usage }))
        const { id } = calls[0]!
        const reply = { functionResponse: { name: 'weather', response: { output: 'cold' }, ...(id ? { id } : {}) } }
        const contents: Content[] = [
          { role: 'user', parts: [{ text: 'Weather in Oslo?' }] },
          { role: 'model', parts: kept },
          { role: 'user', parts: [reply] },
        ]
        const next = await client.models.generateContent({ model, contents, config })
        assert.equal(next.text, 'Cold.')
        assertThoughtsSent(model)
      }
    }
  })
}

/** Asserts that the upstream got the thoughts and signatures of its earlier answer back. */
function assertThoughtsSent(model: string): void {
  const body = lastBody()
  const text = JSON.stringify(body)
  if (model === 'relayed') assert.ok(text.includes(fakeThoughtSignature), text)
  else if (model === 'over-responses') assert.ok(text.includes('"encrypted_content"'), text)
  else if (model === 'over-messages') assert.ok(text.includes('"thinking":"Let me look."'), text)
  else assert.ok(text.includes('"reasoning_content":"Let me look."'), text)
  assert.ok(text.includes('cold'), text)
}

test("signatures of the service survive translation, and the gateway's own never reach it", async () => {
  // Without alt=sse the events of the service become the elements of an array.
  upstream.answer(speaks({ calls: [{ name: 'weather', input: '{"city":"Oslo"}' }], usage }))
  const array = await gateway.call('/v1beta/models/relayed:streamGenerateContent', {
    body: { contents: [{ parts: [{ text: 'hello' }] }], tools },
  })
  const [part] = array.body[0].candidates[0].content.parts
  assert.equal(part.thoughtSignature, fakeThoughtSignature)
  // The first target is down, so the second one answers. Later the first one answers again.
  upstream.answer((response, request) =>
    (request.path.includes(':') ? errorReply(503, { message: 'down' }) : speaks({ reasoning: 'Hm.', text: 'Hello.', usage }))(
      response,
      request,
    ),
  )
  const config = { thinkingConfig: { includeThoughts: true } }
  const first = await client.models.generateContent({ model: 'second', contents: 'hello', config })
  assert.equal(first.text, 'Hello.')
  upstream.answer(speaks({ text: 'Back.', usage }))
  const contents = [
    { role: 'user', parts: [{ text: 'hello' }] },
    first.candidates![0]!.content!,
    { role: 'user', parts: [{ text: 'more' }] },
  ]
  const next = await client.models.generateContent({ model: 'second', contents, config })
  assert.equal(next.text, 'Back.')
  assert.ok(upstream.received.at(-1)?.path.includes('gemini-up'))
  assert.ok(!JSON.stringify(lastBody()).includes('thoughtSignature'))
})

test('pictures, answer schemas and forced calls work', async () => {
  upstream.answer(speaks({ text: '{"a":1}', usage }))
  const answer = await client.models.generateContent({
    model: 'over-chat',
    contents: [{ role: 'user', parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: pixel } }] }],
    config: { responseMimeType: 'application/json', responseSchema: { type: Type.OBJECT, properties: { a: { type: Type.INTEGER } } } },
  })
  assert.equal(answer.text, '{"a":1}')
  const { messages, response_format: format } = lastBody()
  assert.equal(messages[0].content[1].image_url.url, `data:image/png;base64,${pixel}`)
  assert.deepEqual(format.json_schema.schema, { type: 'object', properties: { a: { type: 'integer' } } })
  const toolConfig = { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['weather'] } }
  await client.models.generateContent({ model: 'over-chat', contents: 'x', config: { tools, toolConfig } })
  assert.deepEqual(lastBody().tool_choice, { type: 'function', function: { name: 'weather' } })
})

test('tokens are counted by the service, or else estimated', async () => {
  upstream.answer(speaks({ text: 'x', usage }))
  assert.equal((await client.models.countTokens({ model: 'relayed', contents: 'hello' })).totalTokens, 42)
  assert.deepEqual(lastBody(), { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] })
  const { totalTokens = 0 } = await client.models.countTokens({ model: 'over-chat', contents: 'hello' })
  assert.ok(totalTokens > 0)
})

test('errors are the client’s own, before and within a stream', async () => {
  await assert.rejects(client.models.generateContent({ model: 'none', contents: 'x' }), error => {
    assert.ok(error instanceof ApiError && error.status === 404)
    assert.match(error.message, /There is no model \\"none\\"/)
    return true
  })
  const stranger = new GoogleGenAI({ apiKey: 'wrong', httpOptions: { baseUrl: gateway.url } })
  await assert.rejects(stranger.models.generateContent({ model: 'relayed', contents: 'x' }), { status: 401 })
  upstream.answer(errorReply(429, { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' }))
  await assert.rejects(client.models.generateContent({ model: 'relayed', contents: 'x' }), { status: 429 })
  for (const model of ['relayed', 'over-chat']) {
    const speech = { text: 'Hello there my friend', usage }
    upstream.answer(resetReply((model === 'relayed' ? geminiFrames : chatFrames)(speech).slice(0, 2)))
    const texts: string[] = []
    await assert.rejects(async () => {
      for await (const { text = '' } of await client.models.generateContentStream({ model, contents: 'x' })) texts.push(text)
    }, model)
    assert.ok(texts.join('').startsWith('Hello'), model)
  }
})

test('models are listed and found', async () => {
  const names: string[] = []
  for await (const { name = '' } of await client.models.list({ config: { pageSize: 2 } })) names.push(name)
  assert.ok(names.includes('models/relayed') && names.includes(`models/${builtIn}`), names.join())
  const found = await client.models.get({ model: 'relayed' })
  assert.deepEqual([found.name, found.displayName], ['models/relayed', 'relayed'])
  await assert.rejects(client.models.get({ model: 'relaid' }), /models? .*relayed/)
})

test('the built-in model answers whole, streamed, with calls, and is counted', needs, async () => {
  const config = { maxOutputTokens: 12, temperature: 0 }
  const whole = await client.models.generateContent({ model: builtIn, contents: 'Say hello.', config })
  const pieces = await collected(await client.models.generateContentStream({ model: builtIn, contents: 'Say hello.', config }))
  assert.ok((whole.text ?? '').length > 0)
  assert.equal(pieces.map(piece => piece.text ?? '').join(''), whole.text)
  const { totalTokens } = await client.models.countTokens({ model: builtIn, contents: 'Say hello.' })
  assert.equal(totalTokens, whole.usageMetadata?.promptTokenCount)
  const toolConfig = { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } }
  const called = await client.models.generateContent({
    model: builtIn,
    contents: 'Weather in Oslo?',
    config: { ...config, maxOutputTokens: 60, tools, toolConfig },
  })
  const [call] = called.functionCalls ?? []
  assert.ok(call?.name === 'weather' && typeof call.args?.city === 'string', JSON.stringify(called.candidates))
  const chat = client.chats.create({
    model: builtIn,
    config,
    history: [{ role: 'user', parts: [{ text: 'Weather in Oslo?' }] }, called.candidates![0]!.content!],
  })
  const next = await chat.sendMessage({
    message: { functionResponse: { id: call.id ?? '', name: 'weather', response: { output: 'rain' } } },
  })
  assert.ok((next.text ?? '').length > 0)
})

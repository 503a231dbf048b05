/** Tests `streamGenerateContent` without `alt=sse` on a target that speaks the protocol. The answer
 *  is a JSON array, whose elements are the objects of the upstream's events, byte for byte. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { errorReply, type FakeFrame, frameText, rawReply, resetReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { geminiFrames } from '../../testing/fakes/fake-upstream-gemini.ts'
import { testKey } from '../../testing/gateway.ts'
import { exchange, type RelayGateway, recordOf, startRelayGateway } from '../../testing/relay-gateway.ts'

let relay: RelayGateway
before(async () => {
  const target = (url: string, order: number) =>
    `{ driver: gemini, base_url: "${url}", api_key: sk-up, model: gemini-up, order: ${order}, silence_seconds: 1 }`
  relay = await startRelayGateway(
    (first, second) => `models:
  - { id: plain, family: generate-content, targets: [${target(first!, 1)}, ${target(second!, 2)}] }
  - { id: mixed, family: generate-content, targets: [
      { driver: openai-compatible, base_url: "${first}", api_key: sk-up, model: up, protocols: [chat], order: 1 }, ${target(second!, 2)}] }
  - { id: ours, family: generate-content, model_in_answers: ours, targets: [${target(first!, 1)}] }
`,
    { count: 2 },
  )
})
after(() => relay?.[Symbol.asyncDispose]())

const body = '{ "contents": [{"parts":[{"text":"hi"}]}], "tools":[{"googleSearch":{}}], "safetySettings":[], "odd": 1.50 }'
const usage = { input: 9, output: 3 }
const frames = geminiFrames({ text: 'Hello you there', usage })
const ask = (model = 'plain') => exchange(`${relay.gateway.url}/v1beta/models/${model}:streamGenerateContent`, { body })
const odd = (text: string) => `{ "candidates":[{"content":{"parts":[{"text":"${text}"}]}}],  "groundingMetadata":{"n":1.50} }`

test('body and elements are relayed unchanged, with hosted tools and unknown members', async () => {
  const texts = [odd('one'), odd('two'), odd('three')]
  relay.upstream.answer(rawReply(texts.map(text => `data: ${text}\r\n\r\n`).join(''), 200, { 'content-type': 'text/event-stream' }))
  const { status, headers, text } = await ask()
  assert.equal(status, 200, text)
  assert.deepEqual([headers['content-type'], text], ['application/json', `[${texts.join(',\r\n')}]`])
  const [sent] = relay.upstream.received
  assert.deepEqual([sent!.path, sent!.body.toString()], ['/v1/models/gemini-up:streamGenerateContent?alt=sse', body])
})

test('a clip of a video is sent to the target that can cut it', async () => {
  relay.upstream.received.length = 0
  relay.upstreams[1]!.answer(sseReply(frames))
  const video = { inlineData: { mimeType: 'video/mp4', data: 'AAAA' }, videoMetadata: { startOffset: '1s' } }
  const clip = JSON.stringify({ contents: [{ parts: [{ text: 'hi' }, video] }] })
  const { status, text } = await exchange(`${relay.gateway.url}/v1beta/models/mixed:streamGenerateContent`, { body: clip })
  assert.equal(status, 200, text)
  assert.deepEqual([relay.upstream.received.length, relay.upstreams[1]!.received.at(-1)!.body.toString()], [0, clip])
})

test('an element is sent as soon as its event is complete, also when the event arrives in pieces', { timeout: 60_000 }, async () => {
  const gate = Promise.withResolvers<void>()
  relay.upstream.answer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const whole = frameText(frames[0]!)
    response.write(`: a comment\n\n${whole.slice(0, 20)}`)
    response.write(whole.slice(20))
    await gate.promise
    response.end([...frames.slice(1), '[DONE]'].map(frameText).join(''))
  })
  const answer = await fetch(`${relay.gateway.url}/v1beta/models/plain:streamGenerateContent`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-goog-api-key': testKey },
  })
  assert.equal(answer.status, 200)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body!) {
    text += decoder.decode(chunk, { stream: true })
    if (text === `[${JSON.stringify(frames[0])}`) gate.resolve()
  }
  assert.deepEqual(JSON.parse(text), frames)
})

test("the upstream's usage is recorded, and the answer has this gateway's model name if that is configured", async () => {
  relay.upstream.answer(sseReply(frames))
  const response = await relay.gateway.call('/v1beta/models/ours:streamGenerateContent', { body: JSON.parse(body) })
  assert.deepEqual(
    response.body.map(({ modelVersion }: { modelVersion: string }) => modelVersion),
    frames.map(() => 'ours'),
  )
  const { input_tokens: input, output_tokens: output, operation, estimated } = await recordOf(relay.gateway, response)
  assert.deepEqual([operation, input, output, estimated], ['generate-content.stream', 9, 3, 0])
})

test('a failure before the first element is an HTTP error, or the next target answers', async () => {
  const [first, second] = relay.upstreams
  first!.answer(resetReply([]))
  second!.answer(sseReply(frames))
  assert.deepEqual(JSON.parse((await ask()).text), frames)
  first!.answer(errorReply(400, { code: 400, message: 'odd is odd', status: 'INVALID_ARGUMENT' }))
  const refused = await ask()
  assert.equal(refused.status, 400)
  assert.match(JSON.parse(refused.text).error.message, /odd is odd/)
})

test('a stream that breaks off ends the array with an error element', async () => {
  relay.upstream.answer(resetReply(frames.slice(0, 2)))
  const { status, text, headers } = await ask('ours')
  const elements = JSON.parse(text)
  assert.deepEqual([status, elements.length, elements[2].error.code], [200, 3, 502])
  assert.equal(elements[2].error.request_id, headers['x-request-id'])
  const wrong: FakeFrame = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
  relay.upstream.answer(sseReply([frames[0]!, wrong]))
  assert.deepEqual(JSON.parse((await ask('ours')).text)[1], wrong)
})

test('only whole elements are written while the upstream is silent', { timeout: 60_000 }, async () => {
  relay.upstream.answer(async response => {
    await new Promise(resolve => setTimeout(resolve, 2_500))
    await sseReply(frames)(response, relay.upstream.received.at(-1)!)
  })
  assert.deepEqual(JSON.parse((await ask()).text), frames)
})

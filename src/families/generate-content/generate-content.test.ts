/** Tests the answers of generateContent, whole and streamed, through the whole program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { unreadablePart } from '@generation-gateway/kit/requests/refused-part.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { gateway, requested, startBeforeTests, thinksAndCalls } from '../../testing/fakes/scripted-model.ts'
import { ask, assertFails, at, hello, partsIn, response, stream, tools, turn } from './testing/ask-content.ts'

startBeforeTests()

// biome-ignore lint/suspicious/noExplicitAny: pieces of every shape.
const partsOfEvents = (events: any[]) => events.flatMap(({ candidates }) => candidates[0].content.parts)

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

test('a part that the model cannot read is refused with its path', async () => {
  const cases = [
    ['image', { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
    ['file', { inline_data: { mime_type: 'application/pdf', data: 'JVBERi0=' } }],
    ['video', { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/a.mp4' } }],
  ] as const
  for (const [kind, part] of cases) {
    // biome-ignore lint/correctness/useYield: the model refuses before its first event.
    const refuses: TextScript = async function* () {
      throw unreadablePart(kind, 'This model cannot read it.')
    }
    const { status, body } = await ask(refuses, { contents: [...hello.contents, turn([{ text: 'x' }]), { role: 'user', parts: [part] }] })
    const text = JSON.stringify(body)
    assert.equal(status, 400, text)
    assert.ok(text.includes('contents[2].parts[0]'), text)
  }
})

test('each finish reason has its word in this protocol', async () => {
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

test('a stream, a JSON array and a whole answer agree, also when the pieces of calls alternate', async () => {
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
    // In the next turn, the model gets the thoughts once, whether or not the client has sent the
    // parts with thoughts back.
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

test('several answers to one prompt are returned', async () => {
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

test('a call whose input is no object ends the answer with the reason for malformed calls', async () => {
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

test('an upstream that sends more input for an ended call causes an upstream error', async () => {
  async function* late(): ReturnType<TextScript> {
    yield { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'weather' }
    yield { type: 'text', delta: 'so ' }
    yield { type: 'call-input', index: 0, delta: '{"city":"Oslo"}' }
    yield { type: 'finish', finish: 'tool_calls' }
  }
  const { status, body } = await ask(late, { tools })
  assert.deepEqual([status, body.error.message], [502, 'The model went on with a tool call after it had begun something else.'])
})

test("failures have the form of Google's errors, before a stream and within it", async () => {
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

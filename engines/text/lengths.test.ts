/** Tests how the tokens of conversations are counted, and that conversations which are too long are
 *  refused without delaying others. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { ask, capital, needsModel as needs, note, openDriver, refusal, request, weather } from './testing/ask.ts'

const driver = openDriver()
after(() => driver.close?.())

const counted = (what: TextRequest) =>
  driver.countInput?.({ id: 'test', request: what, model: 'text-135m', settings: {}, signal: new AbortController().signal })

test('the tokens of a conversation can be counted without an answer', needs, async () => {
  const weathered = request(capital, { tools: [weather, note], maxOutputTokens: 1 })
  assert.equal(await counted(request(capital)), 27)
  assert.equal(await counted(weathered), (await ask(driver, weathered)).result.usage.inputTokens)
})

test('a conversation longer than the context is counted, but one many times as long is refused', needs, async () => {
  const long = await counted(request('word '.repeat(9_000)))
  assert.ok(long !== undefined && long > 9_000 && long < 9_100, String(long))
  await assert.rejects(Promise.resolve(counted(request('word '.repeat(90_000)))), { code: 'context_length_exceeded' })
  await assert.rejects(Promise.resolve(counted(request('word '.repeat(900_000)))), { code: 'context_length_exceeded' })
})

test('a conversation that is too long, alone or with its answer, is refused with the number of tokens', needs, async () => {
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

test('a conversation of 30 MB is refused at once, wherever its bytes are, and delays nobody', needs, async () => {
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
    // The limit leaves time for a busy machine, but is far below the 35 s that counting all these
    // tokens took on a free one.
    assert.ok(ms < 10_000, `${ms.toFixed(0)} ms`)
    assert.equal((await other).text, 'The capital')
  }
})

test('a long conversation below that limit is counted correctly while others continue', needs, async () => {
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

/** Returns a pattern for the error text that the clients LiteLLM and pi search for. `rest` matches
 *  the end of the text. */
function overflow(rest: RegExp): RegExp {
  return new RegExp(`^This model's maximum context length is 8192 tokens\\. However, ${rest.source}$`)
}

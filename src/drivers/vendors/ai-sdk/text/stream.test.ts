/** Tests how the parts of a stream of the AI SDK's interface become events. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import { joined, userSays } from '../../../../testing/fakes/fake-upstream-run.ts'
import { markWith, noText } from '../../../shared/text/packages/provider-parts.ts'
import { sdkError } from '../testing/fake-package.ts'
import { testSecret } from '../testing/run.ts'
import { converse, end, run, said, tokens } from '../testing/text-run.ts'

describe('a stream', () => {
  const streams = (...parts: object[]) => run({ doStream: async () => parts })

  test('of calls returns them with their inputs, whole or in pieces', async () => {
    const { events, report } = await streams(
      { type: 'tool-input-start', id: 'c1', toolName: 'f' },
      { type: 'tool-input-delta', id: 'c1', delta: '{"a"' },
      { type: 'tool-input-delta', id: 'c1', delta: ':1}' },
      { type: 'tool-input-end', id: 'c1' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: '{"a":1}' },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'g', input: '' },
      end,
    )
    assert.deepEqual(joined(events), [
      { type: 'call', index: 0, kind: 'function', callId: 'c1', name: 'f' },
      { type: 'call-input', index: 0, delta: '{"a":1}' },
      { type: 'call', index: 1, kind: 'function', callId: 'c2', name: 'g' },
      { type: 'call-input', index: 1, delta: '{}' },
    ])
    assert.equal(report.finish, 'tool_calls')
  })

  test('with tools that the service runs itself hides them, and returns them in the next turn', async () => {
    const metadata = { any: { sig: 's' } }
    const { events } = await streams(
      { type: 'tool-input-start', id: 's1', toolName: 'search', providerExecuted: true },
      { type: 'tool-input-delta', id: 's1', delta: '{}' },
      { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: '{"q":"x"}', providerExecuted: true, providerMetadata: metadata },
      { type: 'tool-result', toolCallId: 's1', toolName: 'search', result: [{ url: 'u' }] },
      ...said,
      end,
    )
    const carried = events.flatMap(event => (event.type === 'carried' ? [event.carried] : []))
    assert.deepEqual(joined(events).at(-1), { type: 'text', delta: 'hi' })
    const members = { provider_parts: carried.flatMap(each => Object(each.members).provider_parts) }
    const answer: TextItem = { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'hi' }], carried: { members } }
    const { call } = await run({}, { items: [userSays('x'), answer, userSays('y')] })
    assert.deepEqual(Object(call.prompt)[1].content, [
      { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: { q: 'x' }, providerExecuted: true, providerOptions: metadata },
      { type: 'tool-result', toolCallId: 's1', toolName: 'search', output: { type: 'json', value: [{ url: 'u' }] } },
      { type: 'text', text: 'hi' },
    ])
  })

  test("with searches counts OpenAI's by calls and Google's by queries", async () => {
    const result = (toolCallId: string, action: object) => ({ type: 'tool-result', toolCallId, toolName: 'web', result: { action } })
    const openai = [
      result('s1', { type: 'search', queries: ['a', 'b'] }),
      result('s2', { type: 'openPage', url: 'https://a.example' }),
      { type: 'tool-result', toolCallId: 's3', toolName: 'web', isError: true, result: { status: 'failed' } },
      result('s4', { type: 'search' }),
    ]
    assert.equal(Object((await streams(...openai, ...said, end)).report.usage).searches, 2)
    const grounding = { webSearchQueries: ['a', 'a', '', 'b'] }
    const google = { ...end, providerMetadata: { google: { groundingMetadata: grounding } } }
    assert.equal(Object((await streams(...said, google)).report.usage).searches, 2)
    const asked = {
      ...end,
      providerMetadata: { google: { groundingMetadata: null } },
      usage: { ...tokens, raw: { num_search_queries: 4 } },
    }
    assert.equal(Object((await streams(...said, asked)).report.usage).searches, 4)
  })

  test("with a compaction counts the steps that Anthropic's totals leave out", async () => {
    const iterations = [
      { type: 'compaction', input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 30 },
      { type: 'message', input_tokens: 5, output_tokens: 2 },
    ]
    const raw = { input_tokens: 5, output_tokens: 2, iterations }
    const { report } = await streams(...said, { ...end, usage: { ...tokens, raw } })
    assert.deepEqual(report.usage, { inputTokens: 135, cachedInputTokens: 30, outputTokens: 12, reasoningTokens: 0, cacheWriteTokens: 1 })
  })

  test('with sources lists each page once', async () => {
    const source = { type: 'source', sourceType: 'url', id: 's' }
    const { events } = await streams(
      ...said,
      { ...source, url: 'https://a.example', title: 'A' },
      { type: 'source', sourceType: 'document', id: 'd', mediaType: 'text/plain', title: 'D' },
      { ...source, url: 'https://b.example' },
      end,
    )
    const members = events.flatMap(event => (event.type === 'carried' ? [event.carried.members] : []))
    assert.deepEqual(members, [
      { sources: [{ index: 0, url: 'https://a.example', title: 'A' }] },
      { sources: [{ index: 1, url: 'https://b.example' }] },
    ])
  })

  test('of another target returns no carried data to this one', async () => {
    const from = { protocol: 'chat', dialect: 'ai-sdk other', host: 'h', model: 'm' } as const
    const members = { provider_parts: [{ index: 0, type: 'text', ...markWith(noText, 'hi'), metadata: { any: {} } }] }
    const answer: TextItem = { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'hi' }], carried: { members, from } }
    const { call } = await run({}, { items: [userSays('x'), answer] })
    assert.deepEqual(Object(call.prompt)[1].content, [{ type: 'text', text: 'hi' }])
    const own = await run({}, { items: [userSays('x'), { ...answer, carried: { members } }] })
    assert.deepEqual(Object(own.call.prompt)[1].content, [{ type: 'text', text: 'hi', providerOptions: { any: {} } }])
  })

  for (const [what, parts, code] of [
    ['nothing', [], 'upstream_error'],
    ['no end', said, 'upstream_error'],
    ['an interruption', [...said, { ...end, finishReason: { unified: 'interrupted' } }], 'upstream_error'],
    ['a picture alone', [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }, end], 'upstream_error'],
    ['an error of the service', [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }], 'overloaded'],
    ['an error of the package', [{ type: 'error', error: sdkError('AI_APICallError', { statusCode: 429 }) }], 'rate_limited'],
    ['an error that is no object', [{ type: 'error', error: `no ${testSecret}` }], 'upstream_error'],
    ['parts that are none', [null, 7, 'x', {}, { type: 'text-delta' }, { type: 'text-end' }], 'upstream_error'],
  ] as const)
    test(`with ${what} fails as ${code}`, async () => {
      // The cast is safe: a stream can contain any values.
      const failing = streams(...(parts as object[]))
      await assert.rejects(failing, (error: Error) => Reflect.get(error, 'code') === code && !error.message.includes(testSecret))
    })

  test('of a package that ignores the signal ends when the caller disconnects', async () => {
    const leaving = new AbortController()
    const doStream = async () => {
      setTimeout(() => leaving.abort(), 5)
      return (async function* () {
        yield* said
        await sleep(600_000, undefined, { ref: false })
      })()
    }
    await assert.rejects(converse({ doStream }, { signal: leaving.signal }), { code: 'cancelled' })
  })
})

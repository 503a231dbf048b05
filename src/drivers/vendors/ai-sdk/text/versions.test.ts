/** Tests how conversations become calls of each version of the AI SDK's interface. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TextItem } from '@generation-gateway/kit/requests/text.ts'
import { rawReply, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { userSays } from '../../../../testing/fakes/fake-upstream-run.ts'
import type { RecordedCall } from '../testing/fake-package.ts'
import { picture, testSecret } from '../testing/run.ts'
import { converse, end, run, said, tokens } from '../testing/text-run.ts'

/** Returns the call without its headers and signal. */
function shown({ headers: _headers, abortSignal: _signal, ...call }: RecordedCall): object {
  return call
}

const pixel = 'data:image/png;base64,AAAA'
const looked: TextItem[] = [
  { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'Be kind.' }] },
  {
    type: 'message',
    role: 'user',
    parts: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: pixel, detail: 'low' },
      { type: 'audio', data: 'BBBB', format: 'mp3' },
      { type: 'file', data: 'data:text/plain,a%20b', name: 'a.txt' },
    ],
  },
  { type: 'reasoning', summary: [], content: ['Hm.'] },
  { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'I look.' }] },
  { type: 'call', kind: 'function', callId: 'c1', name: 'look', input: '{"at":1}' },
  { type: 'call', kind: 'custom', callId: 'c2', name: 'run', input: 'ls' },
  {
    type: 'result',
    kind: 'function',
    callId: 'c1',
    output: [
      { type: 'text', text: 'a cat' },
      { type: 'image', url: pixel },
    ],
  },
  { type: 'result', kind: 'custom', callId: 'c2', output: 'no', isError: true },
]

/** For each version of the interface: a file of a message, and a file in a tool's result. */
const files: Readonly<Record<string, { file: (data: Uint8Array) => unknown; result: object }>> = {
  v2: { file: data => data, result: { type: 'media', mediaType: 'image/png', data: 'AAAA' } },
  v3: { file: data => data, result: { type: 'image-data', mediaType: 'image/png', data: 'AAAA' } },
  v4: {
    file: data => ({ type: 'data', data }),
    result: { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
  },
}

for (const [version, { file, result }] of Object.entries(files))
  describe(`the interface ${version}`, () => {
    test('gets a conversation in its own form', async () => {
      const { call } = await run({ specificationVersion: version }, { items: looked }, { files_in_results: true })
      assert.deepEqual(call.prompt, [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', mediaType: 'image/png', data: file(new Uint8Array(3)), providerOptions: { openai: { imageDetail: 'low' } } },
            { type: 'file', mediaType: 'audio/mpeg', data: file(new Uint8Array(Buffer.from('BBBB', 'base64'))) },
            { type: 'file', mediaType: 'text/plain', data: file(new Uint8Array(Buffer.from('a b'))), filename: 'a.txt' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'I look.' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 1 } },
            { type: 'tool-call', toolCallId: 'c2', toolName: 'run', input: { input: 'ls' } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'look',
              output: { type: 'content', value: [{ type: 'text', text: 'a cat' }, result] },
            },
            { type: 'tool-result', toolCallId: 'c2', toolName: 'run', output: { type: 'error-text', value: 'no' } },
          ],
        },
      ])
    })

    test('gets the pictures of tools in a user message if the package cannot send any in results', async () => {
      const { call } = await run({ specificationVersion: version }, { items: looked })
      assert.deepEqual(Object(call.prompt).slice(3), [
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'a cat' } },
            { type: 'tool-result', toolCallId: 'c2', toolName: 'run', output: { type: 'error-text', value: 'no' } },
          ],
        },
        { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: file(new Uint8Array(3)) }] },
      ])
    })

    test('gets the picture of a failed tool in a user message, and the failure in the result', async () => {
      const items = looked.map(item => (item.type === 'result' && item.callId === 'c1' ? { ...item, isError: true } : item))
      const { call } = await run({ specificationVersion: version }, { items }, { files_in_results: true })
      const [{ content }, shownTo] = Object(call.prompt).slice(3)
      assert.deepEqual(content[0].output, { type: 'error-text', value: 'a cat' })
      assert.deepEqual(shownTo, { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: file(new Uint8Array(3)) }] })
    })

    test('gets every field that it supports', async () => {
      const { call } = await run(
        { specificationVersion: version },
        {
          maxOutputTokens: 50,
          temperature: 0,
          topP: 0.5,
          topK: 7,
          stop: ['END'],
          seed: 3,
          frequencyPenalty: 1,
          presencePenalty: -1,
          reasoning: { effort: 'low' },
          format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
          tools: [{ kind: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true }],
          toolChoice: { mode: 'required', only: ['f'] },
        },
        { provider_options: { any: { a: 1 } } },
      )
      const strict = version === 'v2' ? {} : { strict: true }
      assert.deepEqual(shown(call), {
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
        ...{ maxOutputTokens: 50, temperature: 0, topP: 0.5, topK: 7, stopSequences: ['END'], seed: 3 },
        ...{ frequencyPenalty: 1, presencePenalty: -1, ...(version === 'v4' ? { reasoning: 'low' } : {}) },
        responseFormat: { type: 'json', name: 'n', schema: { type: 'object' } },
        tools: [{ type: 'function', name: 'f', description: 'd', inputSchema: { type: 'object' }, ...strict }],
        toolChoice: { type: 'tool', toolName: 'f' },
        providerOptions: { any: { a: 1 } },
      })
      assert.equal(Object(call.headers)['x-gateway-hops'], '1')
      const bare = shown((await run({ specificationVersion: version })).call)
      assert.deepEqual(Object.keys(bare), ['prompt', 'providerOptions'])
    })

    test('reports the cache writes, searches and tier of the provider', async () => {
      const own = { cache_creation: { ephemeral_1h_input_tokens: 1 }, server_tool_use: { web_search_requests: 2 } }
      const finish =
        version === 'v2'
          ? { type: 'finish', finishReason: 'stop', usage: {}, providerMetadata: { anthropic: { usage: { ...own, speed: 'fast' } } } }
          : { ...end, usage: { ...tokens, raw: own }, providerMetadata: { openai: { serviceTier: 'priority' } } }
      const { report } = await run({ specificationVersion: version, doStream: async () => [...said, finish] })
      const { longCacheWriteTokens, searches, tier } = Object(report.usage)
      assert.deepEqual([longCacheWriteTokens, searches, tier], [1, 2, version === 'v2' ? 'fast' : 'priority'])
    })

    test('reports events and token counts', async () => {
      const old = { inputTokens: 9, cachedInputTokens: 2, outputTokens: 5, reasoningTokens: 3 }
      const finish =
        version === 'v2' ? { type: 'finish', finishReason: 'length', usage: old } : { ...end, finishReason: { unified: 'length' } }
      const ran = await run({ specificationVersion: version, doStream: async () => [...said, finish] })
      assert.deepEqual(ran.events, [{ type: 'text', delta: 'hi' }])
      assert.deepEqual(ran.report, { finish: 'length', usage: { ...old, ...(version === 'v2' ? {} : { cacheWriteTokens: 1 }) } })
    })
  })

test('another version of the interface is refused by its number', async () => {
  for (const specificationVersion of ['v1', 'v5', undefined])
    await assert.rejects(run({ specificationVersion }), { code: 'capability_unavailable', message: /version (v1|v5|undefined)/ })
})

test("tools that the service runs itself are declared with the caller's, unless the choice excludes tools", async () => {
  const text_tools = [{ id: 'any.search', name: 'search', args: { max: 3 } }]
  const f = { kind: 'function', name: 'f' } as const
  const hosted = { id: 'any.search', name: 'search', args: { max: 3 } }
  for (const [specificationVersion, type] of [
    ['v2', 'provider-defined'],
    ['v4', 'provider'],
  ] as const) {
    const { call } = await run({ specificationVersion }, { tools: [f] }, { text_tools })
    assert.deepEqual(call.tools, [
      { type: 'function', name: 'f', inputSchema: { type: 'object', properties: {} } },
      { type, ...hosted },
    ])
    assert.deepEqual((await run({ specificationVersion }, {}, { text_tools })).call.tools, [{ type, ...hosted }])
    assert.equal((await run({ specificationVersion }, { toolChoice: { mode: 'none' } }, { text_tools })).call.tools, undefined)
  }
})

describe('the reasoning', () => {
  const budgets = [
    [0, { reasoning: 'none' }],
    [2_000, { reasoning: 'low' }],
    [5_000, { reasoning: 'medium' }],
    [50_000, { reasoning: 'high' }],
  ] as const
  for (const [budgetTokens, wanted] of budgets)
    test(`of ${budgetTokens} tokens becomes an effort for a package that accepts no number`, async () => {
      const { call } = await run({}, { reasoning: { effort: 'max', budgetTokens } })
      assert.equal(call.reasoning, wanted.reasoning)
    })
})

describe('a warning', () => {
  const warned = (...warnings: object[]) =>
    converse(
      { doStream: async () => [{ type: 'stream-start', warnings }, ...said, end] },
      { request: { temperature: 1, items: [userSays('a secret plan')] } },
    )

  test('about a field of the call is reported, in the words of each version', async () => {
    const { warnings } = await warned(
      { type: 'unsupported', feature: 'temperature', details: `the key ${testSecret} takes none` },
      { type: 'unsupported-setting', setting: 'temperature' },
      { type: 'unsupported-tool', tool: { name: 'f' } },
    )
    const told = ['temperature: the key *** takes none', 'temperature: the model does not follow it.', 'tools: f left out.']
    assert.deepEqual(warnings, told)
  })

  test('about an unsupported frame rate of videos is reported', async () => {
    const items: TextItem[] = [{ type: 'message', role: 'user', parts: [{ type: 'video', url: 'data:video/mp4;base64,AAAA', fps: 2 }] }]
    assert.deepEqual((await run({}, { items })).warnings, ['items: the frame rate of videos is left out.'])
  })

  test("about anything else is logged, without the caller's words", async () => {
    const { warnings, logged } = await warned(
      { type: 'unsupported', feature: 'seed' },
      { type: 'other', message: `${testSecret}: a secret plan is odd` },
      { type: 'compatibility', feature: 'responseFormat', details: 'by a tool' },
    )
    assert.deepEqual([warnings, logged.map(line => JSON.parse(line).says)], [[], [': ***: *** is odd', 'responseFormat: by a tool']])
  })
})

describe('a URL', () => {
  const asks = (url: string): TextItem[] => [{ type: 'message', role: 'user', parts: [{ type: 'image', url }] }]

  test('that the model reads itself is passed on, another one is downloaded', async () => {
    const host = await startFakeUpstream()
    const png = await picture()
    host.answer(rawReply(png, 200, { 'content-type': 'application/octet-stream' }))
    try {
      const url = `${host.baseUrl}/picture`
      const { call } = await run({ supportedUrls: { 'image/*': [/^http:/] } }, { items: asks(url) })
      assert.deepEqual(Object(call.prompt)[0].content[0].data, { type: 'url', url: new URL(url) })
      assert.equal(host.received.length, 0)
      const own = await run({ supportedUrls: { 'image/*': [/^https:/] } }, { items: asks(url) }, {})
      const [file] = Object(own.call.prompt)[0].content
      assert.deepEqual([file.mediaType, file.data], ['image/png', { type: 'data', data: new Uint8Array(png) }])
    } finally {
      await host.close()
    }
  })

  test('that leads to no picture, or nowhere, is refused', async () => {
    const host = await startFakeUpstream()
    host.answer(rawReply('hello', 200, { 'content-type': 'image/png' }))
    try {
      await assert.rejects(run({}, { items: asks(`${host.baseUrl}/picture`) }), { code: 'invalid_input_file' })
    } finally {
      await host.close()
    }
    await assert.rejects(run({}, { items: asks('http://127.0.0.1:1/picture') }), { code: 'invalid_request' })
    await assert.rejects(run({}, { items: asks('nonsense') }), { code: 'invalid_request' })
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { slowness } from '@generation-gateway/kit/testing/cpu-time.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import fc from 'fast-check'
import { driverTools } from '../../../testing/driver-tools.ts'
import { errorReply, type FakeReply, hangingReply, jsonReply, sseReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { joined, reportOf, runText, textRequest, userSays } from '../../../testing/fakes/fake-upstream-run.ts'
import { chatFrames, type FakeSpeech, responsesFrames } from '../../../testing/fakes/fake-upstream-text.ts'
import { WrappedInput } from '../../shared/text/wrapped-input.ts'
import driver from './driver.ts'

const quiet = { info: () => {}, warn: () => {} }
const basic = { dialect: 'basic' }
const says = (speech: FakeSpeech): FakeReply => sseReply(chatFrames(speech))
const run = (fields: Partial<TextRequest>, ...replies: FakeReply[]) => runText(driver, basic, textRequest(fields), ...replies)
const callsOf = (events: readonly TextEvent[]) =>
  joined(events).flatMap(event =>
    event.type === 'call' ? [`${event.index} ${event.kind} ${event.name}`] : event.type === 'call-input' ? [event.delta] : [],
  )
const shell: TextRequest['tools'] = [{ kind: 'custom', name: 'shell', description: 'Runs a command.' }]
const digits: TextRequest['tools'] = [{ kind: 'custom', name: 'dial', grammar: { syntax: 'regex', definition: '[0-9]{3}|x' } }]
const fg: TextRequest['tools'] = [
  { kind: 'function', name: 'f' },
  { kind: 'function', name: 'g' },
]

test('a custom tool is sent as a function with one text, and its calls are returned as raw text while they are written', async () => {
  const input = 'echo "größer" \\ 😀\n\tdone'
  const call = { name: 'shell', input: JSON.stringify({ input }) }
  const answer = await run({ tools: shell }, says({ calls: [call] }))
  const [tool] = Array.isArray(answer.bodies[0]?.tools) ? answer.bodies[0].tools : []
  assert.deepEqual(tool, {
    type: 'function',
    function: {
      name: 'shell',
      description: 'Runs a command.\n\nPut the raw text for this tool into `input`, with nothing around it.',
      parameters: {
        type: 'object',
        properties: { input: { type: 'string', description: 'The raw text.' } },
        required: ['input'],
        additionalProperties: false,
      },
    },
  })
  assert.deepEqual(callsOf(answer.events), ['0 custom shell', input])
  assert.ok(answer.events.filter(event => event.type === 'call-input').length > 3, 'the text came in one piece')
  assert.equal(reportOf(answer).finish, 'tool_calls')
})

test('a custom tool works in the same way over responses', async () => {
  const call = { name: 'shell', input: '{"input":"ls -l"}' }
  const settings = { ...basic, protocols: ['responses'] }
  const answer = await runText(driver, settings, textRequest({ tools: shell }), sseReply(responsesFrames({ calls: [call] })))
  assert.deepEqual(callsOf(answer.events), ['0 custom shell', 'ls -l'])
})

test('earlier calls of a custom tool are wrapped again', async () => {
  const items: TextRequest['items'] = [
    userSays('go'),
    { type: 'call', kind: 'custom', callId: 'c1', name: 'shell', input: 'say "a"' },
    { type: 'result', kind: 'custom', callId: 'c1', output: 'a' },
  ]
  const answer = await run({ items, tools: shell }, says({ text: 'ok' }))
  assert.deepEqual(answer.bodies[0]?.messages, [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'shell', arguments: '{"input":"say \\"a\\""}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a' },
  ])
})

test('wrapped text is decoded equally however it is split, and surrogate pairs stay whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.array(fc.nat(40), { maxLength: 30 }), (input, isEscaped, sizes) => {
      const json = ` {\n"input" : ${JSON.stringify(input)} }`
      const wire = isEscaped ? json.replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : json
      const reader = new WrappedInput()
      const pieces: string[] = []
      let rest = isEscaped ? wire.replace('\\u000a"input"', '"input"') : wire
      for (const size of sizes) {
        pieces.push(reader.push(rest.slice(0, size)))
        rest = rest.slice(size)
      }
      pieces.push(reader.push(rest), reader.end())
      assert.equal(pieces.join(''), input)
      for (const piece of pieces) assert.ok(piece.isWellFormed())
    }),
  )
})

test('a model that ignores the wrapping is understood anyway', () => {
  const read = (written: string) => {
    const reader = new WrappedInput()
    return [...written].map(piece => reader.push(piece)).join('') + reader.end()
  }
  assert.equal(read('{"text":"a b"}'), 'a b')
  assert.equal(read('"just text"'), 'just text')
  assert.equal(read('ls -l'), 'ls -l')
  assert.equal(read('{"input":{"a":1}}'), '{"a":1}')
  assert.equal(read('{"a":"x","b":"y"}'), '{"a":"x","b":"y"}')
  assert.equal(read('{"note":"x","input":"y"}'), 'y')
  assert.equal(read('{"input":"cut of'), 'cut of')
  assert.equal(read(''), '')
})

test('the model gets the grammar, and text that matches its expression is accepted', async () => {
  const answer = await run({ tools: digits }, says({ calls: [{ name: 'dial', input: '{"input":"123"}' }] }))
  assert.match(JSON.stringify(answer.bodies[0]?.tools), /regular expression:\\n\[0-9\]\{3\}\|x/)
  assert.deepEqual(callsOf(answer.events), ['0 custom dial', '123'])
  assert.equal(answer.bodies.length, 1)
  const lark: TextRequest['tools'] = [{ kind: 'custom', name: 'l', grammar: { syntax: 'lark', definition: 'start: "a"' } }]
  const unchecked = await run({ tools: lark }, says({ calls: [{ name: 'l', input: '{"input":"b"}' }] }))
  assert.deepEqual([callsOf(unchecked.events), unchecked.bodies.length], [['0 custom l', 'b'], 1])
})

test('text that does not match its expression is requested once more, and both answers are counted', async () => {
  const usage = { input: 10, output: 2 }
  const wrong = says({
    text: 'Dialling.',
    calls: [
      { name: 'dial', input: '{"input":"1234"}' },
      { name: 'f', input: '{}' },
    ],
    usage,
  })
  const right = says({ calls: [{ name: 'dial', input: '{"input":"456"}' }], usage })
  const answer = await run({ tools: [...digits, ...fg] }, wrong, right)
  assert.deepEqual(joined(answer.events), [
    { type: 'text', delta: 'Dialling.' },
    { type: 'call', index: 0, kind: 'custom', callId: 'call_0', name: 'dial' },
    { type: 'call-input', index: 0, delta: '456' },
    { type: 'call', index: 1, kind: 'function', callId: 'call_1', name: 'f' },
    { type: 'call-input', index: 1, delta: '{}' },
  ])
  assert.deepEqual(answer.bodies[1]?.tool_choice, { type: 'function', function: { name: 'dial' } })
  assert.match(JSON.stringify(answer.bodies[1]?.messages), /1234.*does not match/)
  const usageBoth = { inputTokens: 20, cachedInputTokens: 0, outputTokens: 4, reasoningTokens: 0 }
  assert.deepEqual(reportOf(answer), { finish: 'tool_calls', usage: usageBoth })
})

test('when the second try is no better or fails, the first text is returned unchanged', async () => {
  const wrong = says({ calls: [{ name: 'dial', input: '{"input":"1234"}' }] })
  const again = await run({ tools: digits }, wrong, wrong, errorReply(500, {}))
  assert.deepEqual([callsOf(again.events), again.bodies.length], [['0 custom dial', '1234'], 2])
  const failed = await run({ tools: digits }, wrong, errorReply(500, {}))
  assert.deepEqual([callsOf(failed.events), failed.bodies.length], [['0 custom dial', '1234'], 2])
})

test('an invalid expression is refused before anything is sent', async () => {
  const tools: TextRequest['tools'] = [{ kind: 'custom', name: 'dial', grammar: { syntax: 'regex', definition: '(?=a)' } }]
  await assert.rejects(run({ tools }, says({ text: 'x' })), { code: 'invalid_request', field: 'tools', message: /dial/ })
})

test('expressions that are too long together are refused before anything is sent, by name and with the limit', async () => {
  const tools = ['a', 'b'].map(name => ({ kind: 'custom', name, grammar: { syntax: 'regex', definition: 'a?'.repeat(3_000) } }) as const)
  const refusal = { code: 'invalid_request', field: 'tools', message: /10000 characters together, up to the one of b/ }
  await assert.rejects(run({ tools }, says({ text: 'x' })), refusal)
  const answer = await runText(driver, { dialect: 'openai' }, textRequest({ tools }), says({ text: 'x' }))
  assert.equal(answer.bodies.length, 1)
})

test('a count of tokens compiles no expression', async () => {
  const fake = await startFakeUpstream()
  fake.answer(jsonReply({ object: 'response.input_tokens', input_tokens: 7 }))
  const running = driver.open(driverTools())
  const tools: TextRequest['tools'] = [{ kind: 'custom', name: 'dial', grammar: { syntax: 'regex', definition: '(?=a)' } }]
  try {
    const settings = { base_url: fake.baseUrl, ...basic, protocols: ['responses'] }
    const signal = new AbortController().signal
    assert.equal(await running.countInput?.({ id: 'count_1', request: textRequest({ tools }), model: 'up-1', settings, signal }), 7)
  } finally {
    await running.close?.()
    await fake.close()
  }
})

test('an expression that takes forever blocks nobody, and its text is accepted unchecked', async () => {
  const slow = [
    { definition: '(?:.?.?.?.?.?){200}'.repeat(40), input: 'a'.repeat(10_000) },
    { definition: `(?i)${'[\\pL\\pN]'.repeat(1_200)}`, input: 'a'.repeat(1_200) },
    { definition: 'a?'.repeat(4_000), input: 'a'.repeat(3_990) },
  ]
  for (const { definition, input } of slow) {
    const tools: TextRequest['tools'] = [{ kind: 'custom', name: 'dial', grammar: { syntax: 'regex', definition } }]
    let longest = 0
    let last = process.threadCpuUsage()
    const look = setInterval(() => {
      const { user, system } = process.threadCpuUsage(last)
      last = process.threadCpuUsage()
      longest = Math.max(longest, (user + system) / 1000)
    }, 5)
    const answer = await run({ tools }, says({ calls: [{ name: 'dial', input: JSON.stringify({ input }) }] }))
    clearInterval(look)
    assert.deepEqual([callsOf(answer.events), answer.bodies.length], [['0 custom dial', input], 1])
    assert.ok(longest < 200 * slowness(), `a turn of ${longest} ms`)
  }
})

test('only the allowed tools are declared, and a forbidden call is never returned', async () => {
  const forbidden = { name: 'g', input: '{"bad":1}' }
  const toolChoice: TextRequest['toolChoice'] = { mode: 'auto', only: ['f'] }
  const mixed = await run({ tools: fg, toolChoice }, says({ calls: [forbidden, { name: 'f', input: '{"ok":1}' }] }))
  assert.deepEqual(mixed.bodies[0]?.tools, [{ type: 'function', function: { name: 'f' } }])
  assert.equal('tool_choice' in (mixed.bodies[0] ?? {}), false)
  assert.deepEqual(callsOf(mixed.events), ['0 function f', '{"ok":1}'])
  const onlyText = await run({ tools: fg, toolChoice }, says({ text: 'well', calls: [forbidden] }))
  assert.deepEqual([joined(onlyText.events), reportOf(onlyText).finish], [[{ type: 'text', delta: 'well' }], 'stop'])
  await assert.rejects(run({ tools: fg, toolChoice }, says({ calls: [forbidden] })), { code: 'upstream_error', message: /not allowed/ })
})

test('a forbidden call is also dropped for a full dialect', async () => {
  const request = textRequest({ tools: fg, toolChoice: { mode: 'auto', only: ['f'] } })
  const calls = [
    { name: 'g', input: '{}' },
    { name: 'f', input: '{}' },
  ]
  assert.deepEqual(callsOf((await runText(driver, { dialect: 'openai' }, request, says({ calls }))).events), ['0 function f', '{}'])
})

test('without callable tools none are declared, and calls are dropped', async () => {
  const answer = await run({ tools: fg, toolChoice: { mode: 'none' } }, says({ text: 'a', calls: [{ name: 'f', input: '{}' }] }))
  assert.equal('tools' in (answer.bodies[0] ?? {}), false)
  assert.deepEqual(callsOf(answer.events), [])
})

test('a forced tool among several is forced by name', async () => {
  const answer = await run({ tools: fg, toolChoice: { mode: 'required', only: ['g'] } }, says({ calls: [{ name: 'g', input: '{}' }] }))
  assert.deepEqual(answer.bodies[0]?.tool_choice, { type: 'function', function: { name: 'g' } })
  const two = await run(
    { tools: [...fg, ...shell], toolChoice: { mode: 'required', only: ['g', 'f'] } },
    says({ calls: [{ name: 'g', input: '{}' }] }),
  )
  assert.equal(two.bodies[0]?.tool_choice, 'required')
})

test('without parallel calls only the first is kept', async () => {
  const calls = [
    { name: 'f', input: '{"n":1}' },
    { name: 'g', input: '{"n":2}' },
  ]
  const answer = await run({ tools: fg, parallelToolCalls: false }, says({ calls }))
  assert.deepEqual([callsOf(answer.events), answer.bodies[0]?.parallel_tool_calls], [['0 function f', '{"n":1}'], false])
  assert.deepEqual(callsOf((await run({ tools: fg }, says({ calls }))).events).length, 4)
})

test('verbosity becomes a hint, and instructions become one system message', async () => {
  const items: TextRequest['items'] = [
    { type: 'message', role: 'system', parts: [{ type: 'text', text: 'One.' }] },
    { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'Two.' }] },
    userSays('x'),
  ]
  const answer = await run({ items, verbosity: 'low' }, says({ text: 'a' }))
  assert.deepEqual(answer.bodies[0]?.messages, [
    { role: 'system', content: 'One.\n\nTwo.\n\nAnswer as briefly as the question allows.' },
    { role: 'user', content: 'x' },
  ])
  assert.equal('verbosity' in (answer.bodies[0] ?? {}), false)
})

test('efforts other than low, medium and high are mapped to those of the dialect', async () => {
  const sent = async (effort: 'none' | 'minimal' | 'medium' | 'xhigh', dialect: string) => {
    const answer = await runText(driver, { dialect }, textRequest({ reasoning: { effort } }), says({ text: 'a' }))
    const { reasoning_effort, thinking, chat_template_kwargs } = answer.bodies[0] ?? {}
    return [reasoning_effort, thinking ?? chat_template_kwargs]
  }
  assert.deepEqual(await sent('none', 'basic'), [undefined, { enable_thinking: false }])
  assert.deepEqual(await sent('minimal', 'ark'), [undefined, { type: 'disabled' }])
  assert.deepEqual(await sent('medium', 'basic'), ['medium', undefined])
  assert.deepEqual(await sent('xhigh', 'ark'), ['high', undefined])
  assert.deepEqual(await sent('xhigh', 'openai'), ['xhigh', undefined])
})

test('a basic server gets the limit under the name that all servers know', async () => {
  const { bodies } = await run({ maxOutputTokens: 9 }, says({ text: 'a' }))
  assert.deepEqual([bodies[0]?.max_tokens, bodies[0]?.max_completion_tokens], [9, undefined])
})

test('videos are sent to Ark with their frame rate, to servers that may support them, and are refused in formats without videos', async () => {
  const ask = (dialect: string, fps?: number) => {
    const part = { type: 'video' as const, url: 'https://x.example/v.mp4', ...(fps && { fps }) }
    return runText(driver, { dialect }, textRequest({ items: [{ type: 'message', role: 'user', parts: [part] }] }), says({ text: 'a' }))
  }
  const { bodies } = await ask('ark', 2)
  assert.match(JSON.stringify(bodies[0]?.messages), /"video_url":\{"url":"https:\/\/x.example\/v.mp4","fps":2\}/)
  await assert.rejects(ask('basic', 2), { code: 'invalid_request', message: /frame rate/ })
  assert.match(JSON.stringify((await ask('openai', 2)).bodies[0]?.messages), /"video_url":\{"url":"https:\/\/x.example\/v.mp4","fps":2\}/)
  assert.match(JSON.stringify((await ask('basic')).bodies[0]?.messages), /video_url/)
})

test('events arrive while the upstream is still writing, and leaving ends the upstream call', async () => {
  const fake = await startFakeUpstream()
  fake.answer(hangingReply(chatFrames({ text: 'one two', calls: [{ name: 'shell', input: '{"input":"ls -l"}' }] }).slice(0, 7)))
  const seen: string[] = []
  const open = driver.open(driverTools({ scratchDirectory: '/', log: quiet }))
  const parts = open.offers['text.respond']?.run({
    id: 'job_1',
    request: textRequest({ tools: shell }),
    inputs: [],
    scratch: '/',
    model: 'up-1',
    settings: { base_url: fake.baseUrl },
    attempt: 1,
    signal: new AbortController().signal,
    progress: () => {},
  })
  for await (const part of parts ?? []) {
    seen.push(part.type === 'event' && 'delta' in part.event ? part.event.delta : part.type)
    if (seen.length === 4) break
  }
  assert.deepEqual(seen, ['one ', 'two', 'event', 'ls -l'])
  await until(() => fake.aborted() === 1, 'the cut')
  await open.close?.()
  await fake.close()
})

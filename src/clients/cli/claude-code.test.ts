/** Runs Claude Code as published; environment variables name the gateway and its key. */
// Client: Claude Code (Claude Code 2.1): createMessage.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type FakeReply, type FakeUpstream, jsonReply, sseReply, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { messageFrames, messageObject } from '../../testing/fakes/fake-upstream-messages.ts'
import { chatFrames, type FakeSpeech } from '../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { needTool } from './testing/client-tools.ts'
import { makeHome, runTool } from './testing/run-tool.ts'

const needs = needTool('claude')
const usage = { input: 900, cached: 100, output: 12 }

let upstream: FakeUpstream
let gateway: TestGateway
before(async () => {
  upstream = await startFakeUpstream()
  upstream.answer(scripted)
  const address = `model: claude-up, base_url: "${upstream.baseUrl}"`
  gateway = await startTestGateway({
    yaml: `models:
  - { id: relayed, family: messages, targets: [{ driver: anthropic, api_key: sk-ant-up, ${address} }] }
  - { id: over-chat, family: chat, targets: [{ driver: openai-compatible, ${address} }] }
`,
  })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

/** Calls the tool for shell commands in the first turn, and repeats its output in the second. */
const scripted: FakeReply = (response, request) => {
  const body = Object(request.json)
  if (request.path.includes('count_tokens')) return jsonReply({ input_tokens: 900 })(response, request)
  const speech = speechFor(body)
  if (!request.path.includes('/messages')) return sseReply(chatFrames(speech))(response, request)
  return (body.stream ? sseReply(messageFrames(speech)) : jsonReply(messageObject(speech)))(response, request)
}

function speechFor({ messages = [], tools = [] }: { messages?: object[]; tools?: object[] }): FakeSpeech {
  const said = JSON.stringify(messages)
  if (said.includes('made by the shell\\n') || /tool_result|"role":"tool"/.test(said))
    return { text: 'The tool says: made by the shell.', usage }
  if (!JSON.stringify(tools).includes('"Bash"')) return { text: 'Hello.', usage }
  const input = JSON.stringify({ command: 'echo made by the shell | tee made.txt', description: 'Makes a file' })
  return { reasoning: 'A command does it.', calls: [{ id: 'toolu_01', name: 'Bash', input }], usage }
}

for (const model of ['relayed', 'over-chat'])
  test(`Claude Code, ${model}: a command is run, and its output is read`, needs, async () => {
    await using home = await makeHome()
    const { code, stdout, stderr } = await runTool('claude', home, ['-p', 'Make the file.', '--allowedTools', 'Bash'], {
      ANTHROPIC_BASE_URL: gateway.url,
      ANTHROPIC_AUTH_TOKEN: testKey,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_SMALL_FAST_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
      DO_NOT_TRACK: '1',
    })
    assert.equal(code, 0, stderr + stdout)
    assert.match(stdout, /made by the shell/)
    assert.equal(await readFile(join(home.work, 'made.txt'), 'utf8').catch(() => 'not made'), 'made by the shell\n')
    assert.ok(upstream.received.length > 1)
  })

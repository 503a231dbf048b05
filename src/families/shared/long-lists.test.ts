/** Tests through the whole program that bodies with long lists do not block the event loop for
 *  long. The limit would be exceeded if the time grew with the square of a list's length. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { speaks } from '../../testing/fakes/fake-upstream-text.ts'
import { testKey } from '../../testing/gateway.ts'
import { leastLongestTurn, startSender } from '../../testing/load/longest-turn.ts'
import { startRelayGateway } from '../../testing/relay-gateway.ts'

const budgetMs = 400

function list<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

const ask = { role: 'user', content: 'x' }
const turn = (role: string, parts: object[]) => ({ role, parts })
const call = (id: string | undefined, name: string) => ({ functionCall: { name, id } })
const result = (id: string | undefined, name: string) => ({ functionResponse: { name, id } })

const tools = list(24_000, at => ({ name: `t${at}`, input_schema: {} }))
const messages = { model: 'messages', max_tokens: 9, messages: [ask], tools }

/** The first calls have ids that the gateway would generate; the calls after them have no id. For
 *  each of the latter, the gateway has to find an unused id. */
const taken = {
  contents: [turn('model', [...list(10_000, at => call(`call_${10_000 + at}`, 'f')), ...list(10_000, () => call(undefined, 'f'))])],
}

/** Calls, and their results in the opposite order. */
function answered(count: number, resultOf: (at: number) => object) {
  const calls = list(count, at => call(`c${at}`, `f${at}`))
  return {
    contents: [
      turn('model', calls),
      turn(
        'user',
        list(count, at => resultOf(count - 1 - at)),
      ),
    ],
  }
}
const byId = answered(11_000, at => result(`c${at}`, `f${at}`))
const byName = answered(11_000, at => result(undefined, `f${at}`))

const chatTool = (at: number) => ({ type: 'function', function: { name: `tool_number_${at}` } })
const allowedInChat = {
  model: 'responses',
  messages: [ask],
  tools: list(11_000, chatTool),
  tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: list(11_000, chatTool) } },
}

const tool = (at: number) => ({ type: 'function', name: `t${at}` })
const allowed = (count: number) => ({
  model: 'chat',
  input: [ask],
  tools: list(count, tool),
  tool_choice: { type: 'allowed_tools', mode: 'auto', tools: list(count, tool) },
})

/** Calls of a tool that is no longer declared. The flat names that the gateway would give to this
 *  tool are already the names of other tools. */
const lost = {
  model: 'chat',
  input: [...list(5_000, at => ({ type: 'function_call', call_id: `c${at}`, namespace: 'n.', name: 'f', arguments: '' })), ask],
  tools: list(5_000, at => ({ type: 'function', name: `n___f_${hash('sha256', `n. f ${at}`, 'hex').slice(0, 8)}` })),
}

const bodies: [name: string, path: string, body: object][] = [
  ['tools of a message', '/v1/messages', messages],
  ['tools of a count', '/v1/messages/count_tokens', messages],
  ['calls with and without ids', '/v1beta/models/gemini:generateContent', taken],
  ['calls of a count', '/v1beta/models/gemini:countTokens', taken],
  ['results by id', '/v1beta/models/gemini:generateContent', byId],
  ['results by name', '/v1beta/models/gemini:generateContent', byName],
  ['tools that chat allows', '/v1/chat/completions', allowedInChat],
  ['tools that Responses allows', '/v1/responses', allowed(12_000)],
  ['calls of a lost tool', '/v1/responses', lost],
]

test('long lists in a body do not block the event loop for long', async () => {
  const yaml = (url: string): string => {
    const model = (id: string, family: string, protocol: string) =>
      `  - { id: ${id}, family: ${family}, targets: [{ driver: openai-compatible, base_url: "${url}", api_key: k, model: up-1, protocols: [${protocol}] }] }\n`
    const ids = [model('messages', 'messages', 'chat'), model('gemini', 'generate-content', 'chat')]
    return `models:\n${[...ids, model('chat', 'responses', 'chat'), model('responses', 'chat', 'responses')].join('')}`
  }
  await using own = await startRelayGateway(yaml)
  own.upstream.answer(speaks({ text: 'Yes.' }))
  await using sender = startSender(own.gateway.url)
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  for (const [name, path, given] of bodies) {
    const body = JSON.stringify(given)
    const { status, text, longestMs } = await leastLongestTurn(sender, { path, headers, body }, { budgetMs })
    assert.equal(status, 200, `${name}: ${text}`)
    assert.ok(longestMs < budgetMs, `${name}: a turn of ${Math.round(longestMs)} ms for ${body.length} characters`)
  }
})

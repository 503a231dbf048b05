/** Tests through the whole program which bodies of Messages are refused, what is reported as left
 *  out, and the form of errors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import { says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { gateway, startBeforeTests } from '../../testing/fakes/scripted-model.ts'
import { ask, hello, path, stream, tools } from './testing/ask-messages.ts'

startBeforeTests()

test('content that cannot be translated is refused by name, at no cost', async () => {
  const user = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
  const bodies: [object, RegExp][] = [
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, /^tools\[0\]\.type is web_search_20250305/],
    [{ tools: [{ name: 'a' }] }, /^tools\[0\]\.input_schema is required/],
    [{ tools: [...tools, ...tools] }, /^tools\[1\]\.name is weather; an earlier tool/],
    [{ tool_choice: { type: 'tool', name: 'x' }, tools }, /tool_choice names the tool x/],
    [{ thinking: { type: 'enabled' } }, /thinking\.budget_tokens is required/],
    [{ container: 'c_1' }, /container/],
    [{ mcp_servers: [{}] }, /^mcp_servers is not offered/],
    [{ max_tokens: 0 }, /^max_tokens is 0/],
    [{ stop_sequences: ['1', '2', '3', '4', '5'] }, /^stop_sequences has 5 texts; this model takes at most 4/],
    [user({ type: 'image', source: { type: 'file', file_id: 'file_1' } }), /file_1|file_id/],
    [user({ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'aGk=' } }), /media_type is image\/tiff/],
    [
      user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'a!Gk' } }),
      /^messages\[0\]\.content\[0\]\.source\.data is not valid base64/,
    ],
    [
      user({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'data:application/pdf;base64,aGk=' } }),
      /source\.data is not valid base64/,
    ],
    [
      user({ type: 'document', source: { type: 'url', url: 'https://x.example/a.pdf' } }),
      /source\.type is url; it must be base64, text or content/,
    ],
    [user({ type: 'container_upload', file_id: 'file_1' }), /file_1|file_id/],
    [
      user({ type: 'web_search_tool_result', tool_use_id: 'a', content: [] }),
      /messages\[0\]\.content\[0\]\.type is web_search_tool_result/,
    ],
    [user({ type: 'tool_result', tool_use_id: 'nobody', content: '' }), /tool_use_id is nobody; no earlier message/],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 'carried=eA' }] }] },
      /signature is not what this gateway sealed/,
    ],
    [{ output_config: { format: { type: 'xml' } } }, /output_config\.format\.type is xml/],
  ]
  for (const [body, says] of bodies) {
    const { status, body: answer } = await ask(() => assert.fail('the model ran'), body)
    assert.equal(status, 400, JSON.stringify([body, answer]))
    assert.equal(answer.type, 'error')
    assert.equal(answer.error.type, 'invalid_request_error')
    assert.match(answer.error.message, says)
    assert.equal(typeof answer.request_id, 'string')
  }
  assert.deepEqual((await gateway.admin('/admin/usage/open')).body.lines, [])
})

test('errors have the shape, the type and the headers of Anthropic', async () => {
  const cases: [GatewayError, number, string][] = [
    [new GatewayError('rate_limited', 'Slow down.', { retryAfterSeconds: 7 }), 429, 'rate_limit_error'],
    [new GatewayError('overloaded', 'Busy.'), 529, 'overloaded_error'],
    [new GatewayError('upstream_timeout', 'Late.'), 504, 'timeout_error'],
    [new GatewayError('internal_error', 'Oh.'), 500, 'api_error'],
  ]
  for (const [error, status, type] of cases) {
    const answer = await ask(() => {
      throw error
    })
    assert.deepEqual([answer.status, answer.body.type, answer.body.error.type], [status, 'error', type])
    assert.equal(answer.headers.get('request-id'), answer.body.request_id)
  }
  const unknown = await gateway.call(path, { key: 'sk-wrong-key-000000', body: hello })
  assert.deepEqual([unknown.status, unknown.body.error.type], [401, 'authentication_error'])
  const none = await ask(() => says('x'), { model: 'claude-nowhere' })
  assert.deepEqual([none.status, none.body.error.type], [404, 'not_found_error'])
  const field = await ask(() => {
    throw new GatewayError('invalid_request', about('maxOutputTokens', 'is 100.'), { field: 'maxOutputTokens' })
  })
  assert.deepEqual([field.body.error.message, field.body.error.param], ['max_tokens: is 100.', 'max_tokens'])
})

test('a stream that fails ends with an error event', async () => {
  async function* breaks(): ReturnType<TextScript> {
    yield { type: 'text', delta: 'Hel' }
    throw new GatewayError('overloaded', 'Busy.')
  }
  const last = (await stream(breaks)).at(-1)
  assert.deepEqual([last.type, last.error.type, last.error.message], ['error', 'overloaded_error', 'Busy.'])
  assert.equal(typeof last.request_id, 'string')
})

test('fields of the protocol without a translation are reported', async () => {
  const { headers, status } = await ask(() => says('x'), { context_management: { edits: [] }, service_tier: 'auto', speed: 'fast' })
  assert.equal(status, 200)
  assert.equal(headers.get('x-gateway-warning'), 'context_management, speed: the model has no such settings.')
})

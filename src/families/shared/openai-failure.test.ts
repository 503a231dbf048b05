import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { checkObject } from '../../contract/validate.ts'
import { openaiFailure, openaiStreamFailure } from './openai-failure.ts'

const schema = Type.Object({
  n: Type.Optional(Type.Integer({ maximum: 128 })),
  effort: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['low', 'high'] })),
  messages: Type.Array(Type.Object({ content: Type.String() })),
})

function refusal(value: object): Record<string, unknown> {
  try {
    checkObject(schema, value, 'body')
  } catch (error) {
    assert.ok(error instanceof GatewayError)
    return Object(openaiFailure(error, 'req_1').body.error)
  }
  throw new Error('it was accepted')
}

function failureOf(code: ErrorCode, details = {}): { status: number; error: Record<string, unknown>; requestId: unknown } {
  const { status, body } = openaiFailure(new GatewayError(code, 'A sentence.', details), 'req_1')
  return { status, error: Object(body.error), requestId: body.request_id }
}

test('a failed check reports the whole path and an error code that clients know', () => {
  const missing = refusal({ messages: [{ content: 'a' }, {}] })
  assert.deepEqual(
    [missing.param, missing.code, missing.type],
    ['messages[1].content', 'missing_required_parameter', 'invalid_request_error'],
  )
  const word = refusal({ messages: [], effort: 'huge' })
  assert.deepEqual([word.param, word.code], ['effort', 'unsupported_value'])
  const bound = refusal({ messages: [], n: 129 })
  assert.deepEqual([bound.param, bound.code], ['n', 'invalid_value'])
})

test('every error of the catalogue has all keys, and the request id inside and beside the error', () => {
  // The cast is safe: the keys of the catalogue are the codes, but Object.keys is typed as string.
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const { status, error, requestId } = failureOf(code)
    assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'param', 'request_id', 'type'], code)
    assert.equal(status, errorCatalogue[code].status)
    assert.deepEqual([error.param, error.request_id, requestId], [null, 'req_1', 'req_1'])
  }
})

test('codes and types are those of the family', () => {
  const cases: [ErrorCode, string, string][] = [
    ['invalid_request', 'invalid_value', 'invalid_request_error'],
    ['invalid_json', 'invalid_json', 'invalid_request_error'],
    ['missing_api_key', 'missing_api_key', 'invalid_request_error'],
    ['invalid_api_key', 'invalid_api_key', 'invalid_request_error'],
    ['not_allowed', 'not_allowed', 'permission_error'],
    ['model_not_found', 'model_not_found', 'invalid_request_error'],
    ['rate_limited', 'rate_limit_exceeded', 'rate_limit_error'],
    ['request_moderated', 'content_policy_violation', 'invalid_request_error'],
    ['context_length_exceeded', 'context_length_exceeded', 'invalid_request_error'],
    ['upstream_timeout', 'upstream_timeout', 'upstream_error'],
    ['internal_error', 'internal_error', 'server_error'],
  ]
  for (const [code, name, type] of cases) {
    const { error } = failureOf(code)
    assert.deepEqual([error.code, error.type], [name, type], code)
  }
})

test('an error of an upstream with the same protocol is forwarded, with its nulls', () => {
  const { status, error } = failureOf('invalid_request', { field: 'ours', wire: { code: null, type: 'their_error', param: 'theirs' } })
  assert.deepEqual([status, error.code, error.type, error.param], [400, null, 'their_error', 'theirs'])
})

test('a broken stream ends with a top-level error and the terminator', () => {
  const frames = openaiStreamFailure(new GatewayError('upstream_error', 'It broke.'), 'req_2')
  assert.deepEqual(frames, [
    { data: { error: { message: 'It broke.', type: 'upstream_error', param: null, code: 'upstream_error', request_id: 'req_2' } } },
    { data: '[DONE]' },
  ])
})

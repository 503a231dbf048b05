import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isFateUnknown, networkFailure, retryAfterOf, streamFailure, UpstreamAnswerError, upstreamFailure } from './upstream-failures.ts'

const openai = (fields: object) => ({
  error: { message: 'their words', type: 'invalid_request_error', param: null, code: null, ...fields },
})
const failure = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  upstreamFailure(status, {
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    secrets: ['sk-very-secret'],
  })

const table: [title: string, status: number, body: unknown, code: ErrorCode][] = [
  ['OpenAI 400', 400, openai({ param: 'temperature', code: 'invalid_value' }), 'invalid_request'],
  ['OpenAI 400 context', 400, openai({ code: 'context_length_exceeded' }), 'context_length_exceeded'],
  [
    'vLLM 400 context',
    400,
    { object: 'error', message: "This model's maximum context length is 8 tokens.", code: 400 },
    'context_length_exceeded',
  ],
  ['llama.cpp 400 context', 400, openai({ type: 'exceed_context_size_error' }), 'context_length_exceeded'],
  ['OpenAI 401', 401, openai({ code: 'invalid_api_key' }), 'upstream_auth_error'],
  ['OpenAI 403', 403, openai({ code: 'unsupported_country_region_territory' }), 'upstream_auth_error'],
  ['OpenAI 404', 404, openai({ code: 'model_not_found' }), 'model_not_found'],
  ['a path that is not there', 404, { detail: 'Not Found' }, 'upstream_error'],
  ['OpenAI 429', 429, openai({ code: 'rate_limit_exceeded' }), 'rate_limited'],
  ['OpenAI 429 quota', 429, openai({ code: 'insufficient_quota' }), 'upstream_quota_exhausted'],
  ['402', 402, { error: { message: 'Insufficient Balance' } }, 'upstream_quota_exhausted'],
  ['OpenAI 500', 500, openai({ type: 'server_error' }), 'upstream_error'],
  ['502 of a proxy', 502, '<html>Bad Gateway</html>', 'upstream_error'],
  ['OpenAI 503', 503, openai({ code: 'slow_down' }), 'overloaded'],
  ['504', 504, '', 'upstream_error'],
  ['Ark 400 missing', 400, openai({ code: 'MissingParameter', param: 'model' }), 'invalid_request'],
  ['Ark 400 risk', 400, openai({ code: 'InputTextRiskDetection' }), 'request_moderated'],
  ['Ark 400 sensitive', 400, openai({ code: 'SensitiveContentDetected.Text' }), 'request_moderated'],
  ['Ark 401', 401, openai({ code: 'AuthenticationError' }), 'upstream_auth_error'],
  ['Ark 403 denied', 403, openai({ code: 'AccessDenied' }), 'upstream_auth_error'],
  ['Ark 403 overdue', 403, openai({ code: 'AccountOverdueError' }), 'upstream_quota_exhausted'],
  ['Ark 404', 404, openai({ code: 'InvalidEndpointOrModel.NotFound' }), 'model_not_found'],
  ['Ark 429 rate', 429, openai({ code: 'RateLimitExceeded.EndpointRPMExceeded' }), 'rate_limited'],
  ['Ark 429 quota', 429, openai({ code: 'QuotaExceeded' }), 'upstream_quota_exhausted'],
  ['Ark 429 overload', 429, openai({ code: 'ServerOverloaded' }), 'overloaded'],
  ['Ark 500', 500, openai({ code: 'InternalServiceError' }), 'upstream_error'],
  ['a redirect', 307, '', 'upstream_error'],
  ['413', 413, '', 'payload_too_large'],
  ['422', 422, { detail: [{ msg: 'bad' }] }, 'invalid_request'],
  ['FastAPI 402', 402, { detail: 'Insufficient credits' }, 'upstream_quota_exhausted'],
  ['FastAPI 403', 403, { detail: 'Not authenticated' }, 'upstream_auth_error'],
  ['FastAPI 403 quota', 403, { detail: 'You are out of credits.' }, 'upstream_quota_exhausted'],
  ['FastAPI 429', 429, { detail: 'Too many requests' }, 'rate_limited'],
  ['FastAPI 404', 404, { detail: 'No model flux-9' }, 'model_not_found'],
  ['ElevenLabs 401 quota', 401, { detail: { status: 'quota_exceeded', message: 'their words' } }, 'upstream_quota_exhausted'],
  ['ElevenLabs 401 key', 401, { detail: { status: 'invalid_api_key', message: 'their words' } }, 'upstream_auth_error'],
  ['Kling 429 arrears', 429, { code: 1101, message: 'Account in arrears', request_id: 'x' }, 'upstream_quota_exhausted'],
  ['Kling 429 rate', 429, { code: 1302, message: 'their words', request_id: 'x' }, 'rate_limited'],
  ['Kling 400', 400, { code: 1201, message: 'their words', request_id: 'x' }, 'invalid_request'],
  ['MiniMax 429 balance', 429, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 'upstream_quota_exhausted'],
  ['MiniMax 400', 400, { base_resp: { status_code: 2013, status_msg: 'their words' } }, 'invalid_request'],
  ['Volcengine 403 overdue', 403, { error: { code: 'AccountOverdueError', message: 'their words' } }, 'upstream_quota_exhausted'],
  ['408', 408, '', 'upstream_timeout'],
  ['OpenAI 403 of a model', 403, openai({ code: 'model_not_found' }), 'model_not_found'],
  ['OpenAI 404 of a path', 404, openai({ message: 'Invalid URL (POST /v1/v1/chat/completions)' }), 'upstream_error'],
  ['Azure 404 of a path', 404, { error: { code: '404', message: 'Resource not found' } }, 'upstream_error'],
  ['OpenAI 404 of a file', 404, openai({ message: 'No such File object: file-model-1' }), 'invalid_request'],
  ['OpenAI 404 of a prompt', 404, openai({ message: "Prompt with id 'pmpt_1' not found." }), 'invalid_request'],
  ['OpenAI 404 of a field', 404, openai({ message: "The model 'x' does not exist", param: 'tools[0].model' }), 'invalid_request'],
  ['OpenAI 424 of a tool', 424, openai({ message: 'Error retrieving tool list from MCP server' }), 'invalid_request'],
  ['410', 410, '', 'model_not_found'],
  ['424 of a model server', 424, { error: { message: 'The model container exited.' } }, 'model_not_found'],
  ['424 without words', 424, '', 'model_not_found'],
  ['409', 409, openai({ code: 'conflict' }), 'invalid_request'],
  ['415', 415, '', 'invalid_request'],
  ['424', 424, openai({ code: 'external_connector_error' }), 'invalid_request'],
  ['405', 405, openai({}), 'upstream_error'],
  ['OpenRouter 403 moderation', 403, openai({ message: 'Your input was flagged' }), 'request_moderated'],
  ['llama.cpp 501', 501, openai({ type: 'not_supported_error' }), 'not_implemented'],
]

for (const [title, status, body, code] of table) {
  test(`${title} becomes ${code}`, () => {
    const error = failure(status, body, { 'x-request-id': 'req_up_1' })
    assert.equal(error.code, code)
    if (![400, 409, 422, 424, 501].includes(status)) assert.ok(!error.message.includes('their words'))
    assert.equal(error.wire === undefined, status !== 400)
    assert.ok(error.cause instanceof UpstreamAnswerError)
    assert.equal(error.cause.upstreamRequestId, 'req_up_1')
    assert.ok(!error.message.includes('req_up_1'))
  })
}

/** Messages with which services report a missing model, and messages that look similar but report
 *  something else. */
const gone: [service: string, status: number, body: unknown][] = [
  ['OpenAI', 404, openai({ message: 'The model `x` does not exist or you do not have access to it.', code: null })],
  ['OpenAI, another endpoint', 404, openai({ message: 'This is not a chat model and thus not supported here.', param: 'model' })],
  [
    'OpenAI, no chat model',
    404,
    openai({ message: 'This is not a chat model and thus not supported in the v1/chat/completions endpoint.', param: 'model' }),
  ],
  ['Groq', 400, openai({ message: 'The model `x` has been decommissioned.', code: 'model_decommissioned' })],
  ['Groq, words alone', 400, openai({ message: 'The model `x` has been decommissioned and is no longer supported.' })],
  ['Azure', 404, { error: { code: 'DeploymentNotFound', message: 'their words' } }],
  ['Azure, words alone', 404, { error: { message: 'The API deployment for this resource does not exist.' } }],
  ['Azure models', 400, { error: { code: 'unavailable_model', message: 'Unavailable model: x' } }],
  ['Azure, retired', 410, { error: { code: 'ModelDeprecated', message: 'their words' } }],
  ['Anthropic', 404, { type: 'error', error: { type: 'not_found_error', message: 'model: x' } }],
  ['Gemini', 404, [{ error: { code: 404, message: 'models/x is not found for API version v1main', status: 'NOT_FOUND' } }]],
  ['Mistral', 400, { object: 'error', message: 'Invalid model: x', type: 'invalid_model', param: null, code: '1500' }],
  ['DeepSeek', 400, openai({ message: 'Model Not Exist', code: 'invalid_request_error' })],
  ['OpenRouter', 400, { error: { message: 'a/x is not a valid model ID', code: 400 } }],
  ['OpenRouter, no provider', 404, { error: { message: 'No endpoints found for a/x.', code: 404 } }],
  ['vLLM', 404, { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', param: null, code: 404 }],
  ['vLLM, newer', 404, { error: { message: 'The model `x` does not exist.', type: 'NotFoundError', param: 'model', code: 404 } }],
  ['Ollama', 404, { error: { message: 'model "x" not found, try pulling it first', type: 'api_error' } }],
  ['LiteLLM', 400, openai({ message: '/chat/completions: Invalid model name passed in model=x.', param: 'None', code: '400' })],
  ['xAI', 400, { code: 'Client specified an invalid argument', error: 'Model not found: x' }],
  ['Fireworks', 404, openai({ message: 'Model not found, inaccessible, and/or not deployed', code: 'NOT_FOUND' })],
  ['Cohere', 404, { message: "model 'x' was removed on September 15, 2025." }],
  ['Bedrock', 404, { message: 'This model version has reached the end of its life.' }],
  ['Bedrock, unknown', 400, { message: 'The provided model identifier is invalid.' }],
  ['Ark', 404, openai({ message: 'The model or endpoint x does not exist or you do not have access to it.' })],
  ['Zhipu', 400, { error: { code: '1211', message: '模型不存在，请检查模型代码。' } }],
  ['a proxy', 410, 'gone'],
  ['a model server', 424, { error: { message: 'Could not load model x' } }],
]

for (const [service, status, body] of gone)
  test(`${service}: a missing model is recognised`, () => {
    assert.equal(failure(status, body).code, 'model_not_found')
  })

test('a refusal that merely names a model does not mean that the model is missing', () => {
  const refusals = [
    openai({ message: 'The model `x` does not support image inputs.' }),
    openai({ message: "Unsupported parameter: 'top_k' is not supported with this model.", param: 'top_k' }),
    openai({ message: "Invalid schema for function 'the model x does not exist'" }),
    openai({ message: 'The model `x` requires messages; content is invalid' }),
    openai({ message: "'the model x is not found' is not a valid role" }),
  ]
  for (const body of refusals) assert.equal(failure(400, body).code, 'invalid_request', JSON.stringify(body))
})

test("an unsupported feature is reported in the upstream's words, and does not mean that the model is missing", () => {
  const features = [
    'Function calling with this model is not supported',
    'Image input for this model is not supported',
    'response_format json_schema with this model is not supported.',
    'Streaming with model gpt-x is not supported',
    'Parameter temperature with this model is not available.',
    'Logprobs on this model are not supported',
    'Log probabilities using the model are not yet supported',
    'Invalid model output: the text is no JSON',
    'Invalid model parameters: temperature',
  ]
  for (const message of features) {
    const error = failure(400, openai({ message }))
    assert.deepEqual([error.code, error.message], ['invalid_request', message])
  }
})

test('a 404 about something that the body names does not fail over', () => {
  const things = 'Message with id m|Skill s|Cached content c|Document d|Knowledge base k|Collection c|Guardrail g|Template t'
  for (const thing of things.split('|')) {
    const message = `${thing}_1 not found`
    const error = failure(404, openai({ message }))
    assert.deepEqual([error.code, error.message], ['invalid_request', message])
  }
})

test("a 400 keeps the upstream's message, field and code, without a secret", () => {
  const error = failure(400, openai({ message: 'bad sk-very-secret here', param: 'tools[0]', code: 'invalid_value' }))
  assert.equal(error.message, 'bad *** here')
  assert.equal(error.field, 'tools[0]')
  assert.deepEqual(error.wire, { code: 'invalid_value', type: 'invalid_request_error', param: 'tools[0]' })
})

test("a 422 keeps the upstream's words and the field, in every form of FastAPI", () => {
  const issues = [
    { loc: ['body', 'width'], msg: 'Input should be at most 1440, sk-very-secret', type: 'less_than_equal', input: 9000 },
    { loc: ['body', 'images', 0], msg: 'no picture', type: 'value_error' },
    { msg: 'odd' },
  ]
  const listed = failure(422, { detail: issues })
  assert.equal(listed.code, 'invalid_request')
  assert.equal(listed.message, 'width: Input should be at most 1440, ***; images: no picture; odd')
  assert.equal(listed.field, 'width')
  assert.equal(Object(listed.cause).upstreamCode, 'less_than_equal')
  assert.equal(failure(422, { detail: 'prompt is empty' }).message, 'prompt is empty')
  assert.equal(failure(400, { detail: [{ loc: ['body', 'seed'], msg: 'no', type: 'int' }] }).field, 'seed')
  for (const detail of [[], [{ loc: 'x' }], 7, '', null, {}])
    assert.match(failure(422, { detail }).message, /does not say where/, JSON.stringify(detail))
})

test('the driver can read the JSON of a refusal, and the log does not show it', () => {
  const { cause } = failure(400, { code: 1201, message: 'x', request_id: 'rq-1', data: { node: '7', key: 'sk-very-secret' } })
  assert.ok(cause instanceof UpstreamAnswerError)
  assert.deepEqual([cause.upstreamCode, cause.upstreamRequestId], ['1201', 'rq-1'])
  assert.deepEqual(Object(cause.body).data, { node: '7', key: 'sk-very-secret' })
  assert.doesNotMatch(inspect(cause, { showHidden: true, depth: null }) + JSON.stringify(cause), /sk-very-secret/)
})

test('a context error of any server has the code that clients look for', () => {
  assert.equal(failure(400, openai({ message: 'the maximum context length is 8' })).wire?.code, 'context_length_exceeded')
})

test('a 404 about a stored object refers to this object, not to the model', () => {
  const body = Buffer.from(JSON.stringify(openai({ message: 'no response resp_1' })))
  assert.equal(upstreamFailure(404, { headers: {}, body, secrets: [], isStored: true }).code, 'response_not_found')
})

test('retry-after is copied as seconds, milliseconds or a date, and capped at 60', () => {
  assert.equal(failure(429, openai({}), { 'retry-after': '7' }).retryAfterSeconds, 7)
  assert.equal(failure(503, openai({}), { 'retry-after': '900' }).retryAfterSeconds, 60)
  assert.equal(retryAfterOf({ 'retry-after-ms': '1500', 'retry-after': '9' }), 2)
  assert.equal(retryAfterOf({ 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }), 60)
  assert.equal(retryAfterOf({ 'retry-after': new Date(Date.now() - 3_600_000).toUTCString() }), 1)
  assert.equal(retryAfterOf({ 'retry-after': 'soon' }), undefined)
  assert.equal(retryAfterOf({}), undefined)
})

test('errors inside a stream are distinguished by their codes', () => {
  assert.equal(streamFailure({ code: 'rate_limit_exceeded', message: 'x' }, []).code, 'rate_limited')
  assert.equal(streamFailure({ code: 'server_error', message: 'x' }, []).code, 'upstream_error')
  assert.equal(streamFailure({ error: { message: 'x', type: 'insufficient_quota' } }, []).code, 'upstream_quota_exhausted')
  assert.equal(streamFailure({ type: 'error', code: 'context_length_exceeded', message: 'x' }, []).code, 'context_length_exceeded')
  assert.equal(streamFailure({ type: 'error', code: 'ServerOverloaded', message: 'x' }, []).code, 'overloaded')
  assert.equal(streamFailure({ code: 'invalid_image_url', message: 'x' }, []).code, 'invalid_request')
  assert.equal(streamFailure('broken', []).code, 'upstream_error')
})

test('a network failure is unreachable before an answer and an error during it', () => {
  const broken = (code: string) => Object.assign(new Error('secret detail'), { code })
  assert.equal(networkFailure(broken('ECONNREFUSED'), false).code, 'upstream_unreachable')
  assert.equal(networkFailure(broken('ENOTFOUND'), false).code, 'upstream_unreachable')
  assert.equal(networkFailure(broken('UND_ERR_CONNECT_TIMEOUT'), false).code, 'upstream_unreachable')
  assert.equal(networkFailure(broken('ECONNRESET'), false).code, 'upstream_unreachable')
  assert.equal(networkFailure(broken('ECONNRESET'), true).code, 'upstream_error')
  assert.equal(networkFailure(broken('UND_ERR_SOCKET'), true).code, 'upstream_error')
  assert.equal(networkFailure(broken('UND_ERR_HEADERS_TIMEOUT'), false).code, 'upstream_timeout')
  assert.equal(networkFailure(broken('UND_ERR_BODY_TIMEOUT'), true).code, 'upstream_timeout')
  assert.equal(networkFailure(broken('HPE_INVALID_CONSTANT'), false).code, 'upstream_error')
  assert.equal(networkFailure(broken('DEPTH_ZERO_SELF_SIGNED_CERT'), false).code, 'upstream_unreachable')
  assert.equal(networkFailure(broken('ERR_SSL_WRONG_VERSION_NUMBER'), false).code, 'upstream_unreachable')
  assert.equal(networkFailure(broken('UND_ERR_INVALID_ARG'), false).code, 'invalid_request')
  assert.equal(networkFailure(broken('EIO'), false).code, 'internal_error')
  assert.equal(networkFailure(new AggregateError([broken('ECONNREFUSED')]), false).code, 'upstream_unreachable')
  assert.ok(!networkFailure(broken('ECONNRESET'), false).message.includes('secret'))
})

test('the fate of a request is unknown without an answer, and after one with status 500 or above', () => {
  const answered = (status: number) =>
    new GatewayError('upstream_error', 'no', { cause: new UpstreamAnswerError(status, undefined, undefined) })
  for (const [error, isUnknown] of [
    [new GatewayError('upstream_timeout', 'no'), true],
    [new GatewayError('upstream_unreachable', 'no'), true],
    [new GatewayError('upstream_error', 'no'), true],
    [answered(500), true],
    [answered(504), true],
    [answered(499), false],
    [new GatewayError('rate_limited', 'no'), false],
    [new Error('no'), false],
  ] as const)
    assert.equal(isFateUnknown(error), isUnknown, error instanceof GatewayError ? error.code : 'another error')
})

test('nested errors, deeper than the call stack, are read to the innermost object', () => {
  const nested = (member: string) => JSON.parse(`${`{"${member}":`.repeat(50_000)}{"message":"their words"}${'}'.repeat(50_000)}`)
  for (const member of ['error', 'detail']) {
    assert.equal(failure(400, nested(member)).message, 'their words')
    assert.equal(streamFailure(nested(member), []).code, 'upstream_error')
  }
})

/** Some of the requests of recorded.test.ts: those about bodies, keys, tasks, conversations, files,
 *  the paths for operators, connections and browsers. */
import { testAdminKey, testKey } from '../../testing/gateway.ts'
import { ask, askStreamed, chat, f1, json, one, type Parts, picture, poll, type RecordedRequest, raw, upload } from './request-bytes.ts'

export function ofBodies(): RecordedRequest[] {
  return [...ofJson(), ...ofUnusualBodies(), ...ofForms()]
}

function post(name: string, body: string, headers: Record<string, string> = {}, path = f1): RecordedRequest {
  return one(name, path, { method: 'POST', body, headers: { ...json, ...headers } })
}

function ofJson(): RecordedRequest[] {
  return [
    post('an empty body', ''),
    post('no object', '"a"'),
    post('a body that ends too early', '{"prompt": "a'),
    post('a body that is no UTF-8', '{"prompt": "\xff"}'),
    post('a field of a wrong type', '{"prompt": 1}'),
    post('several wrong fields', '{"prompt": "a", "width": 1, "seed": "x"}'),
    post('a field that the model does not take', '{"prompt": "a", "model": "MaaS_ImgF_KG", "width": 512}'),
    post('an unknown model', '{"prompt": "a", "model": "none"}'),
    post('nesting', `{"prompt": ${'['.repeat(200)}${']'.repeat(200)}}`),
    post('nulls', '{"prompt": "a red fox", "model": "fake", "seed": null}'),
    post('a type with a charset', picture, { 'content-type': 'application/json; charset=utf-8' }),
    post('a type with another charset', picture, { 'content-type': 'application/json; charset=latin1' }),
    post('a type with a suffix', picture, { 'content-type': 'application/vnd.a+json' }),
    post('no type', picture, { 'content-type': '' }),
    post('a broken type', picture, { 'content-type': ';' }),
    post('a compressed body', picture, { 'content-encoding': 'gzip' }),
    post('an identity body', picture, { 'content-encoding': 'identity' }),
    post('a residual that is too large', `{"prompt": "${'a'.repeat(1_100_000)}"}`),
  ]
}

function ofUnusualBodies(): RecordedRequest[] {
  return [
    raw(
      'a body that says it is too large',
      `POST ${f1} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\ncontent-type: application/json\r\ncontent-length: 1099511627776\r\n\r\n`,
    ),
    raw(
      'a large body without a key',
      `POST ${f1} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5000000\r\n\r\n`,
    ),
    raw(
      'an expectation before a body',
      `POST ${f1} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{}`,
      { answers: 2 },
    ),
    raw(
      'an expectation without a key',
      `POST ${f1} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{}`,
      { answers: 2 },
    ),
    raw(
      'a chunked body',
      `POST ${f1} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ),
    raw(
      'a broken chunk',
      `POST ${f1} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    ),
  ]
}

function ofForms(): RecordedRequest[] {
  const form = { 'content-type': 'multipart/form-data; boundary=b' }
  return [
    post('multipart without a boundary', 'a', { 'content-type': 'multipart/form-data' }, upload),
    post('multipart that is none', 'a', form, upload),
    post('multipart without a file', '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nx\r\n--b--\r\n', form, upload),
    post('multipart that ends too early', '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx', form, upload),
    post(
      'multipart with a file that is none',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n',
      form,
      upload,
    ),
    post('multipart for images', '--b\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nx\r\n--b--\r\n', form, '/v1/images/edits'),
    post('a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    post('a text', 'a', { 'content-type': 'text/plain' }, '/v1/ai/default/tts-n/text-to-speech/mp3'),
    post('a body of a path that reads none', '{}', {}, '/v1/tasks'),
  ]
}

export function ofKeys(): RecordedRequest[] {
  const at = (name: string, headers: Record<string, string>, path = `${poll}none`) => one(name, path, { key: false, headers })
  const limited = (name: string) => one(name, f1, { method: 'POST', body: '{}', headers: json, key: 'sk-limited-000001' })
  const chatting = (name: string) => one(name, chat, { method: 'POST', body: ask, headers: json, key: 'sk-limited-000002' })
  return [
    at('a wrong key', { authorization: 'Bearer sk-wrong' }),
    at('a wrong key of speech', { 'xi-api-key': 'sk-wrong' }, '/v1/user'),
    at('no bearer', { authorization: `Basic ${testKey}` }),
    at('an empty bearer', { authorization: 'Bearer ' }),
    at('a small bearer', { authorization: `bearer  ${testKey} ` }),
    ...['xi-api-key', 'x-api-key', 'api-key', 'ocp-apim-subscription-key', 'x-goog-api-key'].map(name => at(name, { [name]: testKey })),
    at('a key in the query', {}, `${poll}none&api_key=${testKey}`),
    one('a key without the family', f1, { method: 'POST', body: '{}', headers: json, key: 'sk-family-0000001' }),
    one('a key without the endpoint', f1, { method: 'POST', body: '{}', headers: json, key: 'sk-endpoint-00001' }),
    one('a key without the model', chat, { method: 'POST', body: ask, headers: json, key: 'sk-models-0000001' }),
    one('a key that has expired', chat, { method: 'POST', body: ask, headers: json, key: 'sk-expires-000001' }),
    one('a key of another account', `${poll}{ready}`, { key: 'sk-other-account-1' }),
    one('an endpoint without the family', '/v1/ai/talk/imgf/image/generate', { method: 'POST', body: '{}', headers: json }),
    ...['first', 'second', 'refused'].map(turn => limited(`rate limit, ${turn}`)),
    ...['first', 'second', 'refused'].map(turn => chatting(`rate limit of chat, ${turn}`)),
    one('a poll of a limited key', `${poll}none`, { key: 'sk-limited-000001' }),
  ]
}

export function ofTasks(): RecordedRequest[] {
  const idempotent = (name: string, body: string) =>
    one(name, f1, { method: 'POST', body, headers: { ...json, 'idempotency-key': 'order-1' } })
  return [
    one('a submit', f1, { method: 'POST', body: picture, headers: json }),
    idempotent('a submit by a key', picture),
    idempotent('the same again', picture),
    idempotent('another by the key', JSON.stringify({ prompt: 'another', model: 'fake' })),
    one('a poll of no task', `${poll}none`, {}),
    one('a poll without an id', '/v1/ai/default/imgf/get_result', {}),
    one('a poll with two ids', `${poll}none&id=other`, {}),
    one('a poll with an empty id', poll, {}),
    one('a poll with an unknown parameter', `${poll}{ready}&a=b`, {}),
    one('a poll with an encoded id', `${poll}{readyEncoded}`, {}),
    one('a poll that is ready', `${poll}{ready}`, {}),
    one('a poll that is ready, again', `${poll}{ready}`, {}),
    one('a poll that has failed', `${poll}{failed}`, {}),
    one('a poll that waits', `${poll}{waiting}`, {}),
    one('a poll with a slash', '/v1/ai/default/imgf/get_result/?id={ready}', {}),
    one('a poll at another endpoint', '/v1/ai/studio/imgf/get_result?id={ready}', {}),
    one('a poll, the last request', `${poll}{ready}`, { headers: { connection: 'close' } }),
    one('a poll with an id of the client', `${poll}{ready}`, { headers: { 'x-client-request-id': 'mine' } }),
    one('a poll with an idempotency key', `${poll}{ready}`, { headers: { 'idempotency-key': 'k' } }),
    one('a poll with hops', `${poll}{ready}`, { headers: { 'x-gateway-hops': '1' } }),
    one('a poll by HTTP 1.0', `${poll}{ready}`, { version: '1.0' }),
    { ...one('a poll of the head', `${poll}{ready}`, { method: 'HEAD' }), isHead: true },
    one('a task of any family', '/v1/tasks/{ready}', {}),
    one('events of a task', '/v1/ai/default/imgf/get_result/events?id={ready}', { headers: { connection: 'close' } }),
    one('events from the second on', '/v1/ai/default/imgf/get_result/events?id={ready}', {
      headers: { connection: 'close', 'last-event-id': '1' },
    }),
    one('cancel of an ended task', `${poll}{ready}`, { method: 'DELETE' }),
  ]
}

export function ofChat(): RecordedRequest[] {
  const post = (name: string, body = ask, headers: Record<string, string> = {}, more: Parts = {}, path = chat) =>
    one(name, path, { method: 'POST', body, headers: { ...json, ...headers }, ...more })
  return [
    post('a conversation'),
    post('a conversation, streamed', askStreamed),
    post('a conversation at the short path', ask, {}, {}, '/v1/chat/completions'),
    post('a conversation with a charset', ask, { 'content-type': 'application/json; charset=utf-8' }),
    post('a conversation with an id of the client', ask, { 'x-client-request-id': 'mine' }),
    post('a conversation with an idempotency key', ask, { 'idempotency-key': 'k' }),
    post('a conversation with hops', ask, { 'x-gateway-hops': '2' }),
    post('a conversation with too many hops', ask, { 'x-gateway-hops': '9' }),
    post('a conversation with a trace', ask, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    post('a conversation, the last request', ask, { connection: 'close' }),
    post('a conversation by HTTP 1.0', ask, {}, { version: '1.0' }),
    post('a conversation by HTTP 1.0, streamed', askStreamed, {}, { version: '1.0' }),
    post('a conversation with another key', ask, { 'x-api-key': testKey }, { key: false }),
    post('a conversation with a query', ask, {}, {}, `${chat}?a=b`),
    post('a conversation with a slash', ask, {}, {}, `${chat}/`),
    post('a conversation without a model', JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] })),
    post('a conversation with an unknown model', ask.replace('"m"', '"none"')),
    post('a conversation with an alias', ask.replace('"m"', '"friendly"')),
    post('a conversation without messages', '{"model": "m"}'),
    post('a conversation that is no JSON', '{"model": "m"'),
    post('a conversation with two models', '{"model": "m", "model": "n", "messages": []}'),
    post('a conversation with nulls', ask.replace('{', '{"temperature": null, "stop": null, ')),
    post('a conversation that fails', ask.replace('hello', 'fail')),
    post('a conversation that fails, streamed', askStreamed.replace('hello', 'fail')),
    post('a conversation that is refused', ask.replace('hello', 'refuse')),
    post('a response', JSON.stringify({ model: 'm', input: 'hello', store: false }), {}, {}, '/v1/responses'),
    post('a response, streamed', JSON.stringify({ model: 'm', input: 'hello', store: false, stream: true }), {}, {}, '/v1/responses'),
    post('a response that nobody has', '{}', {}, {}, '/v1/responses/resp_none/cancel'),
    raw(
      'a conversation in two pieces',
      `POST ${chat} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n${ask.slice(0, 5)}\r\n${(ask.length - 5).toString(16)}\r\n${ask.slice(5)}\r\n0\r\n\r\n`,
    ),
  ]
}

export function ofFiles(): RecordedRequest[] {
  const get = (name: string, headers: Record<string, string> = {}, path = '{file}') => one(name, path, { key: false, headers })
  return [
    get('a file'),
    { ...one('the head of a file', '{file}', { method: 'HEAD', key: false }), isHead: true },
    get('a part of a file', { range: 'bytes=0-3' }),
    get('the end of a file', { range: 'bytes=-4' }),
    get('two parts of a file', { range: 'bytes=0-1,3-4' }),
    get('behind a file', { range: 'bytes=999999-' }),
    get('a file that is known', { 'if-none-match': '*' }),
    get('a file with a wrong signature', {}, '/files/x?exp=1&kid=a&sig=b'),
    get('a file without a signature', {}, '/files/x'),
    get('a file with a changed signature', {}, '{file}0'),
    one('POST of a file', '{file}', { method: 'POST', body: '{}', headers: json }),
    get('a wake of nobody', {}, '/webhooks/wake/x/y'),
    one('POST of a wake of nobody', '/webhooks/wake/x/y', { method: 'POST', body: '{"challenge":"a"}', headers: json, key: false }),
    one('POST of a wake without a body', '/webhooks/wake/x/y', { method: 'POST', key: false }),
  ]
}

export function ofOperator(): RecordedRequest[] {
  const admin = (name: string, path: string, parts: Parts = {}) => one(name, path, { key: testAdminKey, ...parts })
  const pages = ['/', '/docs', '/openapi.json', '/metrics']
  return [
    ...pages.map(path => ({ ...one(`GET ${path}`, path, { key: false }), headOnly: true as const })),
    ...[...pages, '/healthz', '/readyz', '/admin/keys'].flatMap(path => [
      { ...one(`HEAD ${path}`, path, { method: 'HEAD', key: false }), isHead: true as const, headOnly: true as const },
      one(`POST ${path}`, path, { method: 'POST', body: '{}', headers: json, key: false }),
    ]),
    one('GET /healthz', '/healthz', { key: false }),
    one('GET /readyz of a stranger', '/readyz', { key: false, headers: { via: 'a' } }),
    one('GET /metrics of a stranger', '/metrics', { key: false, headers: { via: 'a' } }),
    one('the admin API without a key', '/admin/accounts', { key: false }),
    one('the admin API with a wrong key', '/admin/accounts', { key: 'sk-wrong' }),
    admin('the accounts', '/admin/accounts'),
    admin('a change that is refused', '/admin/keys', { method: 'POST', body: '{"name": 1}', headers: json }),
    admin('a change that is no JSON', '/admin/keys', { method: 'POST', body: '{', headers: json }),
    admin('a change without a body', '/admin/usage/adjust', { method: 'POST', headers: { 'content-length': '0' } }),
    admin('a key that nobody has', '/admin/keys/none', { method: 'DELETE' }),
    admin('an unknown parameter', '/admin/accounts?x=1'),
    admin('a wrong method', '/admin/accounts', { method: 'PATCH' }),
    admin('an unknown path', '/admin/nothing'),
  ]
}

export function ofConnections(): RecordedRequest[] {
  const head = (method: string, path: string, more = '') =>
    `${method} ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\n${more}\r\n`
  const body = `content-type: application/json\r\ncontent-length: ${ask.length}\r\n`
  return [
    raw('two polls at once', head('GET', `${poll}{ready}`) + head('GET', `${poll}none`), { answers: 2 }),
    raw('a conversation and a poll', `${head('POST', chat, body)}${ask}${head('GET', `${poll}{ready}`)}`, { answers: 2 }),
    raw('a refusal, then a poll', `${head('POST', '/nothing', body)}${ask}${head('GET', `${poll}{ready}`)}`, { answers: 2 }),
    raw('a last request, then another', head('GET', '/healthz', 'connection: close\r\n') + head('GET', '/healthz'), { answers: 2 }),
    raw('a poll, then no HTTP', `${head('GET', `${poll}{ready}`)}hello\r\n\r\n`, { answers: 2 }),
    raw('an empty line before a request', `\r\n${head('GET', '/healthz')}`),
  ]
}

/** Returns requests for the gateway that answers browsers (CORS) and trusts the proxy in front
 *  of it. */
export function ofBrowsers(): RecordedRequest[] {
  const at = (name: string, path: string, parts: Parts = {}): RecordedRequest => ({ ...one(name, path, parts), to: 'browser' })
  const origin = { origin: 'https://app.example' }
  const preflight = { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization, x-own' }
  return [
    ...[f1, chat, '/nothing', '/%zz', '/healthz', '/admin/keys'].map(path =>
      at(`a preflight of ${path}`, path, { method: 'OPTIONS', key: false, headers: preflight }),
    ),
    at('a preflight without a method', f1, { method: 'OPTIONS', key: false, headers: origin }),
    at('a preflight without an origin', f1, { method: 'OPTIONS', key: false }),
    at('a preflight of another origin', f1, { method: 'OPTIONS', key: false, headers: { ...preflight, origin: 'https://b.example' } }),
    at('a preflight with too many hops', f1, { method: 'OPTIONS', key: false, headers: { ...preflight, 'x-gateway-hops': '9' } }),
    ...[f1, '/nothing', '/healthz', `${poll}none`, '/v1/models'].map(path =>
      at(`GET ${path} of a browser`, path, { headers: origin, key: false }),
    ),
    at('another origin', '/healthz', { headers: { origin: 'https://b.example' } }),
    at('a conversation of a browser', chat, { method: 'POST', body: ask, headers: { ...json, ...origin } }),
    at('a conversation of a browser, streamed', chat, { method: 'POST', body: askStreamed, headers: { ...json, ...origin } }),
    at('a submit of a browser', f1, { method: 'POST', body: '{}', headers: { ...json, ...origin } }),
    at('a file of a browser', '/files/x?exp=1&kid=a&sig=b', { headers: origin }),
    at('a path that is no URL encoding, of a browser', '/%zz', { headers: origin }),
    {
      ...at('a page behind a proxy', '/', {
        headers: { 'x-forwarded-host': 'gw.example', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/gw' },
      }),
      headOnly: true,
    },
    at('a forwarded address', '/v1/tasks/none', { headers: { 'x-forwarded-for': '10.0.0.1, 10.0.0.2' } }),
    { ...at('the head of a page', '/openapi.json', { method: 'HEAD', headers: origin }), isHead: true, headOnly: true },
  ]
}

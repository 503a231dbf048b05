/** All requests whose answers recorded.test.ts compares with recorded ones. A name in braces, such
 *  as `{ready}`, is replaced by a value of the running gateway (`facts` in `world.ts`). */
import { ofBodies, ofBrowsers, ofChat, ofConnections, ofFiles, ofKeys, ofOperator, ofTasks } from './operation-requests.ts'
import { chat, f1, json, one, type Parts, picture, poll, type RecordedRequest, raw } from './request-bytes.ts'

/** Paths of every family. Refused requests to these paths record the error format of every
 *  family. */
const places: [method: string, path: string][] = [
  ['POST', f1],
  ['GET', `${poll}none`],
  ['POST', '/v2/ai/default/images/generations'],
  ['POST', '/v2/images/generations'],
  ['GET', '/v2/ai/default/images/tasks/none'],
  ['POST', '/v1/ai/default/imgs/image/generations'],
  ['POST', '/v1/ai/default/tob/diffusion'],
  ['GET', '/v1/ai/default/tob/job/none'],
  ['POST', '/v1/ai/default/images/generations'],
  ['POST', '/v1/ai/default/videos'],
  ['GET', '/v1/videos/none'],
  ['POST', '/v1/ai/default/vidh/video/generate'],
  ['POST', '/v1/ai/default/mus/song/generate'],
  ['GET', '/v1/ai/default/mus/song/query/none'],
  ['POST', '/v1/ai/default/mus/music?action=song'],
  ['POST', '/v1/ai/default/vidv/videos/generate'],
  ['POST', '/v1/publishers/google/models/veo-3:predictLongRunning'],
  ['POST', '/v1/ai/default/vidk/videos/text2video'],
  ['GET', '/v1/ai/default/vidk/videos/text2video/none'],
  ['POST', '/kling/v1/videos/text2video'],
  ['POST', '/v1/audio/speech'],
  ['POST', '/v1/ai/default/tts-n/text-to-speech/mp3'],
  ['POST', '/v1/ai/default/tts-e/text-to-speech/none'],
  ['GET', '/v1/user'],
  ['POST', '/v1/audio/transcriptions'],
  ['POST', '/v1/ai/default/speechtotext/transcriptions:transcribe'],
  ['POST', '/v1/ai/default/audio/recognize'],
  ['POST', '/v1/ai/default/audio/realtime/translation'],
  ['POST', chat],
  ['POST', '/v1/responses'],
  ['GET', '/v1/responses/resp_none'],
  ['POST', '/default/search/keyword'],
  ['GET', '/default/search/top'],
  ['POST', '/v1/ai/default/ppt/task'],
  ['GET', '/v1/models/none'],
  ['GET', '/v1/voices/none'],
  ['GET', '/v1/tasks/none'],
]

export const recordedRequests: readonly RecordedRequest[] = [
  ...places.flatMap(([method, path]) => ofPlace(method, path)),
  ...ofPaths(),
  ...ofMethods(),
  ...ofHeaders(),
  ...ofBodies(),
  ...ofKeys(),
  ...ofTasks(),
  ...ofChat(),
  ...ofFiles(),
  ...ofOperator(),
  ...ofConnections(),
  ...ofBrowsers(),
]

/** Returns the requests that are sent to this path of a family. */
function ofPlace(method: string, path: string): RecordedRequest[] {
  const isPost = method === 'POST'
  const common = [
    one(`${method} ${path} without a key`, path, { method, key: false, ...(isPost ? { body: '{}', headers: json } : {}) }),
    one(`PUT ${path}`, path, { method: 'PUT', body: '{}', headers: json }),
    { ...one(`HEAD ${path}`, path, { method: 'HEAD' }), isHead: true as const },
  ]
  if (!isPost) return [...common, one(`GET ${path}`, path, {})]
  return [
    ...common,
    one(`POST ${path} with broken JSON`, path, { method, body: '{"a": 1,}', headers: json }),
    one(`POST ${path} with a list`, path, { method, body: '[1]', headers: json }),
    one(`POST ${path} with an unknown content type`, path, { method, body: 'a', headers: { 'content-type': 'text/csv' } }),
  ]
}

function ofPaths(): RecordedRequest[] {
  const paths = [
    '/nothing/here',
    '/v1/ai/default/nothing',
    '/v1/ai/default/imgf/image/generat',
    '/v1/ai/default/imgf/image/generate/',
    '//v1//ai/default//imgf/image/generate//',
    '/V1/ai/default/imgf/image/generate',
    '/v1/ai/DEFAULT/imgf/image/generate',
    '/v1/ai/none/imgf/image/generate',
    '/v1/ai/def%61ult/imgf/image/generate',
    '/v1/ai/default%2Fimgf/image/generate',
    '/v1/ai/default/imgf/image/generate%20',
    '/v1/ai/%zz/imgf/image/generate',
    '/%zz',
    '/v1/ai/%ff/imgf/image/generate',
    '/v1/ai/a;b/imgf/image/generate',
    '/v1/ai/../ai/default/imgf/image/generate',
    `/v1/ai/${'e'.repeat(3_000)}/imgf/image/generate`,
    'http://other.example/v1/ai/default/imgf/image/generate',
    'http://other.example',
    '*',
    '/v1/ai/default/speechtotext/transcriptions%3Atranscribe',
    '/v1/ai/default/speechtotext/transcriptions%3atranscribe?a=%3A',
    '/v1/ai/default/responses/compact',
    '/v1/ai/default/responses/resp_1/cancel',
    `${f1}?a=1&a=2`,
    `${f1}?__proto__=1`,
    `${f1}?%zz`,
    `${f1}#fragment`,
    '/v1/ai/default/mus/music',
    '/v1/ai/default/mus/music?action=none',
    '/?a=b',
  ]
  return [
    ...paths.map(path => one(`POST ${path.slice(0, 80)}`, path, { method: 'POST', body: '{}', headers: json })),
    ...['/nothing/here', '/v1/ai/default/nothing', '/v1/modells', '/%zz', 'http://other.example/healthz'].map(path =>
      one(`GET ${path}`, path, {}),
    ),
    { ...one('GET *', '*', {}), headOnly: true },
  ]
}

function ofMethods(): RecordedRequest[] {
  const methods = ['PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'M-SEARCH', 'FOO', 'get']
  const paths = [f1, `${poll}none`, '/v1/ai/default/videos/none', '/healthz', '/nothing']
  return [
    ...methods.flatMap(method => paths.map(path => one(`${method} ${path} without a body`, path, { method }))),
    one('CONNECT', 'example.com:443', { method: 'CONNECT' }),
    one('DELETE with a body', `${poll}none`, { method: 'DELETE', body: '{}', headers: json }),
    one('PATCH with a broken content type', f1, { method: 'PATCH', body: 'a', headers: { 'content-type': ';' } }),
    one('GET with a body', `${poll}none`, { body: '{}', headers: json }),
    one('GET with a broken content type', `${poll}none`, { headers: { 'content-type': ';' } }),
    { ...one('HEAD of a stream of events', '/v1/ai/default/imgf/get_result/events?id=none', { method: 'HEAD' }), isHead: true },
    one('events of no task', '/v1/ai/default/imgf/get_result/events?id=none', {}),
    one('events without an id', '/v1/ai/default/imgf/get_result/events', {}),
    one('cancel of no task', `${poll}none`, { method: 'DELETE' }),
    one('cancel by a query in the body', '/v1/ai/default/vidv/videos/task?operationName=none', { method: 'DELETE' }),
  ]
}

function ofHeaders(): RecordedRequest[] {
  const get = (name: string, headers: Record<string, string>, more: Parts = {}) => one(name, '/v1/tasks/none', { headers, ...more })
  return [
    get('an id of the client', { 'x-client-request-id': 'mine-1' }),
    get('an id of the client with a space', { 'x-client-request-id': 'a b' }),
    get('an id of the client that is too long', { 'x-client-request-id': 'a'.repeat(129) }),
    get('an id that the gateway is to take', { 'x-request-id': 'mine' }),
    get('hops', { 'x-gateway-hops': '3' }),
    get('hops that are no number', { 'x-gateway-hops': 'x' }),
    get('too many hops', { 'x-gateway-hops': '9' }),
    get('headers of 15 KB', { 'x-long': 'a'.repeat(15_000) }),
    get('headers of 17 KB', { 'x-long': 'a'.repeat(17_000) }),
    get('no host', { host: '' }),
    get('no host, HTTP 1.0', { host: '' }, { version: '1.0' }),
    get('HTTP 1.0', {}, { version: '1.0' }),
    get('HTTP 1.0, kept', { connection: 'keep-alive' }, { version: '1.0' }),
    get('HTTP 2.0', {}, { version: '2.0' }),
    get('a last request', { connection: 'close' }),
    get('a host that is none', { host: 'a b' }),
    get('an expectation', { expect: '200-ok' }),
    get('an upgrade', { connection: 'upgrade', upgrade: 'websocket' }),
    get('an origin', { origin: 'https://app.example' }),
    get('a trace', { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    get('an idempotency key that is too long', { 'idempotency-key': 'k'.repeat(256) }),
    one('an empty idempotency key', f1, { method: 'POST', body: picture, headers: { ...json, 'idempotency-key': ' ' } }),
    raw('no HTTP', 'hello\r\n\r\n'),
    raw('two lengths', `POST ${f1} HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    raw('a length and chunks', `POST ${f1} HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    raw('a header without a name', 'GET / HTTP/1.1\r\nhost: a\r\n: b\r\n\r\n'),
    raw('a header with a line feed', 'GET /v1/tasks/none HTTP/1.1\r\nhost: a\r\na: b\n c\r\n\r\n'),
  ]
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { errorCatalogue } from '@generation-gateway/kit/errors.ts'
import fc from 'fast-check'
import { f1 } from '../families/f1-image/family.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { type RawAnswer, sendRaw } from '../testing/raw-http.ts'

// Seed of the random cases, which fast-check prints with every failure. Another seed tries other
// cases.
const seed = 20_261_121
/** Time in ms after which the tries of a property stop. At least `leastCases` cases run before
 *  that, however long they take. */
const budgetMs = 1_500
/** Number of cases that always run, also on a slow machine. */
const leastCases = 25
/** CPU time in ms that this process, which contains the gateway, may use for one answer. */
const answerCpuMs = 3_000
const path = '/v1/ai/default/imgf/image/generate'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway()
})
after(() => gateway[Symbol.asyncDispose]())

/** Asserts that the answer took little CPU time since `before`, is no server error, and is JSON
 *  with an error object and its request id. */
function judge(answer: RawAnswer | undefined, before: NodeJS.CpuUsage): void {
  assert.ok(answer, 'there is an answer')
  const { status, headers, body } = answer
  assert.ok(status >= 200 && status < 500, `${status} ${body}`)
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < answerCpuMs * 1000, `answered with ${user + system} µs of CPU`)
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  if (status < 400) return
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  const { error } = JSON.parse(body)
  assert.ok(error.code in errorCatalogue, body)
  assert.ok(typeof error.message === 'string' && error.message.length > 0 && error.message.length < 10_000, body)
  assert.equal(error.request_id, headers.get('x-request-id'))
}

interface Sent {
  method?: string
  target?: string
  headers?: [name: string, value: string][]
  body?: Buffer
}

async function check({ method = 'POST', target = path, headers = [], body = Buffer.alloc(0) }: Sent): Promise<RawAnswer | undefined> {
  const own = new Set(headers.map(([name]) => name.toLowerCase()))
  const usual: [string, string][] = [
    ['host', 'gateway.test'],
    ['authorization', `Bearer ${testKey}`],
    ['content-type', 'application/json'],
    ['content-length', String(body.length)],
  ]
  const lines = [...headers, ...usual.filter(([name]) => !own.has(name))].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  const before = process.threadCpuUsage()
  const answer = await sendRaw(gateway.url, Buffer.concat([head, body]))
  judge(answer, before)
  return answer
}

function fuzz<Case>(title: string, cases: fc.Arbitrary<Case>, run: (value: Case) => Promise<unknown>): void {
  test(title, async context => {
    let count = 0
    const counted = async (value: Case) => {
      count += 1
      await run(value)
    }
    await assertHolds(fc.asyncProperty(cases, counted), 5_000)
    context.diagnostic(`seed ${seed}: ${count} cases`)
    assert.ok(count >= leastCases, `only ${count} cases`)
  })
}

/** Tests the property with `leastCases` cases, then with up to `most` cases within `budgetMs`. */
async function assertHolds<Case>(property: fc.IAsyncProperty<Case>, most: number): Promise<void> {
  await fc.assert(property, { seed, numRuns: leastCases })
  // `fc.assert` is not used here, because it fails when the time is over before the first case has
  // ended.
  const tried = await fc.check(property, { seed, numRuns: most, interruptAfterTimeLimit: budgetMs })
  assert.ok(tried.counterexample === null, fc.defaultReportMessage(tried) ?? '')
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? 'null')
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.double().map(value => (Number.isFinite(value) ? value : 0)),
  fc.constantFrom(-(2 ** 63), 2 ** 63, 2 ** 53, 1e308, -0, '', ' ', '\u0000', '\ud83e\udd8a', '__proto__', 'constructor', [], {}),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.base64String({ maxLength: 400 }),
)
/** Values for fields by name: valid ones, nearly valid ones and invalid ones. */
const likely: Record<string, fc.Arbitrary<unknown>> = {
  prompt: fc.string({ minLength: 1, maxLength: 50 }),
  width: fc.integer({ min: 0, max: 20_000 }),
  height: fc.integer({ min: 0, max: 20_000 }),
  aspect_ratio: fc.tuple(fc.nat(1000), fc.nat(1000)).map(([w, h]) => `${w}:${h}`),
  input_image: fc.oneof(
    fc.base64String({ maxLength: 300 }),
    fc.webUrl().map(url => url.replace(/^https?:\/\/[^/]+/, 'http://127.0.0.1:9')),
  ),
  seed: fc.maxSafeInteger(),
  webhook_url: fc.webUrl(),
  webhook_secret: fc.string({ maxLength: 300 }),
  model: fc.constantFrom('MaaS_ImgF_P', 'MaaS_ImgF_KG', 'MaaS_ImgF_KE', '__proto__', 'toString'),
}

fuzz('any JSON as a body is taken or refused', fc.jsonValue({ maxDepth: 8 }), value => check({ body: json(value) }))

fuzz('any bytes as a body are taken or refused', fc.uint8Array({ maxLength: 2_000 }), bytes => check({ body: Buffer.from(bytes) }))

fuzz(
  'JSON that is cut or damaged is refused',
  fc.tuple(fc.dictionary(fc.string(), anything, { maxKeys: 5 }), fc.nat(), fc.nat(255), fc.boolean()),
  ([fields, at, byte, isCut]) => {
    const body = json({ prompt: 'x', ...fields })
    const place = at % body.length
    if (isCut) return check({ body: body.subarray(0, place) })
    body[place] = byte
    return check({ body })
  },
)

fuzz(
  'every field of a submit takes or refuses every kind of value',
  fc.record(
    Object.fromEntries(
      Object.keys(f1.operations.submit.body.schema.properties).map(name => [name, fc.oneof(anything, likely[name] ?? anything)]),
    ),
    { requiredKeys: [] },
  ),
  async fields => {
    const answer = await check({ body: json({ prompt: 'x', ...fields }) })
    if (answer?.status === 200) assert.ok(JSON.parse(answer.body).id)
  },
)

fuzz(
  'long strings in a file field are taken or refused, however they are damaged',
  fc.tuple(
    fc.integer({ min: 60_000, max: 140_000 }),
    fc.nat(140_000),
    fc.nat(255),
    fc.constantFrom('', 'data:image/png;base64,', 'data:,'),
  ),
  ([length, at, byte, prefix]) => {
    const body = json({ prompt: 'x', input_image: prefix + 'iVBORw0K'.repeat(length / 8) })
    body[20 + (at % (body.length - 20))] = byte
    return check({ body })
  },
)

const token = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_!#$%&*+.^`|~'), minLength: 1, maxLength: 20 })
const fieldValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter(code => code !== 0x7f)
    .map(code => String.fromCharCode(code)),
  maxLength: 200,
})
const knownHeader = fc.constantFrom(
  ...[
    'authorization',
    'x-api-key',
    'api-key',
    'content-type',
    'content-encoding',
    'idempotency-key',
    'traceparent',
    'host',
    'accept',
    'origin',
  ],
  ...[
    'x-client-request-id',
    'last-event-id',
    'range',
    'if-range',
    'if-none-match',
    'cookie',
    'expect',
    'upgrade',
    'x-forwarded-host',
    'te',
  ],
)
const headerLines = fc.array(fc.tuple(fc.oneof(token, knownHeader), fieldValue), { maxLength: 8 })
/** Headers that decide where an HTTP message ends. The tests of the HTTP parser cover them. */
const framing = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'trailer'])
const safeHeaders = headerLines.map(lines => lines.filter(([name]) => !framing.has(name)))

fuzz('any headers are taken or refused', safeHeaders, headers => check({ headers, body: json({ prompt: 'x' }) }))

const pathPart = fc.oneof(
  fc.constantFrom('v1', 'v2', 'ai', 'default', 'imgf', 'image', 'generate', 'get_result', 'events', 'files', 'admin', 'keys', 'tasks'),
  fc.constantFrom('..', '.', '', '%2e%2e', '%2f', '%00', '%', '%zz', '%ff', ':id', '*', ';', '~'),
  fc.webSegment(),
)
const queryPart = fc.tuple(
  fc.oneof(fc.constantFrom('id', 'exp', 'kid', 'sig', 'last_event_id', '__proto__', 'id[]', 'id[a]'), fc.webSegment()),
  fc.webQueryParameters(),
)
const target = fc
  .tuple(fc.array(pathPart, { maxLength: 8 }), fc.array(queryPart, { maxLength: 5 }))
  .map(([parts, query]) => `/${parts.join('/')}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`)
const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY')

fuzz('any path, query and method is served or refused', fc.tuple(method, target), ([verb, where]) =>
  check({ method: verb, target: where, body: json({}) }),
)

fuzz(
  'any query of the operations that read is taken or refused',
  fc.tuple(
    fc.constantFrom('/v1/ai/default/imgf/get_result', '/v1/ai/default/imgf/get_result/events', '/files/01abc', '/admin/tasks'),
    fc.array(queryPart),
  ),
  ([where, query]) => check({ method: 'GET', target: `${where}?${query.map(([name, value]) => `${name}=${value}`).join('&')}` }),
)

test('bytes that are no HTTP end the connection, with an error answer if possible', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.string({ unit: 'binary', maxLength: 300 }).map(text => Buffer.from(`GET / HTTP/1.1\r\n${text}`)),
  )
  const property = fc.asyncProperty(bytes, async sent => {
    const before = process.threadCpuUsage()
    const answer = await sendRaw(gateway.url, Buffer.concat([sent, Buffer.from('\r\n\r\n')]), { endAfterMs: 20 })
    if (answer) judge(answer, before)
  })
  await assertHolds(property, 500)
  assert.deepEqual((await gateway.call('/healthz')).body, { status: 'ok' })
})

/** Tests the body of a submit, and how a failure of the submit is reported. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Driver, InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { mayFailOver } from '../../../core/routing/router.ts'
import {
  closeReply,
  type FakeReply,
  type FakeUpstream,
  jsonReply,
  rawReply,
  redirectReply,
  resetReply,
  silentReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { drawing, edit, editing, generate, jobOf, openDriver, testSecret } from './testing/run.ts'
import { accepted, refusedReply, taskId } from './testing/vendor-answers.ts'

let driver: Driver
let fake: FakeUpstream
let scratch: string
before(() => {
  driver = openDriver(() => 1000)
})
after(() => driver.close?.())
beforeEach(async () => {
  fake = await startFakeUpstream()
  scratch = await mkdtemp(join(tmpdir(), 'bfl-submit-'))
})
afterEach(async () => {
  await fake.close()
  await rm(scratch, { recursive: true })
})

type Changes = Partial<Job<typeof generate>>

const start = (changes: Changes = {}) => drawing(driver).start(jobOf(generate, fake.baseUrl, changes))

async function failure(run: Promise<unknown>): Promise<GatewayError> {
  try {
    await run
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error))
    return error
  }
  assert.fail('it was started')
}

async function inputOf(bytes: Buffer): Promise<InputFile> {
  const path = join(scratch, `input-${bytes.length}`)
  await writeFile(path, bytes)
  return { path, role: 'image', mediaType: 'image/png', bytes: bytes.length, width: 100, height: 60 }
}

describe('the submit', () => {
  test('is sent to the path of the model with the key, and keeps all digits of every field', async () => {
    fake.answer(accepted('https://api.eu2.bfl.ai/v1/get_result?id=t'))
    const handle = { id: taskId, pollingUrl: 'https://api.eu2.bfl.ai/v1/get_result?id=t', startedAt: 1000 }
    assert.deepEqual(await start(), { state: 'started', handle })
    const [request] = fake.received
    assert.equal(`${request?.method} ${request?.path}`, 'POST /v1/flux-pro-1.1')
    assert.deepEqual([request?.headers['x-key'], request?.headers.authorization], [testSecret, undefined])
    assert.equal(request?.headers['content-type'], 'application/json')
    const rest = '"prompt_upsampling":true,"safety_tolerance":6,"output_format":"png","width":1152,"height":768}'
    assert.equal(request?.body.toString(), `{"seed":9223372036854775807,"prompt":"a \\"cat\\"\\n",${rest}`)
    assert.equal(Number(request?.headers['content-length']), request?.body.length)
  })

  test('works with a base URL with or without /v1', async () => {
    fake.answer(accepted())
    const root = fake.baseUrl.replace('/v1', '')
    for (const base_url of [root, `${root}/`, `${root}/v1`, `${root}/v1/`]) await start({ settings: { base_url, api_key: testSecret } })
    assert.deepEqual(new Set(fake.received.map(({ path }) => path)), new Set(['/v1/flux-pro-1.1']))
  })

  test('has the exact bytes of an edited picture, however many', async () => {
    fake.answer(accepted())
    for (const size of [1, 2, 3, 4, 196_607, 196_608, 196_609, 700_001]) {
      const picture = randomBytes(size)
      const job = jobOf(edit, fake.baseUrl, { model: 'flux-kontext-pro', inputs: [await inputOf(picture)] })
      await editing(driver).start(job)
      const request = fake.received.at(-1)
      assert.ok(request)
      const { input_image, seed, ...fields } = Object(request.json)
      assert.equal(input_image, picture.toString('base64'))
      assert.deepEqual(fields, { prompt: 'bluer', prompt_upsampling: false, safety_tolerance: 2, output_format: 'jpeg' })
      assert.match(request.body.toString('latin1', 0, 40), /^\{"seed":-9007199254740993,/)
      assert.equal(Number(request.headers['content-length']), request.body.length)
    }
    assert.equal(fake.received.length, 8)
  })

  test('for an unsupported request is refused before a connection is made, so the next target is tried', async () => {
    const inputs = [await inputOf(Buffer.from('x'))]
    const refused = [
      () => start({ request: { ...generate, width: 1040 } }),
      () => start({ request: { ...generate, count: 2 } }),
      () => start({ model: 'flux-kontext-pro' }),
      () => editing(driver).start(jobOf(edit, fake.baseUrl, { inputs })),
      () => start({ model: 'flux-9' }),
    ]
    for (const run of refused) {
      const error = await failure(run())
      assert.ok(mayFailOver(error, 'paid'), error.code)
    }
    assert.equal(fake.connectionsMade(), 0)
  })

  test('has the same refusal during the run, with its field', async () => {
    const inputs = [await inputOf(Buffer.from('x'))]
    assert.deepEqual(drawing(driver).refuses?.(jobOf({ ...generate, count: 2 }, fake.baseUrl)), {
      field: 'count',
      message: 'count: the model flux-pro-1.1 of Black Forest Labs draws one picture per request, not 2.',
    })
    assert.equal(drawing(driver).refuses?.(jobOf(generate, fake.baseUrl)), undefined)
    assert.match(drawing(driver).refuses?.(jobOf(generate, fake.baseUrl, { model: 'flux-9' }))?.message ?? '', /does not know the model/)
    assert.equal(editing(driver).refuses?.(jobOf(edit, fake.baseUrl, { inputs }))?.field, 'image')
    assert.equal(editing(driver).refuses?.(jobOf(edit, fake.baseUrl, { inputs, model: 'flux-kontext-pro' })), undefined)
  })

  test('uses its connection for nothing else', async () => {
    fake.answer(accepted())
    await start()
    assert.equal(fake.received[0]?.headers.connection, 'close')
    await until(() => fake.openConnections() === 0, 'the end of the connection')
  })
})

const unknown: [what: string, reply: FakeReply][] = [
  ['a reset before an answer', resetReply()],
  ['a close before an answer', closeReply],
  ['a reset in the middle of the answer', resetReply(['{"id":'])],
  ['status 500', refusedReply(500, 'internal')],
  ['status 502 of a proxy', rawReply('<html>', 502)],
  ['status 504', refusedReply(504, 'late')],
  ['status 520', rawReply('', 520)],
  ['an answer that is no JSON', rawReply('<html>')],
  ['an answer without an id', jsonReply({ status: 'Pending' })],
  ['no answer in time', silentReply],
]
for (const [what, reply] of unknown) {
  test(`after ${what} a submit has an unknown fate, and is sent once`, async () => {
    fake.answer(reply)
    // Only the reply that never comes needs a short time limit. The other replies get the default
    // limit, which a slow machine does not exceed.
    const settings = { base_url: fake.baseUrl, api_key: testSecret, ...(reply === silentReply ? { timeout_seconds: 2 } : {}) }
    const error = await failure(start({ settings }))
    assert.equal(error.code, 'outcome_unknown')
    assert.ok(!mayFailOver(error, 'paid'))
    assert.equal(fake.received.length, 1)
  })
}

test('a submit stopped during its wait has an unknown fate; stopped before it is sent, it was not accepted', async () => {
  const leaving = new AbortController()
  fake.answer(silentReply)
  const running = failure(start({ signal: leaving.signal }))
  await until(() => fake.received.length > 0, 'the request')
  leaving.abort()
  assert.equal((await running).code, 'outcome_unknown')
  assert.equal((await failure(start({ signal: leaving.signal }))).code, 'cancelled')
  assert.equal(fake.received.length, 1)
})

const known: [what: string, reply: FakeReply, code: string, isNextTried: boolean][] = [
  ['too many tasks', refusedReply(429, 'too many', { 'retry-after': '5' }), 'rate_limited', true],
  ['no credits', refusedReply(402, 'Insufficient credits'), 'upstream_quota_exhausted', true],
  ['a key that is not accepted', refusedReply(403, 'Not authenticated'), 'upstream_auth_error', true],
  ['a key that is missing', refusedReply(401, 'Not authenticated'), 'upstream_auth_error', true],
  ['a busy vendor', refusedReply(503, 'busy', { 'retry-after': '5' }), 'overloaded', true],
  ['a model that is not there', refusedReply(404, 'Not Found'), 'capability_unavailable', true],
  ['a bad request', refusedReply(400, 'Invalid image'), 'invalid_request', false],
  ['a field out of range', refusedReply(422, [{ loc: ['body', 'width'], msg: 'no', type: 'less_than_equal' }]), 'invalid_request', false],
  ['a body that is too large', refusedReply(413, 'large'), 'payload_too_large', false],
  ['a redirect', redirectReply('https://elsewhere.example'), 'upstream_error', false],
]
for (const [what, reply, code, isNextTried] of known) {
  test(`${what} is a refusal: ${code}`, async () => {
    fake.answer(reply)
    const error = await failure(start())
    assert.equal(error.code, code)
    assert.equal(mayFailOver(error, 'paid'), isNextTried)
    if (code === 'rate_limited' || code === 'overloaded') assert.equal(error.retryAfterSeconds, 5)
    assert.equal(fake.received.length, 1)
  })
}

test('a submit without a listening server was not accepted: the next target is tried', async () => {
  const gone = await startFakeUpstream()
  await gone.close()
  const error = await failure(start({ settings: { base_url: gone.baseUrl, api_key: testSecret } }))
  assert.equal(error.code, 'upstream_unreachable')
  assert.ok(mayFailOver(error, 'paid'))
})

test('a submit that broke off before its end was not accepted', async () => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.resetAndDestroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    // The cast is safe: the server listens on a host and port, so the address is neither null nor a
    // path.
    const { port } = server.address() as AddressInfo
    const inputs = [await inputOf(Buffer.alloc(16 * 2 ** 20))]
    const error = await failure(editing(driver).start(jobOf(edit, `http://127.0.0.1:${port}`, { model: 'flux-kontext-pro', inputs })))
    assert.equal(error.code, 'upstream_unreachable')
  } finally {
    server.close()
  }
})

test('a submit whose input cannot be read is a fault of the gateway, and was not accepted', async () => {
  fake.answer(accepted())
  const inputs = [{ path: join(scratch, 'gone'), role: 'image', mediaType: 'image/png', bytes: 100 }]
  const error = await failure(editing(driver).start(jobOf(edit, fake.baseUrl, { model: 'flux-2-pro', inputs })))
  assert.equal(error.code, 'internal_error')
})

test('unusable settings are named, without the key', () => {
  const says = (settings: Record<string, string>, model = 'flux-2-pro') => driver.unusable?.(settings, model)
  assert.equal(says({ api_key: testSecret }), undefined)
  assert.match(says({ api_key: testSecret }, 'flux-9') ?? '', /does not know the model flux-9; say with model_group/)
  assert.equal(says({ api_key: testSecret, model_group: 'kontext' }, 'flux-9'), undefined)
  assert.match(says({ api_key: ' ' }) ?? '', /api_key is empty/)
  assert.match(says({ api_key: testSecret, base_url: 'ftp://host' }) ?? '', /http or https/)
  assert.doesNotMatch(says({ api_key: 'k\u0001secret' }) ?? 'secret', /secret/)
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeReply, hangingReply, rawReply, silentReply } from '../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway, type TestOptions, testKey } from '../../testing/gateway.ts'
import { openRaw, type RawConnection, sendRaw } from '../../testing/raw-http.ts'
import { type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

/** Interval between checks. A stalled connection is cut after twelve checks, which take a
 *  quarter of a second at this interval. */
const checkEveryMs = 20
const chat = '/v1/ai/default/chat/completions'
const openapi = 'GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'
const health = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'
const models = `GET /v1/models HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\n\r\n`
const hello = { choices: [{ index: 0, delta: { content: 'x' } }] }
/** Returns the text of a complete answer that contains this number. */
const answerText = (n: number): string => `{"n":${n},"choices":[{"message":{"content":"hello"}}]}`

function post(path: string, body: object, key: string = testKey): string {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

function ask(fields: object = {}, key?: string): string {
  return post(chat, { model: 'm', messages: [{ role: 'user', content: 'hello' }], ...fields }, key)
}

/** Returns the number of open connections that the gateway reports, minus the connection of this
 *  request. */
async function openAt(gateway: TestGateway): Promise<number> {
  const text = (await gateway.call('/metrics', { key: false, headers: { connection: 'close' } })).bytes.toString()
  return Number(/^gateway_connections (\d+)$/m.exec(text)?.[1]) - 1
}

function relayGateway(options: Omit<TestOptions, 'yaml'> = {}): Promise<RelayGateway> {
  return startRelayGateway(url => relayYaml([{ url }]), { checkEveryMs, ...options })
}

/** The gateway of all tests that need no settings of their own, and the upstream that it relays
 *  to. */
let relay: RelayGateway
before(async () => {
  relay = await relayGateway()
})
beforeEach(() => void relay.upstream.received.splice(0))
after(() => relay[Symbol.asyncDispose]())

async function withRaw(count: number, origin: string, run: (connections: RawConnection[]) => Promise<void>, reads = true): Promise<void> {
  const connections = await Promise.all(Array.from({ length: count }, () => openRaw(origin, { reads })))
  try {
    await run(connections)
  } finally {
    for (const { socket } of connections) socket.destroy()
  }
}

const manyBytes: FakeReply = rawReply(`${answerText(1)}${' '.repeat(30 * 1024 * 1024)}`, 200, { 'content-type': 'application/json' })

test('callers that send requests and read nothing lose their connections; other callers do not notice', async () => {
  const { gateway } = relay
  await withRaw(
    30,
    gateway.url,
    async connections => {
      for (const { socket } of connections) socket.write(openapi.repeat(50))
      await until(async () => (await openAt(gateway)) <= 1, 'the end of all of them')
      assert.equal((await gateway.call('/healthz', { headers: { connection: 'close' } })).status, 200)
    },
    false,
  )
})

test('a relayed answer that nobody reads is ended, together with its upstream call', async () => {
  relay.upstream.answer(manyBytes)
  await withRaw(
    1,
    relay.gateway.url,
    async ([connection]) => {
      connection?.socket.write(ask())
      await until(() => relay.upstream.aborted() === 1, 'the end of the upstream')
      await until(async () => (await openAt(relay.gateway)) <= 0, 'the end of the connection')
    },
    false,
  )
})

test('a silent connection gets an error and is closed, also when its client never closes it', async () => {
  const { gateway } = relay
  await withRaw(3, gateway.url, async connections => {
    for (const { socket } of connections) socket.write('nonsense\r\n\r\n')
    for (const { ended } of connections) assert.match(await ended, /^HTTP\/1\.1 400 .*"type":"invalid_request_error"/s)
    await until(async () => (await openAt(gateway)) <= 0, 'the end of all of them')
  })
})

test('the requests of one connection are processed one after the other, and answered in order', async () => {
  const { upstream, gateway } = relay
  let release = () => {}
  upstream.answer(
    response => {
      release = () => response.end(answerText(1))
    },
    rawReply(answerText(2)),
  )
  await withRaw(1, gateway.url, async ([connection]) => {
    connection?.socket.write(ask() + ask() + health)
    await until(() => upstream.received.length === 1, 'the first request')
    assert.equal((await gateway.call('/healthz', { headers: { connection: 'close' } })).status, 200)
    assert.equal(upstream.received.length, 1)
    release()
    const text = await until(() => (connection?.received().includes('"ok"') ? connection.received() : undefined), 'the last answer')
    assert.deepEqual([...text.matchAll(/"n":\d|"ok"/g)].map(String), ['"n":1', '"n":2', '"ok"'])
  })
})

test('33, 64 and 1,000 pipelined requests are all answered, in order', async () => {
  await using gateway = await startTestGateway()
  for (const count of [33, 64, 1_000])
    await withRaw(1, gateway.url, async ([connection]) => {
      const requests = Array.from({ length: count }, (_, n) => `GET /nothing/${n} HTTP/1.1\r\nhost: a\r\n\r\n`)
      connection?.socket.write(requests.join(''))
      const numbers = () =>
        [...(connection?.received() ?? '').matchAll(/There is nothing at GET \/nothing\/(\d+)\./g)].map(([, n]) => Number(n))
      const all = until(() => numbers().length === count, 'all answers')
      await Promise.race([all, connection?.ended])
      assert.deepEqual(numbers(), [...requests.keys()])
    })
})

test('when a caller disconnects, the waiting requests of the connection are dropped', async () => {
  const { upstream, gateway } = relay
  upstream.answer(silentReply)
  await withRaw(1, gateway.url, async ([connection]) => {
    connection?.socket.write(ask() + ask())
    await until(() => upstream.received.length === 1, 'the first request')
    connection?.socket.destroy()
    await until(() => upstream.aborted() === 1, 'the end of the first')
    await until(async () => (await openAt(gateway)) <= 0, 'the end of the connection')
    assert.equal(upstream.received.length, 1)
  })
})

test('a connection with too many waiting requests is closed', async () => {
  const { upstream, gateway } = relay
  upstream.answer(silentReply)
  await withRaw(1, gateway.url, async ([connection]) => {
    connection?.socket.write(ask() + health.repeat(1_024))
    await until(() => upstream.received.length === 1, 'the first request')
    connection?.socket.write(health)
    assert.equal(await connection?.ended, '')
    await until(() => upstream.aborted() === 1, 'the end of the upstream')
  })
})

test('garbage after a request ends the connection and the upstream during its answer, and no other status line is sent', async () => {
  const { upstream, gateway } = relay
  for (const garbage of [
    'nonsense\r\n\r\n',
    `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    ' of a body longer than it said',
    '\0',
  ]) {
    upstream.received.length = 0
    upstream.answer(hangingReply([hello]))
    await withRaw(1, gateway.url, async ([connection]) => {
      connection?.socket.write(ask({ stream: true }))
      await until(() => connection?.received().includes('data: '), 'the beginning of the answer')
      connection?.socket.write(garbage)
      const text = (await connection?.ended) ?? ''
      assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200'])
      await until(() => upstream.aborted() === 1, 'the end of the upstream')
    })
  }
})

test('garbage after a request that waits, or whose answer has not begun, is not answered in place of the request', async () => {
  const { upstream, gateway } = relay
  upstream.answer(silentReply)
  for (const requests of [ask(), ask() + health, health + ask()]) {
    upstream.received.length = 0
    await withRaw(1, gateway.url, async ([connection]) => {
      connection?.socket.write(requests)
      await until(() => upstream.received.length === 1, 'the request')
      connection?.socket.write('nonsense\r\n\r\n')
      assert.doesNotMatch((await connection?.ended) ?? '', /HTTP\/1\.1 400/)
      await until(() => upstream.aborted() === 1, 'the end of the upstream')
    })
  }
})

test('a body that breaks after its refusal is not answered again; one that breaks before it is answered once', async () => {
  const { gateway } = relay
  const refused = `POST ${chat} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`
  await withRaw(1, gateway.url, async ([connection]) => {
    connection?.socket.write(refused)
    await until(() => connection?.received().includes('missing_api_key'), 'the refusal')
    connection?.socket.write('no chunk\r\n')
    assert.deepEqual(((await connection?.ended) ?? '').match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401'])
  })
  const answer = await sendRaw(gateway.url, `${ask().replace(/content-length: \d+/, 'transfer-encoding: chunked')}`)
  assert.deepEqual([answer?.status, JSON.parse(answer?.body ?? '').error.code], [400, 'invalid_request'])
})

test('connections above the total, or above the number of keyless connections of an address, get a 503 and are closed', async () => {
  const total = { GATEWAY_MAX_CONNECTIONS: '3' }
  const address = { GATEWAY_MAX_CONNECTIONS_PER_ADDRESS: '3' }
  for (const env of [total, address]) {
    // At this interval, an idle connection is cut after 9 s (18 checks). A connection above the
    // limit of its address is refused after 0.5 s (one check), so the idle connections stay open
    // during the test.
    await using gateway = await startTestGateway({ checkEveryMs: 500, env })
    await withRaw(3, gateway.url, async ([first]) => {
      const answer = await sendRaw(gateway.url, health)
      assert.deepEqual([answer?.status, answer?.headers.get('retry-after'), answer?.headers.get('connection')], [503, '5', 'close'])
      assert.equal(JSON.parse(answer?.body ?? '').error.code, 'too_many_connections')
      await assert.doesNotReject(fetch(`${gateway.url}/healthz`).then(response => response.text()))
      first?.socket.destroy()
      await until(async () => (await sendRaw(gateway.url, health))?.status === 200, 'a place for another one')
    })
  }
})

test('many simultaneous callers of one address are accepted when each sends its key', async () => {
  await using gateway = await startTestGateway({ env: { GATEWAY_MAX_CONNECTIONS_PER_ADDRESS: '3' } })
  await withRaw(50, gateway.url, async connections => {
    for (const { socket } of connections) socket.write(models)
    for (const { received } of connections) await until(() => received().startsWith('HTTP/1.1 200'), 'the answer')
  })
})

test('refused connections do not delay the stop of the gateway', async () => {
  const gateway = await startTestGateway({ env: { GATEWAY_MAX_CONNECTIONS: '1' } })
  await withRaw(5, gateway.url, async connections => {
    await until(() => connections.filter(({ received }) => received().startsWith('HTTP/1.1 503')).length === 4, 'the refusals')
    const begun = performance.now()
    await gateway[Symbol.asyncDispose]()
    // If the stop did not end the refused connections, it would take 10 to 15 s.
    assert.ok(performance.now() - begun < 9_000)
  })
})

test('a connection with a valid key no longer counts for its address; behind a proxy no connection does', async () => {
  const env = { GATEWAY_MAX_CONNECTIONS_PER_ADDRESS: '2' }
  await using gateway = await startTestGateway({ env })
  for (let round = 0; round < 4; round++) {
    const connection = await openRaw(gateway.url)
    connection.socket.write(models)
    await until(() => connection.received().startsWith('HTTP/1.1 200'), 'the answer')
  }
  await using proxied = await startTestGateway({ env: { ...env, GATEWAY_TRUST_PROXY: '1' } })
  await withRaw(5, proxied.url, async () => assert.equal((await sendRaw(proxied.url, health))?.status, 200))
})

test('a key at its limit of connections is refused with 429 in the shape of the family; other keys, and its open connections, are unaffected', async () => {
  // The connections wait for their first request during the test. At this interval, no check cuts
  // such a connection.
  await using relay = await relayGateway({ checkEveryMs: 5_000, env: { GATEWAY_MAX_CONNECTIONS_PER_KEY: '2' } })
  const { upstream, gateway } = relay
  upstream.answer(rawReply(answerText(1)))
  const other = (await gateway.admin('/admin/keys', { body: { account: 'default', name: 'other' } })).body
  await withRaw(3, gateway.url, async ([first, second, third]) => {
    const answers = async (connection: RawConnection | undefined, request: string): Promise<string> => {
      const before = connection?.received().length ?? 0
      connection?.socket.write(request)
      const answer = () => connection?.received().slice(before) ?? ''
      return until(() => (/\{.*\}/s.test(answer()) ? answer() : undefined), 'an answer')
    }
    for (const connection of [first, second, first, second]) assert.match(await answers(connection, ask()), /^HTTP\/1\.1 200/)
    const refusal = await answers(third, ask())
    assert.match(refusal, /^HTTP\/1\.1 429.*retry-after: 5\r\n.*"code":"rate_limit_exceeded"/s)
    assert.match(await answers(third, ask({}, other.secret)), /^HTTP\/1\.1 200/)
    assert.match(await answers(first, ask({}, other.secret)), /^HTTP\/1\.1 200/)
    assert.match(await answers(third, ask()), /^HTTP\/1\.1 200/)
  })
})

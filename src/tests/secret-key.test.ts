/** Changes the secret key of a gateway: what the old key has encrypted stays readable. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once as onceEvent } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testAdminKey } from '../testing/gateway.ts'
import { endOfCommand, killCommandWhen } from '../testing/program.ts'
import { databaseSettings, dropDatabase, queryRows } from '../testing/stores/database.ts'

const submitPath = '/v1/ai/default/imgf/image/generate'
const [oldKey, newKey, otherKey] = [1, 2, 3].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string, string]
const both = { GATEWAY_SECRET_KEY: newKey, GATEWAY_SECRET_KEY_FALLBACKS: oldKey }

test('the secret key is replaced: tasks of the old key send their signed webhooks', async context => {
  const { start, command, hook, received } = await setUp(context)
  const webhook = (prompt: string, secret?: string) => ({ prompt, model: 'fake', webhook_url: hook, webhook_secret: secret })
  const first = await start({ GATEWAY_SECRET_KEY: oldKey })
  const changed = await first.admin('/admin/accounts', { body: { id: 'default', webhook_secret: 'secret of the account' } })
  assert.equal(changed.status, 200)
  for (const body of [webhook('held with both', 'both-secret'), webhook('held at last', 'last-secret'), webhook('held at last 2')])
    assert.equal((await first.call(submitPath, { body })).status, 200)
  await first.gateway.stop(0)

  await assert.rejects(start({ GATEWAY_SECRET_KEY: newKey }), /GATEWAY_SECRET_KEY_FALLBACKS/)
  const malformed = { GATEWAY_SECRET_KEY: newKey, GATEWAY_SECRET_KEY_FALLBACKS: `${oldKey},c2hvcnQ=` }
  await assert.rejects(start(malformed), /Key 2 of GATEWAY_SECRET_KEY_FALLBACKS has 5 bytes; it must be the base64 of 32 bytes/)

  const second = await start(both, 'held with both')
  await until(() => received.length === 1, 'the webhook with both keys')
  assertSigned(received[0], 'both-secret')
  assert.equal((await second.call(submitPath, { body: webhook('held at last 3', 'new-secret') })).status, 200)
  await second.gateway.stop(0)
  await assert.rejects(start({ GATEWAY_SECRET_KEY: newKey }), /until gateway reencrypt has ended/)
  await assert.rejects(start({ GATEWAY_SECRET_KEY: oldKey }), /until gateway reencrypt has ended/)
  const exported = await endOfCommand(['export', join(tmpdir(), 'never-made')], { env: await command.env(both) })
  assert.match(exported.error, /are encrypted with several keys: run gateway reencrypt first/)

  assert.match((await command.end({ GATEWAY_SECRET_KEY: otherKey })).error, /GATEWAY_SECRET_KEY_FALLBACKS/)
  const done = await command.end(both)
  assert.equal(done.error, '')
  assert.match(done.out, /Encrypted 4 of 5 secrets again\.\nNo row needs GATEWAY_SECRET_KEY_FALLBACKS/)
  assert.match((await command.end({ GATEWAY_SECRET_KEY: newKey })).out, /Encrypted 0 of/)

  await assert.rejects(start({ GATEWAY_SECRET_KEY: oldKey }), /secret key/)
  await start({ GATEWAY_SECRET_KEY: newKey }, 'held')
  await until(() => received.length === 4, 'the webhooks with the new key')
  const bySecret = (secret: string) => received.filter(each => isSigned(each, secret)).length
  assert.deepEqual(['last-secret', 'secret of the account', 'new-secret'].map(bySecret), [1, 1, 1])
})

test('a re-encryption that is killed is run again, and nothing is lost', async context => {
  const { start, command, hook, received, dataDir } = await setUp(context)
  const first = await start({ GATEWAY_SECRET_KEY: oldKey })
  const count = 1_200
  for (let batch = 0; batch < count / 100; batch++)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const body = { prompt: 'held', model: 'fake', webhook_url: hook, webhook_secret: `secret-${batch * 100 + index}` }
        return first.call(submitPath, { body })
      }),
    )
  await first.gateway.stop(0)
  const read = async () =>
    (await queryRows(dataDir, 'SELECT id, webhook_secret FROM tasks ORDER BY id')).map(row => String(row.webhook_secret))
  const before = await read()
  assert.equal(before.length, count)
  const changedOf = async () => (await read()).filter((text, index) => text !== before[index]).length
  const wasKilled = await killCommandWhen(async () => (await changedOf()) > 0, ['reencrypt'], await command.env(both))
  const part = await changedOf()
  context.diagnostic(`killed: ${wasKilled}; re-encrypted by then: ${part} of ${count}`)
  if (wasKilled) await assert.rejects(start({ GATEWAY_SECRET_KEY: newKey }), /GATEWAY_SECRET_KEY_FALLBACKS/)
  const between = await start(both)
  await between.gateway.stop(0)
  const last = await command.end(both)
  assert.equal(last.error, '')
  assert.match(last.out, /No row needs/)
  assert.equal(await changedOf(), count)
  await start({ GATEWAY_SECRET_KEY: newKey }, 'held')
  await until(() => received.length >= 20, 'webhooks with the new key')
  for (const each of received) assert.match(String(each.headers['x-webhook-secret']), /^secret-\d+$/)
})

interface Delivery {
  headers: IncomingHttpHeaders
  body: string
}

async function setUp(context: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'gateway-secret-key-'))
  const dataDir = join(root, 'data')
  await mkdir(dataDir)
  const running: TestGateway[] = []
  context.after(async () => {
    for (const each of running) await each.gateway.stop(0)
    await dropDatabase(dataDir)
    await rm(root, { recursive: true })
  })
  const received: Delivery[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    received.push({ headers: request.headers, body })
    response.end()
  })
  await onceEvent(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => server.close().closeAllConnections())
  /** Starts the gateway; tasks whose prompt does not begin with `done` wait until it stops, and run
   *  again at the next start. */
  const start = async (env: Record<string, string>, done?: string): Promise<TestGateway> => {
    const driver = fakeImageDriver(
      'f',
      once(
        async job => {
          if (done !== undefined && job.request.prompt.startsWith(done)) return donePixel(job)
          await sleep(600_000, undefined, { signal: job.signal, ref: false })
          return donePixel(job)
        },
        { isRepeatable: true },
      ),
    )
    const gateway = await startTestGateway({ dataDir, drivers: [driver], yaml: fakeModelYaml('f'), env })
    running.push(gateway)
    return gateway
  }
  const env = async (keys: Record<string, string>) => ({
    ...(await databaseSettings(dataDir)),
    ...{ GATEWAY_DATA_DIR: dataDir, GATEWAY_ADMIN_KEY: testAdminKey, ...keys },
  })
  const command = { env, end: async (keys: Record<string, string>) => endOfCommand(['reencrypt'], { env: await env(keys) }) }
  const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { start, command, hook, received, dataDir }
}

function assertSigned(delivery: Delivery | undefined, secret: string): void {
  assert.ok(delivery)
  assert.ok(isSigned(delivery, secret))
}

function isSigned({ headers, body }: Delivery, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
}

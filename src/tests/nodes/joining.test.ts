import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { queryOnce } from '../../stores/postgres/testing/query-once.ts'
import { needPostgres, startPostgres } from '../../stores/postgres/testing/server.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testAdminKey, testKey } from '../../testing/gateway.ts'
import { runCommand } from '../../testing/program.ts'
import { startTestNodes } from '../../testing/stores/nodes.ts'

const { skip } = needPostgres(18)

describe('a node that joins others', { skip }, async () => {
  if (skip !== undefined) return
  const server = await startPostgres({ version: 18 })
  after(() => server.stop())

  async function newNodes(context: TestContext) {
    const started = await startTestNodes(0, { server, drivers: [fakeImageDriver('f', once(donePixel))], yaml: fakeModelYaml('f') })
    context.after(() => started[Symbol.asyncDispose]())
    return started
  }

  test('three nodes that start at the same time on an empty database create one of each entry', async context => {
    const { databaseUrl, start } = await newNodes(context)
    const nodes = await Promise.all([start('a'), start('b'), start('c')])
    const counts = []
    for (const table of ['accounts', 'access_keys', 'endpoints', 'signing_keys'])
      counts.push((await queryOnce(databaseUrl, `SELECT count(*)::int AS count FROM ${table}`))[0]?.count)
    assert.deepEqual(counts, [1, 1, 1, 1])
    for (const node of nodes) assert.equal((await node.call('/v1/models')).status, 200)
  })

  test('objects of one node can be read on the other: a task, and a picture by its link', async context => {
    const { start } = await newNodes(context)
    const [one, other] = [await start('a'), await start('b')]
    const submitted = await one.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'a house', model: 'fake' } })
    assert.equal(submitted.status, 200, submitted.bytes.toString())
    const { pathname, search } = new URL(submitted.body.polling_url)
    const result = await other.result(other.url + pathname + search)
    const sample = new URL(String(Object(result.result).sample))
    for (const node of [one, other]) {
      const picture = await fetch(node.url + sample.pathname + sample.search)
      assert.equal(picture.status, 200)
      assert.ok((await picture.arrayBuffer()).byteLength > 0)
    }
  })

  test('is refused when its blobs, secret key or admin key differ from those of the others', async context => {
    const { envOf, start } = await newNodes(context)
    const first = await start('a')
    const startWith = (env: Record<string, string>) => start('b', { env })
    const { GATEWAY_BLOBS_URL = '' } = envOf('c')
    const elsewhere = await mkdtemp(join(tmpdir(), 'gateway-blobs-'))
    context.after(() => rm(elsewhere, { recursive: true }))
    const message = (says: RegExp) => ({ code: 'store_unavailable', message: says })
    await assert.rejects(
      startWith({ GATEWAY_BLOBS_URL: `file://${elsewhere}` }),
      message(/GATEWAY_BLOBS_URL|is not the one that the nodes/),
    )
    await assert.rejects(startWith({ GATEWAY_SECRET_KEY: Buffer.alloc(32, 8).toString('base64') }), message(/secret key/i))
    await assert.rejects(startWith({ GATEWAY_ADMIN_KEY: 'another' }), message(/^GATEWAY_ADMIN_KEY is neither the current nor the previous/))
    await assert.rejects(
      startTestGateway({ env: { GATEWAY_BLOBS_URL } }),
      message(/belongs to another database/),
      'a gateway with an embedded store',
    )
    assert.equal((await first.call('/v1/models', { key: testKey })).status, 200)
  })

  test('an admin key can be changed node by node', async context => {
    const { start } = await newNodes(context)
    await start('a')
    const changed = await start('b', { env: { GATEWAY_ADMIN_KEY: 'admin-new', GATEWAY_ADMIN_KEY_PREVIOUS: testAdminKey } })
    for (const key of ['admin-new', testAdminKey]) assert.equal((await changed.admin('/admin/accounts', { key })).status, 200)
    assert.equal((await changed.admin('/admin/accounts', { key: 'admin-other' })).status, 401)
    // While the operator changes the admin key, two kinds of nodes may start: those that still have
    // the old key, and those that have only the new one.
    await start('c')
    await start('d', { env: { GATEWAY_ADMIN_KEY: 'admin-new' } })
    await assert.rejects(start('e', { env: { GATEWAY_ADMIN_KEY: 'admin-third', GATEWAY_ADMIN_KEY_PREVIOUS: testAdminKey } }), {
      field: 'GATEWAY_ADMIN_KEY',
    })
  })

  test('a secret key can be changed node by node, and its secrets encrypted again beside running nodes', async context => {
    const { databaseUrl, envOf, start } = await newNodes(context)
    const [oldKey, newKey] = [7, 9].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string]
    const both = (first: string, second: string) => ({ GATEWAY_SECRET_KEY: first, GATEWAY_SECRET_KEY_FALLBACKS: second })
    const setSecret = async (node: TestGateway, id: string) =>
      assert.equal((await node.admin('/admin/accounts', { body: { id, webhook_secret: `secret of ${id}, long` } })).status, 200)
    const readAll = async (node: TestGateway) => assert.equal((await node.admin('/admin/accounts')).status, 200)
    const first = await start('a', { env: { GATEWAY_SECRET_KEY: oldKey } })
    await setSecret(first, 'one')
    const second = await start('b', { env: both(oldKey, newKey) })
    await setSecret(second, 'two')
    await readAll(first)
    await first.gateway.stop(0)
    const third = await start('c', { env: both(newKey, oldKey) })
    await setSecret(third, 'three')
    for (const node of [second, third]) await readAll(node)
    // A node that restarts before it gets the new key first joins as well.
    await readAll(await start('d', { env: both(oldKey, newKey) }))
    await assert.rejects(start('e', { env: { GATEWAY_SECRET_KEY: newKey } }), { message: /GATEWAY_SECRET_KEY_FALLBACKS/ })
    const last = await start('f', { env: both(newKey, oldKey) })
    const env = { ...envOf('command'), GATEWAY_ADMIN_KEY: testAdminKey, ...both(newKey, oldKey) }
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-operator-'))
    context.after(() => rm(dataDir, { recursive: true }))
    assert.match(await runCommand(['reencrypt'], { ...env, GATEWAY_DATA_DIR: dataDir }), /Encrypted 3 of 4 secrets again/)
    const words = await queryOnce(databaseUrl, `SELECT name FROM meta WHERE name LIKE 'key_check%'`)
    assert.deepEqual(words, [{ name: 'key_check' }])
    const only = await start('g', { env: { GATEWAY_SECRET_KEY: newKey } })
    for (const node of [last, only]) await readAll(node)
    await assert.rejects(start('h', { env: { GATEWAY_SECRET_KEY: oldKey } }), { message: /secret key/ })
  })
})

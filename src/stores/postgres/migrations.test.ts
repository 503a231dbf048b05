import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Client } from 'pg'
import { loadMigrations, type Migration } from '../sql/migrations.ts'
import { accessKey, callRecord, claimOne, minute, newTask, startedAt, succeeded, usageLine } from '../suite/samples.ts'
import { migrate, migrationsFolder, schemaState } from './migrations.ts'
import { openPostgresStore } from './open.ts'
import { needPostgres, type PostgresServer, startPostgres } from './testing/server.ts'
import { connectForTool } from './tool-client.ts'

const secretKey = Buffer.alloc(32, 7)
const shipped = loadMigrations(migrationsFolder)
const newest = shipped.length
const tables = shipped.flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name))
/** A migration that uses every kind of change that decision 0050 allows in a single compatible
 *  step. */
const expansion = `${tables.map(table => `ALTER TABLE ${table} ADD COLUMN note BIGINT NOT NULL DEFAULT 0;`).join('\n')}
  CREATE TABLE extra (id TEXT COLLATE "C" PRIMARY KEY); CREATE INDEX tasks_note ON tasks (note);`

const storedFile = {
  ...{ accountId: 'a', family: 'F1', id: 'f', endpoint: 'e', purpose: 'p', key: 'k', sha256: 's' },
  ...{ facts: { mediaType: 'image/png', bytes: 1 }, createdAt: startedAt, expiresAt: startedAt + minute },
}

describe('schemas of a database that several nodes share', needPostgres(18), () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres({ version: 18 })
  })
  after(() => server?.stop())

  test('a node of the old version keeps working while the schema is expanded, and can restart on it', async context => {
    const url = await server.database()
    const client = await connect(context, url)
    const node = await openPostgresStore({ url, secretKey })
    const work = async (id: string) => {
      await node.heartbeat('node-1', startedAt, minute)
      await node.submit(newTask(id))
      const claim = await claimOne(node)
      assert.equal(await node.settle(id, claim.token, succeeded({ usage: [usageLine(`${id}:images`)] })), true)
      assert.equal((await node.get(id))?.state, 'succeeded')
      await node.accounts.putAccount({ id: 'a', name: id, source: 'admin', createdAt: startedAt })
      assert.equal((await node.accounts.accounts())[0]?.name, id)
      await node.accounts.putKey(accessKey(id))
      assert.equal((await node.accounts.keyBySha256(accessKey(id).sha256))?.id, id)
      await node.accounts.putEndpoint({ accountId: 'a', name: 'e', routes: {}, source: 'admin', createdAt: startedAt })
      assert.equal((await node.accounts.endpoint('a', 'e'))?.name, 'e')
      await node.accounts.putTokenSecret({ keyId: id, secret: 's', createdAt: startedAt })
      assert.equal((await node.accounts.tokenSecret(id))?.secret, 's')
      await node.secrets.putSigningKey({ id, secret: Buffer.from('s'), createdAt: startedAt })
      assert.ok((await node.secrets.signingKeys()).length > 0)
      await node.files.put({ ...storedFile, id })
      assert.equal((await node.files.get(storedFile, id, startedAt))?.id, id)
      await node.recordCalls([callRecord(id)])
      assert.ok((await node.calls({ from: 0, to: startedAt + 1, limit: 10 })).length > 0)
      assert.deepEqual(await node.openLines({ limit: 10 }), [])
      assert.ok((await node.taskUsage(id)).length > 0)
    }
    await work('task-1')
    const next = await nextMigrations(context, `-- compatible from: ${newest}\n${expansion}`)
    // Work goes on during the migration, so that statements planned on the old schema run on the
    // new one.
    const working = (async () => {
      for (let round = 0; round < 30; round++) await work(`task-2-${round}`)
    })()
    assert.deepEqual(await migrate(client, next), { from: newest, to: newest + 1 })
    await working
    await work('task-3')
    await node.close()
    await (await openPostgresStore({ url, secretKey })).close()
    assert.deepEqual(await migrate(client, next), { from: newest + 1, to: newest + 1 })
    assert.deepEqual(await migrate(client), { from: newest + 1, to: newest + 1 }, 'an old program leaves it alone')
  })

  test('a schema that old programs cannot use waits for their end, and then refuses them', async context => {
    const url = await server.database()
    const client = await connect(context, url)
    const node = await openPostgresStore({ url, secretKey })
    await node.heartbeat('node-1', Date.now(), minute)
    const next = await nextMigrations(context, 'ALTER TABLE tasks DROP COLUMN traceparent;')
    const before = await schemaState(client)
    await assert.rejects(migrate(client, next), {
      code: 'store_unavailable',
      message: /1 of them run: node-1 \(version \d+\)\. Stop them first/,
    })
    assert.deepEqual(await schemaState(client), before)
    await node.release('node-1', Date.now())
    await node.close()
    assert.deepEqual(await migrate(client, next), { from: newest, to: newest + 1 })
    const refusal = { code: 'store_unavailable', message: /schema version \d+, on which programs of version \d+ and later work/ }
    await assert.rejects(openPostgresStore({ url, secretKey }), refusal)
  })

  test('nodes that are two releases behind also block a schema that they cannot use', async context => {
    const client = await connect(context, await server.database())
    await migrate(client)
    const expanded = await nextMigrations(context, `-- compatible from: ${newest}\nALTER TABLE tasks ADD COLUMN note TEXT;`)
    const contracted = [...expanded, { version: newest + 2, name: 'contract', sql: 'SELECT 1', compatibleFrom: newest + 1 }]
    const beat = (id: string, schema: number) =>
      client.query('INSERT INTO nodes (id, expires_at, name, facts) VALUES ($1, $2, $3, $4)', [
        ...[id, Date.now() + minute, `name of ${id}`, JSON.stringify({ schema })],
      ])
    await beat('old', newest)
    await migrate(client, expanded)
    await beat('new', newest + 1)
    const refusal = { code: 'store_unavailable', message: /1 of them run: name of old \(version \d+\)\. Stop them first/ }
    await assert.rejects(migrate(client, contracted), refusal)
    await client.query(`UPDATE nodes SET dead = 1 WHERE id = 'old'`)
    assert.deepEqual(await migrate(client, contracted), { from: newest + 1, to: newest + 2 })
  })

  test('migrations that start at the same time run one after the other', async context => {
    const url = await server.database()
    const clients = await Promise.all([1, 2, 3].map(() => connect(context, url)))
    const outcomes = await Promise.all(clients.map(client => migrate(client)))
    assert.deepEqual(outcomes.map(({ from }) => from).sort(), [0, newest, newest].sort())
    assert.ok(outcomes.every(({ to }) => to === newest))
  })
})

async function connect(context: TestContext, url: string): Promise<Client> {
  const client = await connectForTool(url, 'test')
  context.after(() => client.end())
  return client
}

/** Returns the shipped migrations and one more. */
async function nextMigrations(context: TestContext, sql: string): Promise<Migration[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-migrations-'))
  context.after(() => rm(folder, { recursive: true }))
  await cp(migrationsFolder, folder, { recursive: true })
  await writeFile(join(folder, `${String(newest + 1).padStart(4, '0')}-next.sql`), sql)
  return loadMigrations(folder)
}

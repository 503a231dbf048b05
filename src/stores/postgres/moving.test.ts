import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { killCommandWhen, runCommand } from '../../testing/program.ts'
import { openFileStore } from '../files/open.ts'
import type { Manifest } from '../moving/archive.ts'
import { movedTables } from '../moving/tables.ts'
import { fillStore } from '../moving/testing/full-store.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { callRecord, leaseMs, minute, newTask, queueCounts, startedAt } from '../suite/samples.ts'
import { migrate } from './migrations.ts'
import { openPostgresStore } from './open.ts'
import { needPostgres, type PostgresServer, startPostgres } from './testing/server.ts'
import { connectForTool } from './tool-client.ts'

const secretKey = Buffer.alloc(32, 7)
/** Number of tasks with pictures: large enough that the commands take long enough to be killed
 *  in the middle. */
const pictures = 200

describe('moving between SQLite and PostgreSQL', needPostgres(18), () => {
  let server: PostgresServer
  let source: string
  before(async () => {
    server = await startPostgres({ version: 18 })
    source = await mkdtemp(join(tmpdir(), 'gateway-source-'))
    const store = await openSqliteStore({ directory: source, secretKey, synchronous: 'OFF' })
    await fillStore(store, await openFileStore({ directory: source }), pictures)
    await store.submit(newTask('task-6', { clientReference: 'with \0 in it' }))
    await store.close()
  })
  after(async () => {
    await rm(source, { recursive: true })
    await server?.stop()
  })

  test('both databases have the same tables and columns, except for those of nodes', async context => {
    const client = await connectForTool(await server.database(), 'test')
    context.after(() => client.end())
    await migrate(client)
    const { rows } = await client.query(`SELECT table_name, column_name, data_type FROM information_schema.columns
      WHERE table_schema = current_schema() ORDER BY table_name COLLATE "C", column_name COLLATE "C"`)
    const types: Record<string, string> = { text: 'text', bigint: 'integer', 'double precision': 'real' }
    for (const { name, columns } of movedTables()) {
      const there = rows.filter(row => row.table_name === name).map(row => ({ name: row.column_name, type: types[row.data_type] }))
      assert.deepEqual(there, columns, name)
    }
  })

  test('a killed export and a killed import can be continued, and everything is the same after two moves', async context => {
    const root = await mkdtemp(join(tmpdir(), 'gateway-moving-'))
    context.after(() => rm(root, { recursive: true }))
    const onSqlite = settings(source)
    const [first, second] = [join(root, 'first'), join(root, 'second')]
    await inTheMiddle(async () => {
      await rm(first, { recursive: true, force: true })
      await killCommandWhen(async () => (await countOf(join(first, 'blobs'))) > 50, ['export', first], onSqlite)
      const copied = await countOf(join(first, 'blobs'))
      return existsSync(join(first, 'UNFINISHED')) && copied > 50 && copied < pictures
    })
    const onDatabase = (address: string) => {
      return { ...settings(join(root, 'node')), GATEWAY_DATABASE_URL: address, GATEWAY_BLOBS_URL: `file://${root}/shared` }
    }
    await assert.rejects(runCommand(['import', first], onDatabase(await server.database())), /export into .* has not ended/)
    assert.match(await runCommand(['export', first], onSqlite), /Exported \d+ rows and 202 blobs/)

    // Tables are moved in the order of their names. At `task_details`, many rows have been written
    // already, and many are still to come.
    const killedIn = movedTables().findIndex(({ name }) => name === 'task_details')
    let url = ''
    await inTheMiddle(async () => {
      url = await server.database()
      await rm(join(root, 'shared'), { recursive: true, force: true })
      const client = await connectForTool(url, 'test')
      context.after(() => client.end())
      const isFarEnough = async () => (await importedTable(client)) >= killedIn
      await killCommandWhen(isFarEnough, ['import', first], onDatabase(url))
      return isFarEnough()
    })
    const onPostgres = onDatabase(url)
    await assert.rejects(openPostgresStore({ url, secretKey }), {
      code: 'store_unavailable',
      message: /import into the database has not ended/,
    })
    const output = await runCommand(['import', first], onPostgres)
    assert.match(output, /An earlier import of this folder was continued/)
    assert.match(output, /Imported \d+ rows and 202 blobs/)
    await assert.rejects(runCommand(['import', first], onPostgres), /is not empty: the database has rows in access_keys/)

    await assertWorks(url)
    await runCommand(['export', second], onPostgres)
    const [before, after] = await Promise.all([manifestOf(first), manifestOf(second)])
    // These tables differ: the import makes leased jobs ready again, which adds events, it records
    // the call in progress, and the work of this test adds rows.
    const moved = new Set(['jobs', 'tasks', 'task_events', 'call_holds', 'calls', 'usage_days', 'call_sources', 'meta'])
    assert.deepEqual(steady(after, moved), steady(before, moved))
    assert.equal(after.blobs, before.blobs)

    const back = settings(join(root, 'back'))
    await runCommand(['import', second], back)
    const third = join(root, 'third')
    await runCommand(['export', third], back)
    assert.deepEqual(steady(await manifestOf(third), new Set()), steady(after, new Set()))
  })

  test('an import is refused while nodes are running; an export has the state of one moment', async context => {
    const root = await mkdtemp(join(tmpdir(), 'gateway-moving-'))
    context.after(() => rm(root, { recursive: true }))
    const url = await server.database()
    const env = { ...settings(join(root, 'node')), GATEWAY_DATABASE_URL: url }
    await mkdir(join(root, 'node'))
    const store = await openPostgresStore({ url, secretKey })
    context.after(() => store.close())
    await store.heartbeat('node-1', Date.now(), minute)
    let isOver = false
    let submitted = 0
    const submitting = (async () => {
      for (; !isOver; submitted++) await store.submit(newTask(`task-${String(submitted).padStart(6, '0')}`))
    })()
    await until(() => submitted > 200, 'the first submits')
    const archive = join(root, 'archive')
    const output = await runCommand(['export', archive], env).finally(() => {
      isOver = true
      return submitting
    })
    assert.match(output, /1 nodes are at work: this is a copy of one moment/)
    const rows = new Map((await manifestOf(archive)).tables.map(table => [table.name, table.rows]))
    assert.ok((rows.get('tasks') ?? 0) > 200)
    assert.equal(rows.get('jobs'), rows.get('tasks'))
    assert.equal(rows.get('task_events'), rows.get('tasks'))
    await assert.rejects(runCommand(['import', archive], env), /1 nodes are at work on the database/)
  })

  test('a row that PostgreSQL refuses is named with its file and line', async context => {
    const root = await mkdtemp(join(tmpdir(), 'gateway-moving-'))
    context.after(() => rm(root, { recursive: true }))
    const url = await server.database()
    const env = { ...settings(join(root, 'node')), GATEWAY_DATABASE_URL: url }
    const archive = join(root, 'archive')
    await runCommand(['export', archive, '--without-blobs'], settings(source))
    const client = await connectForTool(url, 'test')
    context.after(() => client.end())
    await migrate(client)
    await client.query(`ALTER TABLE task_details ADD CHECK (task_id <> 'task-1-00007')`)
    await assert.rejects(
      runCommand(['import', archive], env),
      /task_details.jsonl, line 8, does not fit into the store: .*check constraint/,
    )
  })
})

/** Repeats the attempt to kill a command in the middle. The attempt returns false when the command
 *  ended before it was killed. */
async function inTheMiddle(attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 5; tries++) if (await attempt()) return
  assert.fail('the command always ended before it could be killed')
}

/** Returns the index of the table that an import is inserting; 0 when no import is running. */
function importedTable(client: Awaited<ReturnType<typeof connectForTool>>): Promise<number> {
  return client.query(`SELECT value FROM meta WHERE name = 'import'`).then(
    ({ rows }) => JSON.parse(rows[0]?.value ?? '{"table":0}').table,
    () => 0,
  )
}

/** Checks that the imported store works: counters continue after the imported numbers, and jobs
 *  that the source had leased can be claimed. */
async function assertWorks(url: string): Promise<void> {
  const store = await openPostgresStore({ url, secretKey })
  assert.deepEqual(await queueCounts(store), { ready: 3, leased: 0, parked: 1 })
  await store.recordCalls([callRecord('req-9')])
  await store.responses.put({
    ...{ id: 'resp-9', accountId: 'account-1', endpoint: 'default', model: 'm', createdAt: startedAt },
    ...{ expiresAt: startedAt + minute, isDeleted: false },
  })
  await store.responses.remove('resp-9', startedAt)
  await store.responses.sweep(startedAt, 10)
  await store.heartbeat('node-2', startedAt + 10 * leaseMs, leaseMs)
  assert.equal((await store.claim('studio', 'node-2', 10, startedAt + 10 * leaseMs)).length, 3)
  await store.release('node-2', startedAt + 10 * leaseMs)
  assert.equal((await store.getByReference('account-1', 'with \0 in it'))?.id, 'task-6')
  await store.close()
}

function settings(dataDir: string): Record<string, string> {
  return {
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_ADMIN_KEY: 'admin-test-key',
    GATEWAY_SECRET_KEY: secretKey.toString('base64'),
  }
}

async function countOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(each => each.isFile() && !each.parentPath.endsWith('moving')).length
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'archive.json'), 'utf8'))
}

/** Returns the number of rows and the hash of each table, except for the tables in `without`. */
function steady({ tables }: Manifest, without: ReadonlySet<string>): unknown[] {
  return tables.filter(({ name }) => !without.has(name)).map(({ name, rows, sha256 }) => ({ name, rows, sha256 }))
}

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSealBox } from '../sql/seal.ts'
import { claimOne, newTask, startedAt } from '../suite/samples.ts'
import { openForWriting } from './database.ts'
import { faultKind } from './faults.ts'
import { openSqliteStore, readOwner, writeOwnerUrl } from './open.ts'

const secretKey = Buffer.alloc(32, 7)
const submitLoop = fileURLToPath(new URL('./testing/submit-loop.ts', import.meta.url))

test('no secret is stored in plain text, and files are private', async context => {
  const directory = await temporaryDirectory(context)
  const store = await openSqliteStore({ directory, secretKey })
  const signingKey = Buffer.from('signing-secret-of-32-bytes-00001')
  await store.submit(newTask('task-2'))
  const { token } = await claimOne(store)
  const settings = { api_key: 'credential-of-a-target' }
  await store.sent('task-2', token, { driver: 'acme', target: 'acme#1', model: 'm', settings, handle: { id: 'u' } }, startedAt)
  await store.submit(newTask('task-1', { webhook: { url: 'https://hooks.test', secret: 'task-webhook-secret' } }))
  await store.accounts.putAccount({ id: 'a', name: 'Acme', source: 'admin', webhookSecret: 'account-webhook-secret', createdAt: startedAt })
  await store.secrets.putSigningKey({ id: 's', secret: signingKey, createdAt: startedAt })
  const names = await readdir(directory)
  assert.ok(names.includes('gateway.db-wal'))
  for (const name of names) {
    const bytes = await readFile(join(directory, name))
    for (const secret of [
      'credential-of-a-target',
      'task-webhook-secret',
      'account-webhook-secret',
      signingKey,
      signingKey.toString('base64'),
      secretKey,
    ]) {
      assert.equal(bytes.includes(secret), false, `${name} holds a secret`)
    }
    assert.equal((await stat(join(directory, name))).mode & 0o077, 0, `${name} is private`)
  }
  assert.equal((await stat(directory)).mode & 0o077, 0)
  await store.close()
})

test('a job that an older version has sent is claimed with its names only, and delays no other', async context => {
  const directory = await temporaryDirectory(context)
  const store = await openSqliteStore({ directory, secretKey })
  for (const id of ['task-1', 'task-2']) await store.submit(newTask(id))
  const { token } = await claimOne(store)
  await store.sent('task-1', token, { driver: 'acme', target: 'acme#1', model: 'm', settings: {}, handle: { id: 'u' } }, startedAt)
  await store.close()
  const database = new DatabaseSync(join(directory, 'gateway.db'))
  database.exec('UPDATE jobs SET target_model = NULL, target_settings = NULL, hold = NULL')
  database.close()
  const opened = await openSqliteStore({ directory, secretKey })
  await opened.heartbeat('node-2', startedAt, 15_000)
  const claims = await opened.claim('studio', 'node-2', 5, startedAt)
  assert.deepEqual(
    claims.map(({ task, sent }) => [task.id, sent]),
    [
      ['task-1', { driver: 'acme', target: 'acme#1', model: '', settings: {}, handle: { id: 'u' } }],
      ['task-2', undefined],
    ],
  )
  await opened.close()
})

test('a store is not opened with another secret key, and stays unchanged', async context => {
  const directory = await temporaryDirectory(context)
  await (await openSqliteStore({ directory, secretKey })).close()
  await assert.rejects(openSqliteStore({ directory, secretKey: Buffer.alloc(32, 8) }), { code: 'store_unavailable', message: /secret key/ })
  await assert.rejects(openSqliteStore({ directory, secretKey: Buffer.alloc(16) }), { code: 'store_unavailable', message: /16 bytes/ })
  await (await openSqliteStore({ directory, secretKey })).close()
})

test('a sealed secret can be opened only in its own row and unchanged', () => {
  const box = createSealBox({ secretKey })
  const sealed = box.seal('secret', 'row 1')
  assert.equal(box.open(sealed, 'row 1').toString(), 'secret')
  assert.notEqual(box.seal('secret', 'row 1'), sealed)
  const bytes = Buffer.from(sealed, 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  for (const [text, context] of [
    [sealed, 'row 2'],
    [bytes.toString('base64'), 'row 1'],
    ['', 'row 1'],
  ] as const) {
    assert.throws(() => box.open(text, context), { code: 'store_unavailable' })
  }
})

test('commits are flushed to the disk: synchronous is FULL and the log is write-ahead', async context => {
  const database = openForWriting(join(await temporaryDirectory(context), 'gateway.db'), 'FULL')
  assert.deepEqual({ ...database.prepare('PRAGMA synchronous').get() }, { synchronous: 2 })
  assert.deepEqual({ ...database.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' })
  database.close()
})

test('a data directory that is opened a second time is refused, naming the owner and its address', async context => {
  const directory = await temporaryDirectory(context)
  assert.equal(readOwner(directory), undefined)
  const store = await openSqliteStore({ directory, secretKey })
  assert.deepEqual(readOwner(directory), { pid: process.pid, url: undefined })
  writeOwnerUrl(directory, 'http://127.0.0.1:8080')
  assert.deepEqual(readOwner(directory), { pid: process.pid, url: 'http://127.0.0.1:8080' })
  const refusal = { code: 'store_unavailable', message: new RegExp(`process ${process.pid} \\(http://127.0.0.1:8080\\)`) }
  await assert.rejects(openSqliteStore({ directory, secretKey }), refusal)
  assert.equal((await store.submit(newTask('task-1'))).outcome, 'created')
  await store.close()
  assert.equal(readOwner(directory), undefined)
})

test('a damaged lock is reported with instructions', async context => {
  const directory = await temporaryDirectory(context)
  await writeFile(join(directory, 'owner.db'), randomBytes(100))
  const refusal = { code: 'store_unavailable', message: /owner\.db cannot be read: .*remove it\.$/ }
  assert.throws(() => readOwner(directory), refusal)
  await assert.rejects(openSqliteStore({ directory, secretKey }), refusal)
})

test('the lock of another process is noticed, and is free again once that process is killed', async context => {
  const directory = await temporaryDirectory(context)
  const holder = spawn(process.execPath, [submitLoop, directory, 'held'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(holder, 'close')
  await once(holder.stdout, 'data')
  assert.equal(readOwner(directory)?.pid, holder.pid)
  await assert.rejects(openSqliteStore({ directory, secretKey }), {
    code: 'store_unavailable',
    message: new RegExp(`process ${holder.pid}`),
  })
  holder.stdout.resume()
  holder.kill('SIGKILL')
  await closed
  assert.equal(readOwner(directory), undefined)
  const store = await openSqliteStore({ directory, secretKey })
  assert.ok((await store.list({ limit: 1 })).length === 1)
  await store.close()
})

test('a write while another program locks the database fails alone: later ones work', async context => {
  const directory = await temporaryDirectory(context)
  const store = await openSqliteStore({ directory, secretKey })
  const other = new DatabaseSync(join(directory, 'gateway.db'))
  other.exec('BEGIN IMMEDIATE')
  await assert.rejects(store.submit(newTask('task-1')), { code: 'store_unavailable' })
  other.exec('ROLLBACK')
  other.close()
  store.assertWritable()
  assert.equal((await store.submit(newTask('task-1'))).outcome, 'created')
  await store.close()
})

test('a lack of memory fails all writes of a commit, not only the one that caused it', () => {
  for (const [errcode, fault] of [
    [7, 'no-memory'],
    [7 + 512, 'no-memory'],
    [5, 'busy'],
    [19, 'operation'],
  ] as const)
    assert.equal(faultKind(Object.assign(new Error('out of memory'), { errcode })), fault)
})

test('writes after close are refused, and waiting ones are still committed by close', async context => {
  const directory = await temporaryDirectory(context)
  const store = await openSqliteStore({ directory, secretKey })
  const waiting = Promise.all(Array.from({ length: 600 }, (_, index) => store.submit(newTask(`task-${index}`))))
  await store.close()
  assert.equal((await waiting).length, 600)
  await assert.rejects(store.submit(newTask('late')), { code: 'store_unavailable' })
  assert.throws(() => store.assertWritable(), { code: 'store_unavailable' })
})

async function temporaryDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-store-'))
  context.after(() => rm(directory, { recursive: true }))
  return directory
}

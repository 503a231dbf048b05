import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hashKey, makeKey } from '../core/access.ts'
import { createFakeClock } from '../testing/clock.ts'
import { onlyEmbedded } from '../testing/stores/database.ts'
import { openTestStore, type TestStore } from '../testing/stores/store.ts'
import { ensureDefaultAccount } from './first-start.ts'
import { adminKeyOf, secretKeysOf } from './secrets.ts'

const clock = createFakeClock()
const environmentKey = 'sk-from-the-environment'
const start = ({ store, directory }: TestStore, accessKey?: string) =>
  ensureDefaultAccount(store.accounts, { dataDir: directory, accessKey, now: clock.now() })
const oneNode = onlyEmbedded('a store of several nodes does not go back to an earlier key')
const isValid = async ({ store }: TestStore, secret: string) => {
  const key = await store.accounts.keyBySha256(hashKey(secret))
  return key !== undefined && key.revokedAt === undefined
}

const folder = await mkdtemp(join(tmpdir(), 'gateway-first-'))
after(() => rm(folder, { recursive: true, force: true }))

test('a first start creates the default account, its endpoint for every family, and a key in a private file', async () => {
  await using opened = await openTestStore(clock)
  const { madeKey } = await start(opened)
  assert.ok(madeKey)
  assert.match(madeKey.secret, /^sk-[0-9a-z]{48}$/)
  assert.equal(await isValid(opened, madeKey.secret), true)
  assert.equal((await readFile(madeKey.file, 'utf8')).trim(), madeKey.secret)
  assert.equal((await stat(madeKey.file)).mode & 0o777, 0o600)
  assert.deepEqual((await opened.store.accounts.endpoint('default', 'default'))?.routes, { '*': {} })
  assert.deepEqual(await start(opened), {}, 'the second start makes nothing')
  assert.equal((await opened.store.accounts.keys()).length, 1)
})

test('a key from the environment is used instead, kept over restarts, and replaced by a new value', oneNode, async () => {
  await using opened = await openTestStore(clock)
  assert.deepEqual(await start(opened, environmentKey), {})
  await start(opened, environmentKey)
  assert.equal((await opened.store.accounts.keys()).length, 1)
  await start(opened, 'sk-another-one-altogether')
  assert.equal(await isValid(opened, environmentKey), false)
  assert.equal(await isValid(opened, 'sk-another-one-altogether'), true)
  await start(opened, environmentKey)
  assert.equal(await isValid(opened, environmentKey), true, 'going back to the first one works')
  assert.equal(await isValid(opened, 'sk-another-one-altogether'), false)
})

test("nodes of one store with different keys in their environments do not undo each other's keys", async () => {
  await using opened = await openTestStore(clock)
  const accounts = { ...opened.store.accounts, isShared: true }
  const node = (accessKey: string) => ensureDefaultAccount(accounts, { dataDir: opened.directory, accessKey, now: clock.now() })
  const later = 'sk-another-one-altogether'
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => node(environmentKey))), [{}, {}, {}])
  assert.equal((await accounts.keys()).length, 1)
  assert.deepEqual(await node(later), {})
  assert.match((await node(environmentKey)).warning ?? '', /^GATEWAY_ACCESS_KEY of this node is not valid: it was revoked, or a node/)
  assert.equal(await isValid(opened, later), true)
  assert.equal(await isValid(opened, environmentKey), false)
})

test('a key and an endpoint that an earlier version assigned to the file are restored', async () => {
  await using opened = await openTestStore(clock)
  const { accounts } = opened.store
  await start(opened, environmentKey)
  for (const key of await accounts.keys()) await accounts.putKey({ ...key, name: 'ours', source: 'yaml' })
  for (const endpoint of await accounts.endpoints()) await accounts.putEndpoint({ ...endpoint, routes: {}, source: 'yaml' })
  await start(opened, environmentKey)
  const [key] = await accounts.keys()
  assert.deepEqual([key?.name, key?.source], ['GATEWAY_ACCESS_KEY', 'first-start'])
  const endpoint = await accounts.endpoint('default', 'default')
  assert.deepEqual([endpoint?.routes, endpoint?.source], [{ '*': {} }, 'first-start'])
})

test('keys that the operator created stay valid beside the one from the environment', async () => {
  await using opened = await openTestStore(clock)
  const { madeKey } = await start(opened)
  await start(opened, environmentKey)
  assert.equal(await isValid(opened, madeKey?.secret ?? ''), true)
})

test('a key from the environment that belongs to another account is refused', async () => {
  await using opened = await openTestStore(clock)
  await opened.store.accounts.putAccount({ id: 'acme', name: 'Acme', source: 'admin', createdAt: clock.now() })
  await opened.store.accounts.putKey(makeKey({ accountId: 'acme', name: 'k', source: 'admin' }, clock.now(), environmentKey).key)
  await assert.rejects(start(opened, environmentKey), { code: 'invalid_request', message: /GATEWAY_ACCESS_KEY is a key of account acme/ })
})

test('the file with the key is private even if a readable one existed before', async () => {
  await using opened = await openTestStore(clock)
  const file = join(opened.directory, 'access.key')
  await writeFile(file, 'old')
  await chmod(file, 0o644)
  await start(opened)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('the keys of the data folder are created once, in private files, and an empty file does not count as one', async () => {
  const admin = adminKeyOf(folder, undefined)
  assert.match(admin, /^admin-[0-9a-z]{48}$/)
  assert.equal(adminKeyOf(folder, undefined), admin)
  assert.equal(adminKeyOf(folder, 'from the environment'), 'from the environment')
  assert.equal((await stat(join(folder, 'admin.key'))).mode & 0o777, 0o600)
  await writeFile(join(folder, 'admin.key'), '\n')
  assert.match(adminKeyOf(folder, undefined), /^admin-/)
  const settings = { dataDir: folder, secretKey: undefined, secretKeyFallbacks: [] }
  const secret = secretKeysOf(settings).secretKey
  assert.equal(secret.length, 32)
  assert.deepEqual(secretKeysOf(settings).secretKey, secret)
  assert.throws(() => secretKeysOf({ ...settings, secretKey: 'c2hvcnQ=' }), {
    code: 'invalid_request',
    message: /GATEWAY_SECRET_KEY has 5 bytes/,
  })
})

import assert from 'node:assert/strict'
import type { Account, Endpoint, FileEntries } from '../../core/ports/store.ts'
import type { FileCandidate } from '../../core/records/file-generation.ts'
import { accessKey, type Check, type FullStore, startedAt } from './samples.ts'

const account: Account = { id: 'account-1', name: 'Acme', source: 'yaml', webhookSecret: 'account secret', createdAt: startedAt }
const endpoint: Endpoint = {
  accountId: 'account-1',
  name: 'default',
  routes: { '*': {}, F1: { model: 'model-1', settings: { response_shape: 'b64' } } },
  source: 'first-start',
  createdAt: startedAt,
}

const nothing: FileEntries = { accounts: [], keys: [], endpoints: [] }

/** Returns a configuration file of node `a` that was modified when the case began. */
function candidate(sha256: string, changes: Partial<FileCandidate> = {}): FileCandidate {
  return { node: 'a', sha256, modifiedAt: startedAt, at: startedAt + 1, isChange: false, isAlone: false, ...changes }
}

const ofFile = (id: string) => accessKey(id, { source: 'yaml' })

async function stored({ accounts }: FullStore): Promise<{ valid: string[]; endpoints: string[]; generation: number }> {
  const valid = (await accounts.keys()).filter(key => key.revokedAt === undefined).map(key => key.id)
  const endpoints = (await accounts.endpoints()).map(each => each.name)
  return { valid, endpoints, generation: (await accounts.fileGeneration())?.number ?? 0 }
}

export function accountCases(check: Check): void {
  check('accounts are written, replaced and read back', async ({ accounts }) => {
    await accounts.putAccount(account)
    assert.deepEqual(await accounts.accounts(), [account])
    const { webhookSecret: _secret, ...renamed } = { ...account, name: 'Acme Ltd' }
    await accounts.putAccount(renamed)
    assert.deepEqual(await accounts.accounts(), [renamed])
    await accounts.putAccount({ ...account, id: 'account-2' })
    assert.deepEqual(await accounts.account(account.id), renamed)
    assert.equal(await accounts.account('account-3'), undefined)
  })

  check('changes of an account at the same time are all kept, and others stay as they are', async ({ accounts }) => {
    const quotas = [{ unit: 'cost' as const, window: 'day' as const, atMost: 0.25 }]
    const changes = [{ name: 'Ours' }, { webhookSecret: 'secret' }, { limits: { ratePerMinute: 60 } }, { limits: { quotas } }]
    await Promise.all(changes.map(change => accounts.changeAccount('new', change, startedAt)))
    const changed = { id: 'new', name: 'Ours', source: 'admin' as const, webhookSecret: 'secret', createdAt: startedAt }
    assert.deepEqual(await accounts.account('new'), { ...changed, limits: { ratePerMinute: 60, quotas } })
    await accounts.changeAccount('new', { limits: { ratePerMinute: 5 } }, startedAt + 1)
    assert.deepEqual(await accounts.account('new'), { ...changed, limits: { ratePerMinute: 5, quotas } })
    await accounts.changeAccount('other', {}, startedAt)
    assert.deepEqual(await accounts.account('other'), { id: 'other', name: 'other', source: 'admin', createdAt: startedAt })
  })

  check('access keys are found by hash and id, and listed by account', async ({ accounts }) => {
    const limited = accessKey('key-1', {
      limits: { ratePerMinute: 60, concurrentTasks: 2, quotas: [{ unit: 'images', window: 'day', atMost: 5 }] },
      expiresAt: startedAt + 1,
    })
    const other = accessKey('key-2', { accountId: 'account-2' })
    await accounts.putKey(limited)
    await accounts.putKey(other)
    assert.deepEqual(await accounts.keyBySha256('hash-of-key-1'), limited)
    assert.equal(await accounts.keyBySha256('hash-of-key-3'), undefined)
    assert.deepEqual(await accounts.key('key-2'), other)
    assert.equal(await accounts.key('hash-of-key-1'), undefined)
    assert.deepEqual(await accounts.keys('account-2'), [other])
    assert.equal((await accounts.keys()).length, 2)
  })

  check('a key is revoked once and stays in the list', async ({ accounts }) => {
    await accounts.putKey(accessKey('key-1'))
    assert.equal(await accounts.revokeKey('key-1', startedAt + 5), true)
    assert.equal(await accounts.revokeKey('key-1', startedAt + 6), false)
    assert.equal(await accounts.revokeKey('key-2', startedAt), false)
    assert.equal((await accounts.keyBySha256('hash-of-key-1'))?.revokedAt, startedAt + 5)
  })

  check('new limits of a key replace the earlier ones and leave a revocation as it is', async ({ accounts }) => {
    await accounts.putKey(accessKey('key-1', { limits: { ratePerMinute: 60, concurrentTasks: 2 } }))
    await accounts.revokeKey('key-1', startedAt + 5)
    await accounts.limitKey('key-1', { ratePerMinute: 5 })
    assert.deepEqual(await accounts.key('key-1'), accessKey('key-1', { limits: { ratePerMinute: 5 }, revokedAt: startedAt + 5 }))
    await accounts.limitKey('key-1', undefined)
    assert.deepEqual(await accounts.key('key-1'), accessKey('key-1', { revokedAt: startedAt + 5 }))
    await accounts.limitKey('key-2', { ratePerMinute: 5 })
    assert.equal((await accounts.keys()).length, 1)
  })

  check('new limits of an account replace the earlier ones and leave the rest as it is', async ({ accounts }) => {
    await accounts.putAccount({ ...account, limits: { ratePerMinute: 60, concurrentTasks: 2 } })
    await accounts.limitAccount(account.id, { ratePerMinute: 5 })
    assert.deepEqual(await accounts.account(account.id), { ...account, limits: { ratePerMinute: 5 } })
    await accounts.limitAccount(account.id, undefined)
    assert.deepEqual(await accounts.account(account.id), account)
    await accounts.limitAccount('account-2', { ratePerMinute: 5 })
    assert.equal((await accounts.accounts()).length, 1)
  })

  check('the token secret of a key is replaced, removed and kept over a restart', async (store, underTest) => {
    const { accounts } = store
    const secret = { keyId: 'key-1', secret: 'a secret of the key', createdAt: startedAt }
    assert.equal(await accounts.tokenSecret('key-1'), undefined)
    await accounts.putTokenSecret({ ...secret, secret: 'an earlier one' })
    await accounts.putTokenSecret(secret)
    await accounts.putTokenSecret({ ...secret, keyId: 'key-2' })
    assert.deepEqual(await accounts.tokenSecret('key-1'), secret)
    assert.deepEqual(await accounts.keysWithTokenSecret(), ['key-1', 'key-2'])
    const reopened = (await underTest.reopen()).accounts
    assert.deepEqual(await reopened.tokenSecret('key-1'), secret)
    assert.equal(await reopened.removeTokenSecret('key-1'), true)
    assert.equal(await reopened.removeTokenSecret('key-1'), false)
    assert.equal(await reopened.tokenSecret('key-1'), undefined)
    assert.deepEqual(await reopened.keysWithTokenSecret(), ['key-2'])
  })

  check('two keys never share a hash', async ({ accounts }) => {
    await accounts.putKey(accessKey('key-1'))
    await assert.rejects(accounts.putKey(accessKey('key-2', { sha256: 'hash-of-key-1' })), { code: 'internal_error' })
    assert.equal((await accounts.keys()).length, 1)
  })

  check('endpoints belong to their account and can be removed', async ({ accounts }) => {
    await accounts.putEndpoint(endpoint)
    await accounts.putEndpoint({ ...endpoint, accountId: 'account-2' })
    assert.deepEqual(await accounts.endpoint('account-1', 'default'), endpoint)
    assert.equal(await accounts.endpoint('account-1', 'other'), undefined)
    assert.equal((await accounts.endpoints()).length, 2)
    assert.equal(await accounts.removeEndpoint('account-1', 'default'), true)
    assert.equal(await accounts.removeEndpoint('account-1', 'default'), false)
    assert.deepEqual(
      (await accounts.endpoints()).map(found => found.accountId),
      ['account-2'],
    )
    assert.deepEqual(await accounts.endpoints('account-1'), [])
  })

  check('each change of accounts, keys and endpoints gives a new revision', async ({ accounts }) => {
    const seen = [accounts.revision()]
    const changes = [
      () => accounts.putAccount(account),
      () => accounts.changeAccount(account.id, { name: 'Acme Ltd' }, startedAt),
      () => accounts.limitAccount(account.id, { ratePerMinute: 5 }),
      () => accounts.putKey(accessKey('key-1')),
      () => accounts.limitKey('key-1', { ratePerMinute: 5 }),
      () => accounts.revokeKey('key-1', startedAt),
      () => accounts.putTokenSecret({ keyId: 'key-1', secret: 's', createdAt: startedAt }),
      () => accounts.removeTokenSecret('key-1'),
      () => accounts.putEndpoint(endpoint),
      () => accounts.removeEndpoint('account-1', 'default'),
      () => accounts.applyFile(nothing, candidate('v1'), 0),
    ]
    for (const change of changes) {
      await change()
      seen.push(accounts.revision())
    }
    for (const [index, revision] of seen.entries()) if (index > 0) assert.ok(revision > (seen[index - 1] ?? 0), `change ${index}`)
    await accounts.accounts()
    assert.equal(accounts.revision(), seen.at(-1))
  })

  fileCases(check)

  check('a write is seen by every reading that begins once the revision has moved', async ({ accounts }) => {
    await accounts.putKey(accessKey('key-1'))
    await accounts.putEndpoint(endpoint)
    const before = accounts.revision()
    const isMoved = Promise.withResolvers<void>()
    const look = () => (accounts.revision() > before ? isMoved.resolve() : setImmediate(look))
    look()
    const writing = Promise.all([accounts.revokeKey('key-1', startedAt), accounts.removeEndpoint('account-1', 'default')])
    await Promise.race([isMoved.promise, writing])
    const moves = accounts.revision() - before
    const [key, found] = [await accounts.keyBySha256('hash-of-key-1'), await accounts.endpoint('account-1', 'default')]
    assert.ok(moves > 0)
    // A write is visible once it has raised the revision. So when the revision has grown by one, at
    // least one of the two writes is visible; when it has grown by two or more, both are.
    const seen = (key?.revokedAt === undefined ? 0 : 1) + (found === undefined ? 1 : 0)
    assert.ok(seen >= Math.min(moves, 2), `${moves} moves, ${seen} writes seen`)
    await writing
    assert.ok(accounts.revision() > before)
  })

  check('an overlay has its say over what is stored, in every reading, and leaves it as it is', async ({ accounts }) => {
    const own: Account = { ...account, source: 'admin' }
    await accounts.putAccount(own)
    await accounts.putKey(accessKey('key-1'))
    await accounts.putKey(accessKey('key-2', { revokedAt: startedAt }))
    await accounts.putEndpoint(endpoint)
    const before = accounts.revision()
    const limits = { ratePerMinute: 5 }
    const said = ['key-1', 'key-2'].map(id => accessKey(id, { name: 'said', source: 'yaml' }))
    const route = { ...endpoint, routes: { F1: {} }, source: 'yaml' as const }
    accounts.overlay({ accounts: [{ id: own.id, limits }], keys: said, endpoints: [route, { ...route, name: 'not stored' }] })
    assert.notEqual(accounts.revision(), before)
    assert.deepEqual(await accounts.accounts(), [{ ...own, limits, source: 'yaml' }])
    const key = { ...said[0], accountLimits: limits }
    assert.deepEqual(await accounts.keyBySha256('hash-of-key-1'), key)
    assert.deepEqual((await accounts.keys('account-1'))[0], key)
    assert.deepEqual(await accounts.key('key-1'), key)
    assert.deepEqual(await accounts.account(own.id), { ...own, limits, source: 'yaml' })
    assert.equal((await accounts.keyBySha256('hash-of-key-2'))?.revokedAt, startedAt, 'the operator has revoked it')
    assert.deepEqual(await accounts.endpoints(), [route])
    assert.deepEqual(await accounts.endpoint('account-1', 'default'), route)
    assert.deepEqual(await accounts.stored.accounts(), [own])
    assert.deepEqual(await accounts.stored.keyBySha256('hash-of-key-1'), accessKey('key-1'))
    accounts.overlay({ accounts: [], keys: [], endpoints: [] })
    assert.deepEqual(await accounts.accounts(), [own])
    assert.deepEqual(await accounts.keyBySha256('hash-of-key-1'), accessKey('key-1'))
    assert.deepEqual(await accounts.endpoints(), [endpoint])
  })

  check('signing keys come newest first, also after closing and opening again', async (store, underTest) => {
    const older = { id: 'signing-1', secret: Buffer.alloc(32, 1), createdAt: startedAt }
    const newer = { id: 'signing-2', secret: Buffer.alloc(32, 2), createdAt: startedAt + 1 }
    const before = store.secrets.revision()
    await store.secrets.putSigningKey(newer)
    const between = store.secrets.revision()
    await store.secrets.putSigningKey(older)
    assert.ok(before < between && between < store.secrets.revision())
    assert.deepEqual(await store.secrets.signingKeys(), [newer, older])
    const reopened = await underTest.reopen()
    assert.deepEqual(await reopened.secrets.signingKeys(), [newer, older])
  })
}

/** Adds the cases for configuration files of several nodes that share one store. */
function fileCases(check: Check): void {
  check('a newer file replaces the entries of the one in force, and no others', async store => {
    const { accounts } = store
    assert.equal(await accounts.fileGeneration(), undefined)
    await accounts.putKey(accessKey('of-admin'))
    const first = { accounts: [account], keys: [ofFile('one'), ofFile('both')], endpoints: [{ ...endpoint, source: 'yaml' as const }] }
    const before = accounts.revision()
    assert.equal(await accounts.applyFile(first, candidate('v1'), 0), 'next')
    assert.notEqual(accounts.revision(), before)
    assert.deepEqual(await accounts.accounts(), [account])
    assert.deepEqual(await stored(store), { valid: ['both', 'of-admin', 'one'], endpoints: ['default'], generation: 1 })
    const second = { ...nothing, keys: [ofFile('both'), ofFile('two')] }
    assert.equal(await accounts.applyFile(second, candidate('v2', { modifiedAt: startedAt + 5, at: startedAt + 9 }), 1), 'next')
    assert.deepEqual(await stored(store), { valid: ['both', 'of-admin', 'two'], endpoints: [], generation: 2 })
    assert.equal((await accounts.keyBySha256('hash-of-one'))?.revokedAt, startedAt + 9)
    assert.deepEqual(await accounts.fileGeneration(), {
      ...{ number: 2, sha256: 'v2', modifiedAt: startedAt + 5, node: 'a', startedAt: startedAt + 9 },
      nodes: [{ node: 'a', sha256: 'v2', modifiedAt: startedAt + 5, at: startedAt + 9 }],
    })
  })

  check('an older file of another node changes nothing, and the node is noted', async (store, underTest) => {
    const { accounts } = store
    await accounts.applyFile({ ...nothing, keys: [ofFile('one')] }, candidate('v2'), 0)
    const older = { ...nothing, keys: [ofFile('gone')], endpoints: [endpoint] }
    for (const modifiedAt of [startedAt, startedAt - 1])
      assert.equal(await accounts.applyFile(older, candidate('v1', { node: 'b', modifiedAt }), 1), 'older')
    assert.deepEqual(await stored(store), { valid: ['one'], endpoints: [], generation: 1 })
    const reopened = (await underTest.reopen()).accounts
    const found = await reopened.fileGeneration()
    assert.deepEqual(
      found?.nodes.map(({ node, sha256 }) => [node, sha256]),
      [
        ['a', 'v2'],
        ['b', 'v1'],
      ],
    )
    // A file that has changed since the start of its node counts as newer, whatever its
    // modification time.
    assert.equal(await reopened.applyFile(older, candidate('v1', { node: 'b', modifiedAt: 1, isChange: true }), 1), 'next')
    assert.equal(await reopened.applyFile(nothing, candidate('v0', { node: 'c', modifiedAt: 0, isAlone: true }), 2), 'next')
    assert.deepEqual(
      (await reopened.fileGeneration())?.nodes.map(({ node }) => node),
      ['c'],
    )
  })

  check('the same content from another node is written again, and its later time counts', async store => {
    const { accounts } = store
    const file = { ...nothing, keys: [ofFile('one')], endpoints: [{ ...endpoint, source: 'yaml' as const }] }
    await accounts.applyFile(file, candidate('v1'), 0)
    await accounts.removeEndpoint('account-1', 'default')
    assert.equal(await accounts.applyFile(file, candidate('v1', { node: 'b', modifiedAt: startedAt + 50 }), 1), 'current')
    assert.deepEqual(await stored(store), { valid: ['one'], endpoints: ['default'], generation: 1 })
    assert.equal(await accounts.applyFile(nothing, candidate('v0', { node: 'c', modifiedAt: startedAt + 20 }), 1), 'older')
    assert.equal((await accounts.fileGeneration())?.modifiedAt, startedAt + 50)
  })

  check('of two nodes that start at once only one writes what it planned', async store => {
    const { accounts } = store
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map(node =>
        accounts.applyFile(
          { ...nothing, keys: [accessKey(`key-of-${node}`, { sha256: 'same', source: 'yaml' })] },
          candidate('v1', { node }),
          0,
        ),
      ),
    )
    assert.deepEqual(outcomes.sort(), ['next', 'stale', 'stale'])
    const { valid, generation } = await stored(store)
    assert.deepEqual([valid.length, generation], [1, 1])
  })

  check('entries that the operator has taken over are left as they are by a file', async store => {
    const { accounts } = store
    await accounts.applyFile({ ...nothing, accounts: [account], keys: [ofFile('one')] }, candidate('v1'), 0)
    await accounts.putKey(accessKey('one', { source: 'admin', revokedAt: startedAt + 3 }))
    await accounts.putAccount({ ...account, source: 'admin', name: 'Ours' })
    const again = { ...nothing, accounts: [account], keys: [ofFile('one')] }
    assert.equal(await accounts.applyFile(again, candidate('v2', { isChange: true }), 1), 'next')
    assert.equal((await accounts.keyBySha256('hash-of-one'))?.revokedAt, startedAt + 3)
    assert.equal((await accounts.accounts())[0]?.name, 'Ours')
  })

  check('a file that cannot be written whole changes nothing', async store => {
    const { accounts } = store
    await accounts.putKey(accessKey('key-1'))
    const file = { ...nothing, keys: [ofFile('two'), accessKey('three', { sha256: 'hash-of-key-1', source: 'yaml' })] }
    await assert.rejects(accounts.applyFile(file, candidate('v1'), 0), { code: 'internal_error' })
    assert.deepEqual(await stored(store), { valid: ['key-1'], endpoints: [], generation: 0 })
  })
}

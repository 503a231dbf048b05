import assert from 'node:assert/strict'
import type { Account, Endpoint } from '../../core/ports/store.ts'
import { accessKey, type Check, startedAt } from './samples.ts'

const account: Account = { id: 'account-1', name: 'Acme', source: 'yaml', webhookSecret: 'account secret', createdAt: startedAt }
const endpoint: Endpoint = {
  accountId: 'account-1',
  name: 'default',
  routes: { '*': {}, F1: { model: 'model-1', settings: { response_shape: 'b64' } } },
  source: 'first-start',
  createdAt: startedAt,
}

export function accountCases(check: Check): void {
  check('accounts are written, replaced and read back', async ({ accounts }) => {
    await accounts.putAccount(account)
    assert.deepEqual(await accounts.accounts(), [account])
    const { webhookSecret: _secret, ...renamed } = { ...account, name: 'Acme Ltd' }
    await accounts.putAccount(renamed)
    assert.deepEqual(await accounts.accounts(), [renamed])
  })

  check('access keys are found by hash and listed by account', async ({ accounts }) => {
    const limited = accessKey('key-1', {
      limits: { ratePerMinute: 60, concurrentTasks: 2, quotas: [{ unit: 'images', window: 'day', atMost: 5 }] },
      expiresAt: startedAt + 1,
    })
    const other = accessKey('key-2', { accountId: 'account-2' })
    await accounts.putKey(limited)
    await accounts.putKey(other)
    assert.deepEqual(await accounts.keyBySha256('hash-of-key-1'), limited)
    assert.equal(await accounts.keyBySha256('hash-of-key-3'), undefined)
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
      () => accounts.putKey(accessKey('key-1')),
      () => accounts.revokeKey('key-1', startedAt),
      () => accounts.putTokenSecret({ keyId: 'key-1', secret: 's', createdAt: startedAt }),
      () => accounts.removeTokenSecret('key-1'),
      () => accounts.putEndpoint(endpoint),
      () => accounts.removeEndpoint('account-1', 'default'),
    ]
    for (const change of changes) {
      await change()
      seen.push(accounts.revision())
    }
    assert.equal(new Set(seen).size, seen.length)
    await accounts.accounts()
    assert.equal(accounts.revision(), seen.at(-1))
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
    await store.secrets.putSigningKey(newer)
    await store.secrets.putSigningKey(older)
    assert.deepEqual(await store.secrets.signingKeys(), [newer, older])
    const reopened = await underTest.reopen()
    assert.deepEqual(await reopened.secrets.signingKeys(), [newer, older])
  })
}

/** Two nodes share one store, and each has its own cache of access keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFakeClock } from '../testing/clock.ts'
import { openTestStore } from '../testing/stores/store.ts'
import { Access, makeKey } from './access.ts'
import type { AccountStore } from './ports/store.ts'

/** Returns the account store as a second node would see it: its revision changes only when the test
 *  calls `notice`, in place of a notification from the store. */
function viewOf(accounts: AccountStore): AccountStore & { notice(): void } {
  let revision = 1
  return {
    ...accounts,
    revision: () => revision,
    notice: () => {
      revision += 1
    },
  }
}

test("another node's changes of keys, endpoints and revocations apply once the revision has changed", async () => {
  const clock = createFakeClock()
  await using opened = await openTestStore(clock)
  const { accounts } = opened.store
  const view = viewOf(accounts)
  const access = new Access(view, clock)
  const { secret, key } = makeKey({ accountId: 'acme', name: 'k', source: 'admin' }, clock.now())
  const unknown = () => access.authenticate(secret)
  await assert.rejects(unknown, { code: 'invalid_api_key' })
  await accounts.putKey(key)
  // An unknown key is not cached, so a key that is created later is found.
  assert.equal((await access.authenticate(secret)).id, key.id)
  const endpoint = { accountId: 'acme', name: 'main', source: 'admin' as const, createdAt: clock.now() }
  await accounts.putEndpoint({ ...endpoint, routes: { F1: {} } })
  await access.endpoint(key, 'main')
  assert.ok(access.recall(secret, 'main'))

  await accounts.putEndpoint({ ...endpoint, routes: { chat: {} } })
  assert.deepEqual(access.recall(secret, 'main')?.endpoint.routes, { F1: {} }, 'until it is notified')
  view.notice()
  assert.equal(access.recall(secret, 'main'), undefined)
  assert.deepEqual((await access.endpoint(key, 'main')).routes, { chat: {} })

  await access.authenticate(secret)
  assert.ok(access.recall(secret, 'main'))
  await accounts.revokeKey(key.id, clock.now())
  view.notice()
  assert.equal(access.recall(secret, 'main'), undefined)
  await assert.rejects(access.authenticate(secret), { code: 'invalid_api_key', message: /was revoked/ })
})

test('a value that is read while the revision changes is not cached', async () => {
  const clock = createFakeClock()
  await using opened = await openTestStore(clock)
  const { accounts } = opened.store
  const { secret, key } = makeKey({ accountId: 'acme', name: 'k', source: 'admin' }, clock.now())
  await accounts.putKey(key)
  const view = viewOf(accounts)
  const slow = {
    ...view,
    keyBySha256: async (sha256: string) => {
      const found = await accounts.keyBySha256(sha256)
      // Simulates another node: it revokes the key after this node has read the key, and before the
      // read returns.
      if (found?.revokedAt === undefined) {
        await accounts.revokeKey(key.id, clock.now())
        view.notice()
      }
      return found
    },
  }
  const access = new Access(slow, clock)
  await access.authenticate(secret)
  await assert.rejects(access.authenticate(secret), { code: 'invalid_api_key', message: /was revoked/ })
})

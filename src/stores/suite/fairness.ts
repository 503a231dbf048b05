import assert from 'node:assert/strict'
import type { Claim, TaskStore } from '../../core/ports/store.ts'
import { type Check, claimOne, leaseMs, minute, newTask, startedAt, succeeded } from './samples.ts'

const now = startedAt + minute
const mark = { driver: 'acme', target: 'acme-eu', model: 'up-1', settings: { api_key: 'sk-secret' }, handle: { id: 'upstream-1' } }

/** Adds the cases for decision 0008: the order in which jobs of several accounts are claimed. */
export function fairnessCases(check: Check): void {
  turnCases(check)
  slotCases(check)
  placeCases(check)
}

function turnCases(check: Check): void {
  check(
    'with one slot, the first task of an account comes right after the running one, though another has a thousand waiting',
    async store => {
      await submitMany(store, 'crowd', 1000)
      const running = await claimOne(store, 'node-1', now)
      assert.equal(running.task.accountId, 'crowd')
      await submitMany(store, 'quiet', 1, now)
      assert.equal(await settleAndClaim(store, running), 'quiet')
    },
  )

  check('accounts with unequal backlogs get equal shares of 300 claims', async store => {
    await submitMany(store, 'large', 400)
    await submitMany(store, 'middle', 200, startedAt + 1)
    await submitMany(store, 'small', 120, startedAt + 2)
    const shares = countBy(await claimAndSettle(store, 300))
    assert.deepEqual([...shares.values()], [100, 100, 100])
  })

  check('an account that comes back after a pause gets its share and no burst', async store => {
    await submitMany(store, 'steady', 80)
    await submitMany(store, 'back', 5)
    await claimAndSettle(store, 40)
    await submitMany(store, 'back', 40, startedAt + 3)
    const turns = await claimAndSettle(store, 20)
    assert.equal(turns[0], 'back')
    for (let at = 1; at < turns.length; at += 1) assert.notEqual(turns[at], turns[at - 1], `claim ${at} goes to the other account`)
  })

  check('among forty busy accounts each is served once a round, and a newcomer in the round it comes in', async store => {
    for (let account = 0; account < 40; account += 1) await submitMany(store, `busy-${account}`, 3)
    assert.equal(new Set(await claimAndSettle(store, 40)).size, 40)
    await claimAndSettle(store, 7)
    await submitMany(store, 'newcomer', 2, startedAt + 5)
    assert.equal(new Set(await claimAndSettle(store, 41)).size, 41)
  })

  check('of accounts that were never served the one that waits longest comes first', async store => {
    await submitMany(store, 'late', 2, startedAt + 9)
    await submitMany(store, 'early', 2, startedAt + 1)
    await submitMany(store, 'between', 2, startedAt + 5)
    assert.deepEqual(await claimAndSettle(store, 3), ['early', 'between', 'late'])
  })
}

function slotCases(check: Check): void {
  check('with many slots the account that runs the fewest comes first', async store => {
    await submitMany(store, 'crowd', 50)
    await store.heartbeat('node-1', now, leaseMs)
    const held = await store.claim('studio', 'node-1', 6, now)
    await submitMany(store, 'quiet', 50)
    const accounts = (await store.claim('studio', 'node-1', 6, now)).map(claim => claim.task.accountId)
    assert.deepEqual(accounts, Array(6).fill('quiet'))
    const [first, second] = held
    assert.ok(first && second)
    await store.settle(first.task.id, first.token, succeeded())
    await store.settle(second.task.id, second.token, succeeded())
    const next = (await store.claim('studio', 'node-1', 2, now)).map(claim => claim.task.accountId)
    assert.deepEqual(next, ['crowd', 'crowd'])
  })

  check('of one account no more jobs are claimed than a node may run of it, and others are not kept out', async store => {
    await submitMany(store, 'crowd', 20)
    await store.heartbeat('node-1', now, leaseMs)
    const held = await store.claim('studio', 'node-1', 10, now, 2)
    assert.deepEqual(
      held.map(claim => claim.task.id),
      ['crowd-0', 'crowd-1'],
    )
    assert.deepEqual(await store.claim('studio', 'node-1', 8, now, 2), [])
    await submitMany(store, 'quiet', 5)
    const next = (await store.claim('studio', 'node-1', 8, now, 2)).map(claim => claim.task.accountId)
    assert.deepEqual(next, ['quiet', 'quiet'])
    const [first] = held
    assert.ok(first)
    await store.settle(first.task.id, first.token, succeeded())
    assert.deepEqual(
      (await store.claim('studio', 'node-1', 8, now, 2)).map(claim => claim.task.id),
      ['crowd-2'],
    )
    // The limit of jobs per account applies to each node separately, so another node can claim more
    // jobs.
    await store.heartbeat('node-2', now, leaseMs)
    assert.equal((await store.claim('studio', 'node-2', 8, now, 2)).length, 4)
  })

  check('names the queues that have jobs', async store => {
    assert.deepEqual(await store.queues(), [])
    await submitMany(store, 'a', 3)
    await store.submit(newTask('a-other', { accountId: 'a', queue: 'upstream' }))
    await claimOne(store, 'node-1', now)
    assert.deepEqual(await store.queues(), ['studio', 'upstream'])
  })

  check('one claim of many jobs takes them in turn', async store => {
    await submitMany(store, 'a', 10)
    await submitMany(store, 'b', 2)
    await submitMany(store, 'c', 10)
    await store.heartbeat('node-1', now, leaseMs)
    const accounts = (await store.claim('studio', 'node-1', 12, now)).map(claim => claim.task.accountId)
    assert.deepEqual(countBy(accounts), new Map(Object.entries({ a: 5, b: 2, c: 5 })))
    assert.equal(new Set(accounts.slice(0, 3)).size, 3)
    assert.equal((await store.claim('studio', 'node-1', 50, now)).length, 10)
  })

  check('what an account runs in one queue does not count in another', async store => {
    await submitMany(store, 'a', 4)
    await store.submit(newTask('a-other', { accountId: 'a', queue: 'upstream' }))
    await store.submit(newTask('b-other', { accountId: 'b', queue: 'upstream', createdAt: startedAt + 5 }))
    await store.heartbeat('node-1', now, leaseMs)
    await store.claim('studio', 'node-1', 4, now)
    const claims = await store.claim('upstream', 'node-1', 2, now)
    assert.deepEqual(
      claims.map(claim => claim.task.id),
      ['a-other', 'b-other'],
    )
  })
}

function placeCases(check: Check): void {
  check('within an account the oldest due job comes first, also a retry', async store => {
    await submitMany(store, 'a', 3)
    await submitMany(store, 'b', 3)
    const first = await claimOne(store, 'node-1', now)
    assert.equal(first.task.id, 'a-0')
    await store.reschedule('a-0', first.token, now + 50, 'busy', now)
    const ids = await claimIds(store, 4, now)
    assert.deepEqual(ids, ['b-0', 'a-1', 'b-1', 'a-2'])
    assert.deepEqual(await claimIds(store, 5, now + 49), ['b-2'])
    assert.deepEqual(await claimIds(store, 5, now + 50), ['a-0'])
  })

  check('jobs of a dead node keep their places within their account', async store => {
    await submitMany(store, 'a', 4)
    await submitMany(store, 'b', 4)
    await store.heartbeat('node-1', now, leaseMs)
    const before = (await store.claim('studio', 'node-1', 4, now)).map(claim => claim.task.id)
    await store.requeueDead(now + leaseMs)
    const ids = await claimIds(store, 8, now + leaseMs)
    for (const account of ['a', 'b']) {
      assert.deepEqual(
        ids.filter(id => id.startsWith(account)),
        [0, 1, 2, 3].map(index => `${account}-${index}`),
      )
    }
    assert.deepEqual(new Set(ids.slice(0, 4)), new Set(before))
  })

  check('a job that was started is looked at before all that wait, whatever its account runs', async store => {
    await submitMany(store, 'a', 3)
    const held = await claimOne(store, 'node-1', now)
    await store.sent(held.task.id, held.token, mark, now)
    await store.reschedule(held.task.id, held.token, now + 20, 'look later', now)
    await claimIds(store, 1, now)
    await submitMany(store, 'b', 30)
    const [next] = await claimIds(store, 1, now + 20)
    assert.equal(next, held.task.id)
  })

  check('so is one of unknown fate, and one that is to be stopped', async store => {
    await submitMany(store, 'a', 3)
    await store.heartbeat('node-1', now, leaseMs)
    const [lost, stopped] = await store.claim('studio', 'node-1', 2, now)
    assert.ok(lost && stopped)
    await store.markUnknown(lost.task.id, lost.token, now + 2, 'no answer', now)
    await store.cancel(stopped.task.id, now)
    await store.reschedule(stopped.task.id, stopped.token, now + 1, 'let go', now)
    await submitMany(store, 'b', 3)
    assert.deepEqual(await claimIds(store, 2, now + 5), [stopped.task.id, lost.task.id])
  })

  check('a parked job takes part once its key has room', async store => {
    const limited = { accountId: 'a', keyId: 'key-a', concurrencyLimit: 1 }
    await store.submit(newTask('a-0', limited))
    await store.submit(newTask('a-1', { ...limited, createdAt: startedAt + 1 }))
    await submitMany(store, 'b', 3)
    const first = await claimOne(store, 'node-1', now)
    assert.equal(first.task.id, 'a-0')
    assert.deepEqual(await claimIds(store, 1, now), ['b-0'])
    await store.settle('a-0', first.token, succeeded())
    assert.deepEqual(await claimIds(store, 2, now), ['a-1', 'b-1'])
  })
}

async function submitMany(store: TaskStore, accountId: string, count: number, createdAt = startedAt): Promise<void> {
  const earlier = await store.list({ accountId, limit: 200 })
  const ids = Array.from({ length: count }, (_, index) => `${accountId}-${index + earlier.length}`)
  await Promise.all(
    ids.map((id, index) => store.submit(newTask(id, { accountId, keyId: `key-${accountId}`, createdAt: createdAt + index }))),
  )
}

/** Settles the claim and returns the account of the next one. */
async function settleAndClaim(store: TaskStore, claim: Claim): Promise<string> {
  await store.settle(claim.task.id, claim.token, succeeded())
  return (await claimOne(store, 'node-1', now)).task.accountId
}

/** Claims a job and settles it, `count` times. Returns the account of each claimed job, in the
 *  order of the claims. */
async function claimAndSettle(store: TaskStore, count: number): Promise<string[]> {
  const accounts: string[] = []
  while (accounts.length < count) {
    const claim = await claimOne(store, 'node-1', now)
    accounts.push(claim.task.accountId)
    await store.settle(claim.task.id, claim.token, succeeded())
  }
  return accounts
}

async function claimIds(store: TaskStore, limit: number, at: number): Promise<string[]> {
  await store.heartbeat('node-2', at, leaseMs)
  return (await store.claim('studio', 'node-2', limit, at)).map(claim => claim.task.id)
}

function countBy(accounts: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const account of accounts) counts.set(account, (counts.get(account) ?? 0) + 1)
  return counts
}

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { openSqliteStore } from '../../stores/sqlite/open.ts'
import { newTask, startedAt } from '../../stores/suite/samples.ts'
import type { Claim } from '../ports/store.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'

test('a task that kills the program waits longer after each run, and fails after five runs', async context => {
  const { waits, failure } = await claimsOf(context, ['lost', 'lost', 'lost', 'lost', 'lost'])
  assert.deepEqual(waits, [0, 1, 4, 16, 64, 256])
  assert.deepEqual(failure, {
    code: 'internal_error',
    message: 'The gateway ended 5 times while it ran this task, perhaps for want of memory; it is not tried again.',
  })
})

test('a task that was refused often, and whose process died once, is tried again', async context => {
  const { failure } = await claimsOf(context, ['refused', 'refused', 'refused', 'refused', 'refused', 'refused', 'lost'])
  assert.equal(failure.message, 'It would run now.')
})

/** Claims the task once for each entry of `ends`, and ends each of these runs as the entry says.
 *  Then claims the task once more and runs it. Returns the wait before each claim in seconds, and
 *  the error of the last run. */
async function claimsOf(context: TestContext, ends: ('lost' | 'refused')[]) {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-lost-'))
  let now = startedAt
  const open = () => openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7), clock: { now: () => now } })
  let store = await open()
  context.after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  await store.submit(newTask('task-1', { deadlineAt: startedAt + 3_600_000 }))
  const waits: number[] = []
  const claim = async (): Promise<Claim> => {
    await store.heartbeat('node-1', now, 3_600_000)
    for (const from = now; ; now += 500) {
      const [claim] = await store.claim('studio', 'node-1', 1, now)
      if (claim) waits.push((now - from) / 1000)
      if (claim) return claim
    }
  }
  for (const end of ends) {
    const { token } = await claim()
    if (end === 'refused') await store.reschedule('task-1', token, now, 'The service is busy.', now)
    else {
      // The store is closed and the job is not released, so the job still belongs to its node.
      await store.close()
      store = await open()
    }
  }
  const last = await claim()
  const blobs = { scratch: () => Promise.reject(new GatewayError('internal_error', 'It would run now.')) }
  const deps = { store, blobs, drivers: new Map() } as unknown as Parameters<typeof runClaim>[0]
  const failure = await runClaim(deps, last, fateOf(last), new AbortController().signal).catch(error => error)
  return { waits, failure: { code: failure.code, message: failure.message } }
}

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqliteStore } from '../../stores/sqlite/open.ts'
import { newTask, startedAt } from '../../stores/suite/samples.ts'
import type { Claim } from '../ports/store.ts'
import { runClaim } from './run-claim.ts'
import { fateOf } from './run-fate.ts'

test('a task that the program does not survive waits longer and longer, and fails after five runs', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-lost-'))
  const secretKey = Buffer.alloc(32, 7)
  let now = startedAt
  const waits: number[] = []
  let claim: Claim | undefined
  try {
    for (let run = 0; run < 6; run++) {
      const store = await openSqliteStore({ directory, secretKey, clock: { now: () => now } })
      if (run === 0) await store.submit(newTask('task-1'))
      await store.heartbeat(`node-${run}`, now, 3_600_000)
      const from = now
      for (claim = undefined; claim === undefined; now += 500) [claim] = await store.claim('studio', `node-${run}`, 1, now)
      now -= 500
      waits.push((now - from) / 1000)
      // The store is closed and the job is not released, so the job still belongs to its node.
      await store.close()
    }
    assert.deepEqual(waits, [0, 1, 4, 16, 64, 256])
    assert.ok(claim)
    const deps = { drivers: new Map() } as unknown as Parameters<typeof runClaim>[0]
    await assert.rejects(runClaim(deps, claim, fateOf(claim), new AbortController().signal), {
      code: 'internal_error',
      message: 'The gateway ended 5 times while it ran this task, perhaps for want of memory; it is not tried again.',
    })
  } finally {
    await rm(directory, { recursive: true })
  }
})

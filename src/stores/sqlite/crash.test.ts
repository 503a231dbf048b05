import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { claimOne, minute, newTask, queueCounts, startedAt } from '../suite-samples.ts'
import { openSqliteStore } from './open.ts'
import { readOwner } from './owner.ts'

const child = fileURLToPath(new URL('./testing/submit-loop.ts', import.meta.url))
const secretKey = Buffer.alloc(32, 7)

test('every acknowledged submit is there after kill -9, several times over', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-crash-'))
  try {
    const acknowledged: string[] = []
    // Different points of the log's life: right after opening, and past the first checkpoints.
    for (const [round, acknowledgements] of [1, 700, 40, 4000].entries()) {
      acknowledged.push(...(await submitUntilKilled(directory, `round-${round}`, acknowledgements)))
      assert.equal(readOwner(directory), undefined)
    }
    const store = await openSqliteStore({ directory, secretKey })
    const found = await Promise.all(acknowledged.map(id => store.get(id)))
    assert.equal(found.filter(task => task === undefined).length, 0)
    assert.ok((await queueCounts(store)).ready >= acknowledged.length)
    const histories = await Promise.all(acknowledged.map(id => store.events(id, 0)))
    assert.ok(histories.every(events => events.length === 1))
    await store.close()
    assertIntact(join(directory, 'gateway.db'))
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('jobs and deliveries held at a stop without release are ready at the next start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-crash-'))
  try {
    const clock = { now: () => startedAt + minute }
    const first = await openSqliteStore({ directory, secretKey, clock })
    for (const id of ['task-1', 'task-2']) await first.submit(newTask(id, { webhook: { url: 'https://hooks.test' } }))
    await first.cancel('task-2', startedAt)
    await claimOne(first)
    await first.outbox.claim('node-1', 1, startedAt)
    await first.close()

    const second = await openSqliteStore({ directory, secretKey, clock })
    assert.deepEqual(await queueCounts(second), { ready: 1, leased: 0, parked: 0 })
    assert.deepEqual(
      (await second.events('task-1', 2)).map(event => [event.type, event.at]),
      [['task.retrying', startedAt + minute]],
    )
    await second.heartbeat('node-2', startedAt, minute)
    assert.equal((await second.claim('studio', 'node-2', 1, startedAt)).length, 1)
    assert.equal((await second.outbox.claim('node-2', 1, startedAt)).length, 1)
    await second.close()
  } finally {
    await rm(directory, { recursive: true })
  }
})

/** Runs the child until it has acknowledged this many submits and kills it. Returns every id it had acknowledged by then. */
async function submitUntilKilled(directory: string, prefix: string, acknowledgements: number): Promise<string[]> {
  const running = spawn(process.execPath, [child, directory, prefix], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(running, 'close')
  const ids: string[] = []
  for await (const id of createInterface({ input: running.stdout })) {
    ids.push(id)
    if (ids.length === acknowledgements) running.kill('SIGKILL')
  }
  await closed
  assert.equal(running.signalCode, 'SIGKILL')
  assert.ok(ids.length >= acknowledgements)
  return ids
}

function assertIntact(file: string): void {
  const database = new DatabaseSync(file)
  assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
  database.close()
}

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
import { claimOne, minute, newTask, queueCounts, startedAt } from '../suite/samples.ts'
import { openSqliteStore } from './open.ts'
import { readOwner } from './owner.ts'

const submitLoop = fileURLToPath(new URL('./testing/submit-loop.ts', import.meta.url))
const recordLoop = fileURLToPath(new URL('./testing/record-loop.ts', import.meta.url))
const secretKey = Buffer.alloc(32, 7)

test('every acknowledged submit exists after kill -9, several times in a row', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-crash-'))
  try {
    const acknowledged: string[] = []
    // The process is killed at different stages of the write-ahead log: right after the database
    // was opened, and after the first checkpoints.
    for (const [round, acknowledgements] of [1, 700, 40, 4000].entries()) {
      acknowledged.push(...(await runUntilKilled([submitLoop, directory, `round-${round}`], acknowledgements)))
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

test('every acknowledged record of a call exists after kill -9, batches are complete, and totals agree with the rows', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-crash-'))
  try {
    const acknowledged: string[] = []
    for (const [round, batches] of [1, 300, 40].entries()) {
      acknowledged.push(...(await runUntilKilled([recordLoop, directory, `round-${round}`], batches)))
    }
    const store = await openSqliteStore({ directory, secretKey })
    const totals = await store.usage({ from: startedAt, to: startedAt + 1 })
    await store.close()
    const file = join(directory, 'gateway.db')
    const found = batchSizes(file)
    for (const batch of acknowledged) assert.ok(found.has(batch), batch)
    // A batch in progress when the process was killed is stored completely or not at all.
    for (const [batch, size] of found) assert.equal(`${size}`, batch.split('-').at(-1), batch)
    assert.deepEqual(Object.fromEntries(totals.map(total => [`${total.model} ${total.unit}`, total.units])), sumsOfRows(file))
    assertIntact(file)
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('jobs and deliveries that were held at a stop are ready at the next start, the jobs a second later', async () => {
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
    await second.heartbeat('node-2', startedAt, 3 * minute)
    assert.equal((await second.claim('studio', 'node-2', 1, startedAt + minute + 999)).length, 0)
    const [claim] = await second.claim('studio', 'node-2', 1, startedAt + minute + 1000)
    assert.deepEqual([claim?.attempt, claim?.wasLost], [2, true])
    assert.equal((await second.outbox.claim('node-2', 1, startedAt)).length, 1)
    await second.close()
  } finally {
    await rm(directory, { recursive: true })
  }
})

/** Runs the child until it has acknowledged this many writes and kills it. Returns every line
 *  that acknowledged a write until then. */
async function runUntilKilled(command: string[], acknowledgements: number): Promise<string[]> {
  const running = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(running, 'close')
  const lines: string[] = []
  for await (const line of createInterface({ input: running.stdout })) {
    lines.push(line)
    if (lines.length === acknowledgements) running.kill('SIGKILL')
  }
  await closed
  assert.equal(running.signalCode, 'SIGKILL')
  assert.ok(lines.length >= acknowledgements)
  return lines
}

/** Counts the records of each batch in the database. */
function batchSizes(file: string): Map<string, number> {
  const database = new DatabaseSync(file, { readOnly: true })
  const sizes = new Map<string, number>()
  for (const { request_id: id } of database.prepare('SELECT request_id FROM calls').iterate()) {
    const batch = String(id).split('/')[0] ?? ''
    sizes.set(batch, (sizes.get(batch) ?? 0) + 1)
  }
  database.close()
  return sizes
}

/** Computes the totals from the rows. */
function sumsOfRows(file: string): Record<string, number> {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare(
      `SELECT model, count(*) AS requests, sum(units ->> '$[1]') AS input_tokens, sum(units ->> '$[4]') AS output_tokens
       FROM calls JOIN call_sources ON call_sources.id = source_id GROUP BY model`,
    )
    .all()
  database.close()
  return Object.fromEntries(
    rows.flatMap(({ model, ...sums }) => Object.entries(sums).map(([unit, sum]) => [`${model} ${unit}`, Number(sum)])),
  )
}

function assertIntact(file: string): void {
  const database = new DatabaseSync(file)
  assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
  database.close()
}

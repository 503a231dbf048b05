/** Tests that lists and reports read few rows at a time: SQLite answers on the main thread, so
 *  that a long statement of one caller delays all others. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TaskFilter } from '../../core/ports/store.ts'
import type { SqlStore } from '../sql/store.ts'
import { claimOne, day, newTask, startedAt, succeeded } from '../suite/samples.ts'
import { databaseName } from './database.ts'
import { openSqliteStore } from './open.ts'

const rows = 30_000
const counted = `WITH RECURSIVE made (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM made WHERE number < ${rows})`

let directory: string
let store: SqlStore

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-store-'))
  store = await openSqliteStore({ directory, secretKey: Buffer.alloc(32, 7), clock: { now: () => startedAt } })
  using database = new DatabaseSync(join(directory, databaseName))
  const columns =
    'id, account_id, key_id, endpoint, family, capability, model, state, request, public_url, created_at, deadline_at, expires_at'
  for (const account of ['large', 'larger'])
    database.exec(
      `INSERT INTO tasks (${columns}) ${counted}
       SELECT '${account}-' || number, '${account}', 'k', 'e', 'F1', 'image.generate', 'm', 'succeeded', '{}', 'u', 1, 2, ${startedAt} FROM made`,
    )
  database.exec(
    `INSERT INTO responses (id, account_id, endpoint, model, content, created_at, expires_at, deleted, kind, metadata) ${counted}
     SELECT 'c-' || number, 'large', 'default', 'm', '{}', 1, ${startedAt + day}, 0, 'completion', '{"team":"blue"}' FROM made`,
  )
  // Rows of 50 days, each with 600 keys.
  database.exec(
    `INSERT INTO usage_days (day, account_id, key_id, model, unit, units, cost_micros) ${counted}
     SELECT date('2026-01-01', (number % 50) || ' days'), 'large', 'key-' || number, 'm', 'images', 1, 0 FROM made`,
  )
})

after(async () => {
  await store?.close()
  await rm(directory, { recursive: true })
})

test('a list of an account by state or family reads no tasks of other accounts', async () => {
  await store.submit(newTask('task-1'))
  await store.submit(newTask('task-2', { family: 'F2' }))
  for (const _ of [1, 2]) {
    const { task, token } = await claimOne(store)
    await store.settle(task.id, token, succeeded())
  }
  const scopes = { endpoints: [], families: ['F2'], models: [] }
  const expected: [Partial<TaskFilter>, string[]][] = [
    [{ state: 'succeeded' }, ['task-2', 'task-1']],
    [{ family: 'F1' }, ['task-1']],
    [{ family: 'F1', state: 'succeeded', oldestFirst: true }, ['task-1']],
    [{ state: 'queued' }, []],
    [{ model: 'none' }, []],
    [{ scopes }, ['task-2']],
  ]
  for (const [filter, ids] of expected) {
    const list = async () => (await store.list({ accountId: 'account-1', limit: 20, ...filter })).map(({ id }) => id)
    const title = JSON.stringify(filter)
    assert.deepEqual(await list(), ids, title)
    const ms = await leastMs(list)
    assert.ok(ms < 15, `${title} takes ${ms} ms`)
  }
})

test('other callers are served while a list searches the many tasks or completions of its account', async () => {
  const owner = { accountId: 'large', endpoint: 'default' }
  const searches: [string, () => Promise<unknown>][] = [
    ['model', () => store.list({ accountId: 'large', model: 'none', limit: 20 })],
    ['scopes', () => store.list({ accountId: 'large', scopes: { endpoints: ['none'], families: [], models: [] }, limit: 20 })],
    ['metadata', () => store.responses.completions(owner, { order: 'asc', metadata: { team: 'none' }, limit: 20 }, startedAt)],
  ]
  for (const [title, search] of searches) {
    const { result, turns } = await withTurns(search)
    assert.deepEqual(result, [], title)
    assert.ok(turns > 30, `${title}: ${turns} turns`)
  }
})

test('the usage of one key is found without reading that of others, and that of all keys is read in steps', async () => {
  const ever = { from: 0, to: Date.UTC(9999, 0) }
  const ofKey = await store.usage({ accountId: 'large', keyId: 'key-7', ...ever })
  assert.deepEqual(
    ofKey.map(total => total.day),
    ['2026-01-08'],
  )
  const { result, turns } = await withTurns(() => store.usage(ever))
  assert.equal(result.length, rows)
  assert.ok(turns >= 7, `${turns} turns`)
  const days = result.map(total => total.day)
  assert.deepEqual(days, days.toSorted())
})

/** Returns the shortest duration, in milliseconds, of five runs. The longer ones may include pauses
 *  of the machine. */
async function leastMs(work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = []
  for (let run = 0; run < 5; run++) {
    const began = performance.now()
    await work()
    durations.push(performance.now() - began)
  }
  return Math.min(...durations)
}

/** Returns the result, and the number of turns of the event loop that passed meanwhile. */
async function withTurns<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns++) await nextTurn()
  })()
  const result = await work().finally(() => {
    isOver = true
  })
  await counting
  return { result, turns }
}

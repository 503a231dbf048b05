import pg from 'pg'
import { openPostgresStore } from '../../src/stores/postgres/open.ts'
import { startPostgres } from '../../src/stores/postgres/testing/server.ts'
import { median } from '../measure.ts'
import { print } from '../report.ts'
import type { Figure } from '../scenarios.ts'
import type { ScaleOptions } from './bench.ts'
import { claim, register, settle, startedAt, submit, taskMaker } from './load.ts'

const secretKey = Buffer.alloc(32, 7)
const claimsPerRound = 60

/** Claims of 16 jobs where many wait and many tasks have ended, beside those of an empty database on
 *  the same server. The disk's flush is off, so that the search for the jobs is what differs. */
export async function claimFigures({ version, rounds, waitingJobs, finishedTasks }: ScaleOptions): Promise<Figure[]> {
  const server = await startPostgres({ version })
  try {
    const urls = { small: await server.database('small'), large: await server.database('large') }
    const small = await openPostgresStore({ url: urls.small, secretKey })
    const large = await openPostgresStore({ url: urls.large, secretKey })
    await fill(urls.large, waitingJobs, finishedTasks)
    const times = { small: [] as number[], large: [] as number[] }
    const make = { small: taskMaker('new', 'plain'), large: taskMaker('new', 'plain') }
    for (const store of [small, large]) await register(store)
    for (let round = -1; round < rounds; round++)
      for (let count = 0; count < claimsPerRound; count++)
        for (const [name, store] of Object.entries({ small, large }) as ['small' | 'large', typeof small][]) {
          await submit(store, 16, make[name])
          const begun = performance.now()
          const claims = await claim(store)
          // The first round warms up.
          if (round >= 0) times[name].push(performance.now() - begun)
          await settle(store, claims)
        }
    await small.close()
    await large.close()
    const ms = [times.large, times.small].map(all => median(all).toFixed(2)).join(' and ')
    return [
      {
        name: `claim 16 of ${waitingJobs} jobs, ${finishedTasks} tasks ended / of 16 jobs`,
        value: median(times.large) / median(times.small),
        unit: 'x',
        goal: { bound: 'at most', value: 1.3 },
        note: `${ms} ms`,
      },
    ]
  } finally {
    await server.stop()
  }
}

const taskColumns = `id, account_id, key_id, endpoint, family, capability, model, state, request, result, public_url, created_at, started_at,
  finished_at, deadline_at, expires_at`
const facts = `'default', 'F1', 'image.generate', 'model-1'`
const rest = `'http://gateway.test', ${startedAt}`
const rowsAtOnce = 500_000

/** Writes finished tasks, and waiting jobs of 20 accounts. */
async function fill(url: string, waitingJobs: number, finishedTasks: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const begun = performance.now()
  const account = `'account-' || i % 20, 'key-' || i % 20`
  const ends = `${startedAt + 1e9}, ${startedAt + 2e9}`
  const inParts = async (count: number, sql: (rows: string) => string) => {
    for (let from = 1; from <= count; from += rowsAtOnce)
      await client.query(sql(`generate_series(${from}, ${Math.min(count, from + rowsAtOnce - 1)}) AS i`))
  }
  await inParts(
    finishedTasks,
    rows => `INSERT INTO tasks (${taskColumns}) SELECT 'ended-' || lpad(i::text, 9, '0'), ${account}, ${facts}, 'succeeded',
      '{"prompt":"a fox under a cherry tree","width":1024}', '{"seed":7}', ${rest}, ${startedAt}, ${startedAt}, ${ends} FROM ${rows}`,
  )
  await inParts(
    waitingJobs,
    rows => `INSERT INTO tasks (${taskColumns}) SELECT 'job-' || lpad(i::text, 9, '0'), ${account}, ${facts}, 'queued',
      '{"prompt":"a fox under a cherry tree","width":1024}', NULL, ${rest}, NULL, NULL, ${ends} FROM ${rows}`,
  )
  await inParts(
    waitingJobs,
    rows => `INSERT INTO jobs (task_id, queue, account_id, key_id, state, run_at, deadline_at)
      SELECT 'job-' || lpad(i::text, 9, '0'), 'studio', ${account}, 'ready', ${startedAt} + i / 1000, ${startedAt + 1e9} FROM ${rows}`,
  )
  await client.query('ANALYZE')
  await client.end()
  print(`the large table was filled in ${Math.round((performance.now() - begun) / 1000)} s`)
}

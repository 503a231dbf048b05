import pg from 'pg'
import { openPostgresStore } from '../../src/stores/postgres/open.ts'
import { startPostgres } from '../../src/stores/postgres/testing/server.ts'
import type { SqlStore } from '../../src/stores/sql/store.ts'
import { median } from '../measure.ts'
import { print } from '../report.ts'
import type { Figure } from '../scenarios.ts'
import type { ScaleOptions } from './bench.ts'
import { claim, register, secretKey, settle, startedAt, submit, taskMaker } from './load.ts'

const claimsPerRound = 60

/** Measures the time of a claim of 16 jobs in two databases on the same server: one with many
 *  waiting jobs and finished tasks, and one that is nearly empty. The server does not flush to
 *  disk, so a difference can only come from the search for the jobs. */
export async function claimFigures({ version, rounds, waitingJobs, finishedTasks }: ScaleOptions): Promise<Figure[]> {
  const server = await startPostgres({ version })
  try {
    const urls = { small: await server.database('small'), large: await server.database('large') }
    const small = await openPostgresStore({ url: urls.small, secretKey })
    const large = await openPostgresStore({ url: urls.large, secretKey })
    await fill(urls.large, waitingJobs, finishedTasks)
    for (const store of [small, large]) await register(store)
    const figures: Figure[] = []
    for (const accounts of [1, manyAccounts]) {
      const [ofLarge, ofSmall] = await claimTimes([large, small], accounts, rounds)
      figures.push({
        name: `claim of ${waitingJobs} jobs of ${accounts} accounts, ${finishedTasks} tasks / of few`,
        value: median(ofLarge) / median(ofSmall),
        unit: 'x',
        goal: { bound: 'at most', value: 1.3 },
        note: `${median(ofLarge).toFixed(2)} and ${median(ofSmall).toFixed(2)} ms for 16 jobs`,
      })
    }
    await small.close()
    await large.close()
    return figures
  } finally {
    await server.stop()
  }
}

/** Returns the times in ms of the claims in two stores, which are measured in turn. */
async function claimTimes(stores: readonly [SqlStore, SqlStore], accounts: number, rounds: number): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  const makers = stores.map(() => taskMaker(`new-${accounts}`, 'plain'))
  const queue = queueOf(accounts)
  for (let round = -1; round < rounds; round++)
    for (let count = 0; count < claimsPerRound; count++)
      for (const [index, store] of stores.entries()) {
        const make = makers[index]
        let job = 0
        if (make) await submit(store, manyAccounts, () => ({ ...make(), queue, accountId: `account-${job++ % accounts}` }))
        const begun = performance.now()
        const claims = await claim(store, { queue })
        // The first round only warms up.
        if (round >= 0) times[index]?.push(performance.now() - begun)
        await settle(store, claims)
      }
  return times
}

const manyAccounts = 20

function queueOf(accounts: number): string {
  return `accounts-${accounts}`
}

const taskColumns = `id, account_id, key_id, endpoint, family, capability, model, state, request, result, public_url, created_at, started_at,
  finished_at, deadline_at, expires_at`
const facts = `'default', 'F1', 'image.generate', 'model-1'`
const rest = `'http://gateway.test', ${startedAt}`
const rowsAtOnce = 500_000

/** Fills the database with finished tasks and waiting jobs. Half of the waiting jobs belong to
 *  one account, the other half to many accounts. */
async function fill(url: string, waitingJobs: number, finishedTasks: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const begun = performance.now()
  // Rows with odd numbers belong to the one account.
  const account = `'account-' || (CASE i % 2 WHEN 1 THEN 0 ELSE i / 2 % ${manyAccounts} END), 'key-1'`
  const queue = `(CASE i % 2 WHEN 1 THEN '${queueOf(1)}' ELSE '${queueOf(manyAccounts)}' END)`
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
      SELECT 'job-' || lpad(i::text, 9, '0'), ${queue}, ${account}, 'ready', ${startedAt} + i / 1000, ${startedAt + 1e9} FROM ${rows}`,
  )
  await client.query('ANALYZE')
  await client.end()
  print(`the large table was filled in ${Math.round((performance.now() - begun) / 1000)} s`)
}

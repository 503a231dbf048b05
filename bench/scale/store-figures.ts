import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '../../src/stores/postgres/open.ts'
import { startPostgres } from '../../src/stores/postgres/testing/server.ts'
import type { SqlStore } from '../../src/stores/sql/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open.ts'
import { median } from '../measure.ts'
import type { Figure } from '../scenarios.ts'
import type { ScaleOptions } from './bench.ts'
import { claimAndSettle, rateOf, register, type Shape, secretKey, submit, taskMaker } from './load.ts'
import { countRoundTrips, type RoundTrips, roundTripsOf } from './round-trips.ts'

const submits = 6_400
const settlements = 3_200

interface Stores {
  sqlite: SqlStore
  postgres: SqlStore
}

/** Measures submits, and claims of 16 jobs with their settlements, on SQLite and on PostgreSQL
 *  in turn. First both flush to disk at each commit, then neither does. */
export async function storeFigures(options: ScaleOptions): Promise<Figure[]> {
  countRoundTrips()
  const figures: Figure[] = []
  for (const isDurable of [true, false]) {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-scale-'))
    const server = await startPostgres({ version: options.version, isDurable })
    const stores: Stores = {
      sqlite: await openSqliteStore({ directory: folder, secretKey, synchronous: isDurable ? 'FULL' : 'OFF' }),
      postgres: await openPostgresStore({ url: server.url, secretKey }),
    }
    for (const store of Object.values(stores)) await register(store)
    for (const shape of ['plain', 'limited'] as const) figures.push(...(await compared(stores, shape, isDurable, options.rounds)))
    for (const store of Object.values(stores)) await store.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
  return figures
}

interface Rates {
  sqlite: number[]
  postgres: number[]
}

async function compared(stores: Stores, shape: Shape, isDurable: boolean, rounds: number): Promise<Figure[]> {
  const make = { sqlite: taskMaker(`${shape}-s`, shape), postgres: taskMaker(`${shape}-p`, shape) }
  const rates = { submit: { sqlite: [], postgres: [] } as Rates, settle: { sqlite: [], postgres: [] } as Rates }
  const names = ['sqlite', 'postgres'] as const
  for (const name of names) {
    await submit(stores[name], 640, make[name])
    await claimAndSettle(stores[name], 320)
  }
  let trips = { submit: { statements: 0, trips: 0 }, settle: { statements: 0, trips: 0 } }
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const store = stores[name]
      const submitted = await roundTripsOf(async () => {
        rates.submit[name].push(await rateOf(submits, () => submit(store, submits, make[name])))
      })
      const settled = await roundTripsOf(async () => {
        rates.settle[name].push(await rateOf(settlements, () => claimAndSettle(store, settlements)))
      })
      if (name === 'postgres') trips = { submit: submitted, settle: settled }
    }
  }
  const title = (work: string) => `${work}, ${shape}, ${isDurable ? 'flushed' : 'not flushed'}: PostgreSQL / SQLite`
  return [
    figure(title('64 submits at once'), rates.submit, isDurable ? 0.6 : undefined, perBatch(trips.submit, submits / 64, '64 submits')),
    figure(
      title('claim 16, settle 16'),
      rates.settle,
      isDurable ? 0.5 : undefined,
      perBatch(trips.settle, settlements / 16, 'claim and settlement of 16'),
    ),
  ]
}

/** Returns a figure. There is no goal for stores that do not flush to disk, because nobody runs
 *  a gateway on them. */
function figure(name: string, { sqlite, postgres }: Rates, goal: number | undefined, tripsText: string): Figure {
  const ratios = postgres.map((rate, round) => rate / (sqlite[round] ?? 1))
  const rates = `${Math.round(median(postgres))} and ${Math.round(median(sqlite))} tasks/s`
  const note = `${rates}; ${tripsText}`
  return { name, value: median(ratios), unit: 'x', ...(goal === undefined ? {} : { goal: { bound: 'at least', value: goal } }), note }
}

function perBatch({ statements, trips }: RoundTrips, batches: number, name: string): string {
  return `${(trips / batches).toFixed(1)} round trips and ${(statements / batches).toFixed(0)} statements for ${name}`
}

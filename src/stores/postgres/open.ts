import { randomUUID } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'
import type { QueryConfig, QueryResult } from 'pg'
import type { Clock, StoreSignal } from '../../core/ports/store.ts'
import { Listeners } from '../listeners.ts'
import { loadMigrations } from '../sql/migrations.ts'
import { createSealBox, type SecretKeys } from '../sql/seal.ts'
import { checkSecretKey } from '../sql/secret-key/check-words.ts'
import { SqlStore } from '../sql/store.ts'
import { number, text } from '../sql/values.ts'
import { CommitNotices } from './commit-notices.ts'
import { PostgresConnection } from './connection.ts'
import { DatabaseClock, type NodeClocks } from './database-clock.ts'
import { faultKind, isPostgresFault, unavailable } from './faults.ts'
import { PostgresLink } from './link.ts'
import { migrate, migrationsFolder } from './migrations.ts'
import { prepareSendNotice } from './notices.ts'
import { Outage } from './outage.ts'
import { assertPrepared } from './pooler.ts'
import { PostgresRates } from './rates.ts'
import { PostgresSignals } from './signals.ts'
import { startFault } from './start-fault.ts'
import { migrationTimes, type PostgresTimes, startTimes, usualTimes } from './times.ts'
import { connectForTool } from './tool-client.ts'
import { checkedUrl } from './url.ts'
import { anything, Watch } from './watch.ts'
import { whileOthersWait } from './while-others-wait.ts'
import { PostgresWriter, writerSetUp } from './writer.ts'

/** The secret keys must be those of the other nodes. */
export interface PostgresStoreOptions extends SecretKeys {
  /** `postgres://user:password@host:port/database`, with TLS options as parameters. */
  url: string
  /** Name of the node in the server's list of sessions. */
  nodeName?: string
  /** Clock of the store, for tests; the database's clock when absent. */
  clock?: Clock
  /** Shorter limits, for tests. */
  times?: Partial<PostgresTimes>
  /** The node's own clocks, with which it continues the database's clock between two
   *  measurements. Set by tests. */
  nodeClocks?: NodeClocks
}

/** Opens the store on PostgreSQL 15 or later, and brings its schema up to date. Throws
 *  `store_unavailable` with the reason when the database cannot be used, when its schema is too
 *  new for the program, or when the secret key is not the one with which the store was created. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore> {
  try {
    return await openParts({ ...options, url: checkedUrl(options.url) })
  } catch (error) {
    throw startFault(error, options.url)
  }
}

async function openParts(options: PostgresStoreOptions): Promise<SqlStore> {
  const { url, nodeName = 'gateway' } = options
  const times = { ...usualTimes, ...options.times }
  const box = createSealBox(options)
  const session = randomUUID()
  const listeners = new Listeners<StoreSignal>()
  const writing = new PostgresLink({ url, times, name: `${nodeName} writes`, setUp: writerSetUp })
  const reading = new PostgresLink({ url, times, name: `${nodeName} reads` })
  const rates = new PostgresRates({ url, times, nodeName })
  const outage = new Outage([writing, reading, rates])
  const connection = new PostgresConnection(query => read(reading, query, outage))
  const { clock = new DatabaseClock(prepareReadTime(connection), options.nodeClocks) } = options
  const databaseClock = clock instanceof DatabaseClock ? clock : undefined
  const sendNotice = prepareSendNotice(session, connection)
  const signals = new PostgresSignals(sendNotice)
  const notices = new CommitNotices(sendNotice)
  const watch = new Watch({
    ...{ url, times, nodeName, session, connection, outage, clock: databaseClock },
    askElsewhere: () => reading.send(anything),
    announce: listeners.publish,
    onNews: news => signals.hear(news),
  })
  const writer = new PostgresWriter(writing, {
    session,
    outage,
    doubtMs: times.doubtMs,
    clock: databaseClock,
    now: () => clock.now(),
    onCommit: (...published) => {
      listeners.publish(...published)
      notices.add(published)
    },
    onChange: count => {
      watch.changedHere(count)
      notices.addChange()
    },
  })
  const close = async () => {
    await writer.close()
    await notices.close()
    await watch.close()
    await Promise.all([writing.close(), reading.close(), rates.close()])
  }
  try {
    const schema = await migrateFirst(url, `${nodeName} migrates`, times)
    await prepareWriting(writing, reading)
    await databaseClock?.measure()
    await checkSecretKey({ connection, writer, box, kind: 'postgresql' })
    await watch.start()
    const about = { kind: 'postgresql' as const, schema, version: await serverVersion(connection) }
    const parts = { about, connection, writer, box, session, listeners, clock, signals, rates, otherNodes: watch }
    const starting = { url, times: startTimes, name: `${nodeName} starts` }
    const exclusively = <Result>(work: () => Promise<Result>) => whileOthersWait(starting, work)
    return new SqlStore({ ...parts, exclusively, cachesTasks: false, isFault: isStoreFault, close })
  } catch (error) {
    await close()
    throw error
  }
}

/** Migrates the schema. Returns its version, or the newest version that this program knows when
 *  the schema is newer. */
async function migrateFirst(url: string, name: string, { connectMs, patienceMs }: PostgresTimes): Promise<number> {
  const client = await connectForTool(url, name, { ...migrationTimes, connectMs, patienceMs })
  try {
    const migrations = loadMigrations(migrationsFolder)
    return Math.min((await migrate(client, migrations)).to, migrations.length)
  } finally {
    await client.end()
  }
}

async function prepareWriting(writing: PostgresLink, reading: PostgresLink): Promise<void> {
  const client = await writing.client()
  await assertPrepared(client, await reading.client())
  await client.query(forgetWriters)
}

/** Deletes the rows of sessions (each opening of the store is one) that have written nothing for
 *  a week. Such sessions have ended, because a node that is alive writes heartbeats. */
const forgetWriters = `DELETE FROM writers WHERE at < extract(epoch FROM now()) * 1000 - ${7 * dayMs}`

/** Returns a function that queries the server's time, in Unix milliseconds. */
function prepareReadTime(connection: PostgresConnection): () => Promise<number> {
  const read = connection.prepare('SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS time')
  return async () => number((await read.get()) ?? {}, 'time')
}

async function serverVersion(connection: PostgresConnection): Promise<string> {
  return text((await connection.prepare('SHOW server_version').get()) ?? {}, 'server_version')
}

async function read(link: PostgresLink, query: QueryConfig, outage: Outage): Promise<QueryResult> {
  if (outage.isOn) throw outage.refusal()
  for (let tries = 1; ; tries++)
    try {
      return await link.send(query)
    } catch (error) {
      const kind = faultKind(error)
      if (kind === 'lost') link.drop()
      // The server may have closed an idle connection, so the read is repeated once on a new one.
      if (kind === 'lost' && tries === 1) continue
      throw error instanceof GatewayError || kind === 'operation' ? error : unavailable(error)
    }
}

function isStoreFault(error: unknown): boolean {
  return error instanceof GatewayError || isPostgresFault(error)
}

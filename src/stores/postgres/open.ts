import { randomUUID } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Client, QueryConfig, QueryResult } from 'pg'
import type { NodeSignal } from '../../core/ports/signals.ts'
import type { StoreSignal } from '../../core/ports/store.ts'
import { Listeners } from '../listeners.ts'
import { checkSecretKey } from '../sql/check-secret-key.ts'
import { createSealBox } from '../sql/seal.ts'
import { SqlStore } from '../sql/store.ts'
import { PostgresConnection } from './connection.ts'
import { faultKind, isPostgresFault, unavailable } from './faults.ts'
import { type LinkOptions, PostgresLink } from './link.ts'
import { migrate } from './migrations.ts'
import { Outage } from './outage.ts'
import { PostgresRates } from './rates.ts'
import { PostgresSignals } from './signals.ts'
import { anything, Watch } from './watch.ts'
import { PostgresWriter } from './writer.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with TLS options as parameters. */
  url: string
  /** 32 bytes; encrypts stored webhook secrets and signing keys. The same on every node. */
  secretKey: Buffer
  /** Shown in the server's list of sessions. */
  nodeName?: string
}

/** Opens the store on PostgreSQL 15 or later, and brings its schema up to date. Throws
 *  `store_unavailable` when the server cannot be reached, its schema is newer than the program, or
 *  the secret key differs from the one that created it. */
export async function openPostgresStore({ url, secretKey, nodeName = 'gateway' }: PostgresStoreOptions): Promise<SqlStore> {
  const box = createSealBox(secretKey)
  const session = randomUUID()
  const listeners = new Listeners<StoreSignal>()
  const writing = new PostgresLink({ url, name: `${nodeName} writes` })
  const reading = new PostgresLink({ url, name: `${nodeName} reads` })
  const outage = new Outage(() => {
    // Whatever waits for an answer is refused now.
    for (const link of [writing, reading]) link.drop()
  })
  const connection = new PostgresConnection(query => read(reading, query, outage))
  const signals = new PostgresSignals(session, connection)
  const rates = new PostgresRates({ url, nodeName })
  const onNews = (news: readonly NodeSignal[]) => signals.hear(news)
  const watch = new Watch({
    url,
    nodeName,
    session,
    connection,
    outage,
    askElsewhere: () => reading.send(anything),
    announce: listeners.publish,
    onNews,
  })
  const writer = new PostgresWriter(writing, { session, outage, onCommit: listeners.publish, onChange: count => watch.changedHere(count) })
  const close = async () => {
    await writer.close()
    await watch.close()
    await Promise.all([writing.close(), reading.close(), rates.close()])
  }
  try {
    const client = await writing.client()
    const about = { kind: 'postgresql' as const, schema: (await migrate(client)).to, version: await serverVersion(client) }
    await checkSecretKey({ connection, writer, box }, 'the database')
    await watch.start()
    const parts = { about, connection, writer, box, session, listeners, signals, rates, otherNodes: watch }
    const exclusively = <Result>(work: () => Promise<Result>) => whileOthersWait({ url, name: `${nodeName} starts` }, work)
    return new SqlStore({ ...parts, exclusively, cachesTasks: false, isFault: isStoreFault, close })
  } catch (error) {
    await close()
    throw error
  }
}

/** Key of the lock that `exclusively` holds. */
const startLock = 7_264_003

/** Holds a lock of the database on a connection of its own, so that the work may write. */
async function whileOthersWait<Result>(options: LinkOptions, work: () => Promise<Result>): Promise<Result> {
  const link = new PostgresLink(options)
  try {
    await link.send({ text: 'BEGIN' })
    await link.send({ text: 'SELECT pg_advisory_xact_lock($1)', values: [startLock] })
    return await work()
  } finally {
    // The end of the connection frees the lock.
    await link.close()
  }
}

async function serverVersion(client: Client): Promise<string> {
  const { rows } = await client.query('SHOW server_version')
  return String(rows[0]?.server_version)
}

async function read(link: PostgresLink, query: QueryConfig, outage: Outage): Promise<QueryResult> {
  if (outage.isOn) throw outage.refusal()
  try {
    return await link.send(query)
  } catch (error) {
    const kind = faultKind(error)
    if (kind === 'lost') link.drop()
    throw error instanceof GatewayError || kind === 'operation' ? error : unavailable(error)
  }
}

function isStoreFault(error: unknown): boolean {
  return error instanceof GatewayError || isPostgresFault(error)
}

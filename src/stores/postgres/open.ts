import { randomUUID } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { QueryConfig, QueryResult } from 'pg'
import type { StoreSignal } from '../../core/ports/store.ts'
import { Listeners } from '../listeners.ts'
import { checkSecretKey } from '../sql/check-secret-key.ts'
import { createSealBox } from '../sql/seal.ts'
import { SqlStore } from '../sql/store.ts'
import { PostgresConnection } from './connection.ts'
import { faultKind, isPostgresFault, unavailable } from './faults.ts'
import { PostgresLink } from './link.ts'
import { migrate } from './migrations.ts'
import { Watch } from './watch.ts'
import { PostgresWriter, writerSetUp } from './writer.ts'

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
  const writing = new PostgresLink({ url, name: `${nodeName} writes`, setUp: writerSetUp })
  const reading = new PostgresLink({ url, name: `${nodeName} reads` })
  const connection = new PostgresConnection(query => read(reading, query))
  const watch = new Watch({ url, nodeName, session, connection, announce: listeners.publish })
  const writer = new PostgresWriter(writing, { session, onCommit: listeners.publish, onChange: count => watch.changedHere(count) })
  const close = async () => {
    await writer.close()
    await watch.close()
    await Promise.all([writing.close(), reading.close()])
  }
  try {
    await migrate(await writing.client())
    await checkSecretKey({ connection, writer, box }, 'the database')
    await watch.start()
    const parts = { connection, writer, box, session, listeners, otherNodes: watch }
    return new SqlStore({ ...parts, cachesTasks: false, isFault: isStoreFault, close })
  } catch (error) {
    await close()
    throw error
  }
}

async function read(link: PostgresLink, query: QueryConfig): Promise<QueryResult> {
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

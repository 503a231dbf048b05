/** The database of a test. With `npm test -- --store=postgres`, each store and gateway of a test
 *  has a database of its own on the server at GATEWAY_TEST_POSTGRES_URL; otherwise it uses the
 *  embedded store. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import pg from 'pg'
import { queryOnce } from '../../stores/postgres/testing/query-once.ts'

const server = process.env.GATEWAY_TEST_POSTGRES_URL

/** Reason to skip a test that reads the files of the embedded store; undefined where tests use the
 *  embedded store. */
export const onlyEmbedded: { skip?: string } = server === undefined ? {} : { skip: 'looks into the files of the embedded store' }

/** Returns the address of the database that belongs to a data folder, which the first call creates;
 *  undefined where tests use the embedded store. */
export async function databaseOf(dataDir: string): Promise<string | undefined> {
  if (server === undefined) return undefined
  const name = nameOf(dataDir)
  await queryOnce(server, `CREATE DATABASE ${name}`).catch(error => {
    // The code 42P04 means that the database exists already.
    if (error.code !== '42P04') throw error
  })
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** Returns the settings of a gateway on the database of this data folder; empty where tests use the
 *  embedded store. */
export async function databaseSettings(dataDir: string): Promise<Record<string, string>> {
  const url = await databaseOf(dataDir)
  return url === undefined ? {} : { GATEWAY_DATABASE_URL: url, GATEWAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
}

/** Removes the database of a data folder, also while it is in use. */
export async function dropDatabase(dataDir: string): Promise<void> {
  if (server !== undefined) await queryOnce(server, `DROP DATABASE IF EXISTS ${nameOf(dataDir)} WITH (FORCE)`)
}

/** Parsers of column types. The types int8 (20) and numeric (1700) are read as numbers, as from the
 *  embedded store. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => (oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid)),
} as pg.CustomTypesConfig

/** Returns rows from the store of the gateway with this data folder: from its file, or from the
 *  database server. */
export async function queryRows(dataDir: string, sql: string): Promise<Record<string, SQLOutputValue>[]> {
  const url = await databaseOf(dataDir)
  if (url !== undefined) return queryOnce(url, sql, types)
  const database = new DatabaseSync(join(dataDir, 'gateway.db'), { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

function nameOf(dataDir: string): string {
  return `test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 20)}`
}

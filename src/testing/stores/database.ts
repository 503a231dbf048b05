/** The database of a test. With `npm test -- --store=postgres`, each store and each gateway in a
 *  test gets a database of its own on the server at GATEWAY_TEST_POSTGRES_URL. Without this
 *  option, tests use the embedded store. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import pg from 'pg'
import { queryOnce } from '../../stores/postgres/testing/query-once.ts'

const server = process.env.GATEWAY_TEST_POSTGRES_URL

/** Returns the options of a test that needs the embedded store: its files, its lock, or the limits
 *  of a single process. With PostgreSQL the test is skipped, and the report shows `reason`. */
export const onlyEmbedded = (reason: string): { skip?: string } => (server === undefined ? {} : { skip: reason })

/** Returns the address of the database for a data folder; the first call creates the database.
 *  Undefined when the tests use the embedded store. */
export async function databaseOf(dataDir: string): Promise<string | undefined> {
  if (server === undefined) return undefined
  const name = nameOf(dataDir)
  await queryOnce(server, `CREATE DATABASE ${name}`).catch(error => {
    // The code 42P04 means that the database exists already.
    if (error.code !== '42P04') throw error
  })
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** Returns the environment variables with which a gateway uses the database for this data
 *  folder; empty when the tests use the embedded store. */
export async function databaseSettings(dataDir: string): Promise<Record<string, string>> {
  const url = await databaseOf(dataDir)
  return url === undefined ? {} : { GATEWAY_DATABASE_URL: url, GATEWAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
}

/** Removes the database for a data folder, even while it is in use. */
export async function dropDatabase(dataDir: string): Promise<void> {
  if (server !== undefined) await queryOnce(server, `DROP DATABASE IF EXISTS ${nameOf(dataDir)} WITH (FORCE)`)
}

/** Parsers of column types. The types int8 (20) and numeric (1700) are read as numbers, which is
 *  also what the embedded store returns. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => (oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid)),
} as pg.CustomTypesConfig

/** Returns rows from the store of the gateway with this data folder: from its file, or from the
 *  database server. */
export async function queryRows(dataDir: string, sql: string): Promise<Record<string, SQLOutputValue>[]> {
  const url = await databaseOf(dataDir)
  if (url !== undefined) return queryOnce(url, sql, types)
  const database = new DatabaseSync(join(dataDir, 'gateway.db'), { readOnly: true, timeout: 10_000 })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

/** True when the store of the gateway with this data folder contains the text: in the bytes of its
 *  files, or in a row of any table. */
export async function storeContains(dataDir: string, text: string): Promise<boolean> {
  const url = await databaseOf(dataDir)
  if (url === undefined) {
    const files = ['gateway.db', 'gateway.db-wal'].map(name => readFile(join(dataDir, name)).catch(() => Buffer.alloc(0)))
    return (await Promise.all(files)).some(bytes => bytes.includes(text))
  }
  const tables = await queryOnce(url, `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`)
  const isIn = tables.map(({ name }) => `EXISTS (SELECT FROM ${name} WHERE strpos(CAST(${name} AS TEXT), ${pg.escapeLiteral(text)}) > 0)`)
  const [found] = await queryOnce(url, `SELECT ${isIn.join(' OR ')} AS found`)
  return found?.found === true
}

function nameOf(dataDir: string): string {
  return `test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 20)}`
}

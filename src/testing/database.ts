/** With `npm test -- --store=postgres`, the stores and gateways of tests are on a database of their
 *  own each, on the server that GATEWAY_TEST_POSTGRES_URL names; else on the embedded store. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import pg from 'pg'

const server = process.env.GATEWAY_TEST_POSTGRES_URL

/** Reason to skip a test that looks into the files of the embedded store; undefined where that is
 *  in use. */
export const onlyEmbedded: { skip?: string } = server === undefined ? {} : { skip: 'looks into the files of the embedded store' }

/** Returns the address of the database that belongs to a data folder, made at the first call;
 *  undefined where tests use the embedded store. */
export async function databaseOf(dataDir: string): Promise<string | undefined> {
  if (server === undefined) return undefined
  const name = nameOf(dataDir)
  // 42P04: it exists already.
  await perform(server, `CREATE DATABASE ${name}`, '42P04')
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** Settings of a gateway on that database, in place of those that the embedded store needs. */
export async function databaseSettings(dataDir: string): Promise<Record<string, string>> {
  const url = await databaseOf(dataDir)
  return url === undefined ? {} : { GATEWAY_DATABASE_URL: url, GATEWAY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
}

/** Removes the database of a data folder, also while it is in use. */
export async function dropDatabase(dataDir: string): Promise<void> {
  if (server !== undefined) await perform(server, `DROP DATABASE IF EXISTS ${nameOf(dataDir)} WITH (FORCE)`)
}

/** Numbers are read as numbers, as from the embedded store. OIDs: int8 and numeric. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => (oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid)),
} as pg.CustomTypesConfig

/** Reads rows of the store that a gateway on this data folder uses, from the disk or the server. */
export async function queryRows(dataDir: string, sql: string): Promise<Record<string, SQLOutputValue>[]> {
  const url = await databaseOf(dataDir)
  if (url !== undefined) return perform(url, sql)
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

async function perform(url: string, sql: string, accepted?: string): Promise<Record<string, SQLOutputValue>[]> {
  const client = new pg.Client({ connectionString: url, types })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== accepted) throw error
    return []
  } finally {
    await client.end()
  }
}

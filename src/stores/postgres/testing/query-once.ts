import pg from 'pg'

/** Runs a statement on a new connection and returns its rows. `types` are the parsers for the
 *  columns; those of the client library when absent. */
export async function queryOnce(connectionString: string, sql: string, types: pg.CustomTypesConfig = pg.types) {
  const client = new pg.Client({ connectionString, types })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

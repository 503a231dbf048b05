import pg from 'pg'

/** Runs a statement on a connection of its own, and returns the rows. `types` parse the columns;
 *  default: the client's own parsers. */
export async function queryOnce(connectionString: string, sql: string, types: pg.CustomTypesConfig = pg.types) {
  const client = new pg.Client({ connectionString, types })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

import pg from 'pg'

/** Runs a statement on a connection of its own and returns its rows. */
export async function rowsOf(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

import type { Client } from 'pg'

const probe = { name: 'gateway_probe', text: 'SELECT 1' }

/** Checks, with two open connections, that prepared statements work. A pooler that assigns a
 *  connection of the server anew after each transaction may lose prepared statements or confuse
 *  those of different clients. Throws the error of the database. */
export async function assertPrepared(one: Client, other: Client): Promise<void> {
  if ((await backendOf(one)) !== (await backendOf(other))) return
  // Both clients use the same connection of the server, so there is a pooler. The transaction of
  // the second client now occupies this connection, so that the first client gets another one.
  await one.query(probe)
  await other.query('BEGIN')
  try {
    await one.query(probe)
  } finally {
    await other.query('ROLLBACK')
  }
}

async function backendOf(client: Client): Promise<number> {
  return (await client.query('SELECT pg_backend_pid() AS backend')).rows[0].backend
}

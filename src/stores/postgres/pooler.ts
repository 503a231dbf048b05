import type { Client } from 'pg'

const probe = { name: 'gateway_probe', text: 'SELECT 1' }

/** Checks that prepared statements work on two open connections: a pooler that gives the
 *  connections of the server away after each transaction may lose them, or mix them up. Throws the
 *  error of the database. */
export async function assertPrepared(one: Client, other: Client): Promise<void> {
  if ((await backendOf(one)) !== (await backendOf(other))) return
  // Both are on one connection of the server. The second now keeps it, so the first gets another.
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

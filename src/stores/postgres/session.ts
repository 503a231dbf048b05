/** Prepares a connection before its first use: checks the server and sets the time-outs. */
import type { Client } from 'pg'
import type { PostgresTimes } from './times.ts'

const oldestMajor = 15
/** Time after which the server gives up a client that no longer takes its answers, and between its
 *  looks for clients that have gone while it works for them. */
const goneMs = 15_000
const lookForGoneMs = 2_000

const aboutServer = `SELECT CAST(current_setting('server_version_num') AS INTEGER) AS version,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby`

/** Sets the limits of the session, and checks the server. Throws an error that names what the
 *  store needs. */
export async function prepareSession(client: Client, times: PostgresTimes): Promise<void> {
  const [server] = await Promise.all([
    client.query(aboutServer),
    client.query(limitsOf(times)),
    // Not every operating system of a server has it.
    client.query(`SET client_connection_check_interval = ${lookForGoneMs}`).catch(() => {}),
  ])
  const { version, encoding, is_standby } = server.rows[0]
  const problem = problemOf({ version, encoding, isStandby: is_standby === 1 })
  if (problem !== undefined) throw new Error(problem)
}

/** Returns why the store cannot use a database. `version`: as in `server_version_num`, 150004. */
export function problemOf({ version, encoding, isStandby }: { version: number; encoding: string; isStandby: boolean }): string | undefined {
  const major = Math.floor(version / 10_000)
  if (major < oldestMajor) return `the server is PostgreSQL ${major}; the gateway needs ${oldestMajor} or later`
  if (encoding !== 'UTF8') return `the database has the encoding ${encoding}; the gateway needs UTF8`
  return isStandby ? 'the server is a read-only standby; the gateway needs the primary' : undefined
}

function limitsOf({ statementMs, lockMs, idleMs }: PostgresTimes): string {
  const limits = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    // The waits for locks rely on it: a statement sees what was committed before it began.
    default_transaction_isolation: `'read committed'`,
    // Sums of fractions come back as they were written.
    extra_float_digits: 1,
    tcp_user_timeout: goneMs,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
  }
  return Object.entries(limits)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ')
}

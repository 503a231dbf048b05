/** Prepares a new connection: checks the server and sets the time limits of the session. */
import type { Client } from 'pg'
import type { PostgresTimes } from './times.ts'

const oldestMajor = 15
/** `goneMs`: time in milliseconds after which the server closes the connection of a client that
 *  does not acknowledge its answers. `lookForGoneMs`: interval at which the server checks,
 *  during a statement, whether the client is still connected. */
const goneMs = 15_000
const lookForGoneMs = 2_000

const aboutServer = `SELECT CAST(current_setting('server_version_num') AS INTEGER) AS version,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby`

/** Sets the limits of the session and checks the server. Throws an error that names the
 *  requirement which the server does not meet. */
export async function prepareSession(client: Client, times: PostgresTimes): Promise<void> {
  const [server] = await Promise.all([
    client.query(aboutServer),
    client.query(limitsOf(times)),
    // This setting does not exist on every operating system, so its failure is ignored.
    client.query(`SET client_connection_check_interval = ${lookForGoneMs}`).catch(() => {}),
  ])
  const { version, encoding, is_standby } = server.rows[0]
  const problem = problemOf({ version, encoding, isStandby: is_standby === 1 })
  if (problem !== undefined) throw new Error(problem)
}

/** Returns the reason why the store cannot use a database; undefined when it can. `version` has
 *  the form of `server_version_num`: 150004 for 15.4. */
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
    // The lock of writing transactions relies on this level: a statement then sees everything that
    // was committed before the statement began, even during its transaction.
    default_transaction_isolation: `'read committed'`,
    // With this setting, fractions are read back exactly as they were written.
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

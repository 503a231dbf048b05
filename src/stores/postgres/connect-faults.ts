import { errorMessage } from '@generation-gateway/kit/errors.ts'
import pg from 'pg'
import { describeFault } from './faults.ts'

/** The sentences that explain common errors to operators, by SQLSTATE (PostgreSQL's error code). */
const sentences: Readonly<Record<string, (names: { user: string; database: string }) => string>> = {
  '28P01': ({ user }) => `the password of the user ${user} is wrong`,
  '28000': ({ user }) => `the server does not let the user ${user} in (pg_hba.conf)`,
  '3D000': ({ database }) => `there is no database ${database}`,
  '53300': () => 'the server has no free connection (max_connections); each process of the gateway needs 4, and one more while it starts',
  '57P03': () => 'the server is starting or recovering',
  '25006': () => 'the server or the user may only read (a standby, or default_transaction_read_only)',
  '42501': ({ user, database }) =>
    `the user ${user} lacks a right in the database ${database}: it needs CREATE in its schema, and owns the tables of the gateway`,
  '26000': () => pooler,
  '42P05': () => pooler,
}
const pooler =
  'a connection pooler mixes up prepared statements; connect to the server itself, or to a pooler in session mode, or to PgBouncer 1.21 or later with max_prepared_statements'

const certificateCodes = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/

/** Returns one sentence, without a full stop, that says why the database cannot be used and
 *  which part of its address is wrong. The sentence never contains the password. */
export function connectFault(error: unknown, url: string): string {
  const { place, user, database } = partsOf(url)
  if (error instanceof pg.DatabaseError) {
    const sentence = sentences[error.code ?? '']?.({ user, database })
    return sentence === undefined ? describeFault(error) : `${sentence} (${place}, PostgreSQL ${error.code})`
  }
  const text = errorMessage(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Error && 'path' in error && 'syscall' in error && error.syscall === 'open')
    return `the file ${error.path} cannot be read (${code})`
  if (certificateCodes.test(code))
    return `the certificate of ${place} is not trusted (${code}): name its authority with sslrootcert=FILE, or use sslmode=no-verify`
  if (/SSL/.test(text)) return `${place} does not offer TLS, which the address requires (sslmode)`
  if (/password must be a string/.test(text)) return `the server asks for a password, and the address of ${place} has none`
  if (text === 'timeout expired')
    return `${place} does not answer (a firewall, a pooler without a free connection, or no PostgreSQL server)`
  if (text === 'Connection terminated unexpectedly') return `${place} ended the connection at once; it may not be a PostgreSQL server`
  return code === '' ? text : `${place} cannot be reached (${code})`
}

function partsOf(url: string): { place: string; user: string; database: string } {
  if (!URL.canParse(url)) return { place: 'the server', user: '?', database: '?' }
  const { host, username, pathname } = new URL(url)
  const user = decoded(username)
  return { place: host === '' ? 'the server' : host, user, database: decoded(pathname.slice(1)) || user }
}

/** Returns a part of a URL with its percent escapes decoded; unchanged when it has a percent
 *  sign that begins no valid escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

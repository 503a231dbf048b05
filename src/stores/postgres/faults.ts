import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import pg from 'pg'

/** The meaning of an error of the database for the store. */
export type FaultKind =
  /** One statement failed; the connection and the database are fine. */
  | 'operation'
  /** The transaction was rolled back because of another one and can be run again. */
  | 'retry'
  /** The server has no room: nothing was committed, later writes may succeed. */
  | 'disk-full'
  /** A statement ran, or waited for a lock, longer than its limit, or the server had too little
   *  memory: nothing was committed, later writes may succeed. */
  | 'busy'
  /** The connection is gone, or the server refuses it. */
  | 'lost'

const kinds: ReadonlyMap<string, FaultKind> = new Map([
  ['40001', 'retry'],
  ['40P01', 'retry'],
  ['53100', 'disk-full'],
  ['57014', 'busy'],
  ['55P03', 'busy'],
  ['53200', 'busy'],
  ['53300', 'lost'],
  ['25P03', 'lost'],
  // The server has become a standby; the next connection may find the new primary.
  ['25006', 'lost'],
  // A migration has made the cached plan of a statement invalid; on a new connection, the statement
  // is planned again.
  ['0A000', 'lost'],
  // A pooler has given the server's connection to another client, so the prepared statements are
  // missing or exist already.
  ['26000', 'lost'],
  ['42P05', 'lost'],
])

/** Classifies an error of a statement or a connection. */
export function faultKind(error: unknown): FaultKind {
  const code = sqlState(error)
  if (code === undefined) return error instanceof Error && isConnectionError(error) ? 'lost' : 'operation'
  const kind = kinds.get(code)
  if (kind !== undefined) return kind
  // Classes of SQLSTATE: 08 are connection exceptions, 28 refused logins, 3D a missing database,
  // 57P a server that shuts down or does not accept connections yet.
  return /^(08|28|3D|57P)/.test(code) ? 'lost' : 'operation'
}

/** Returns the error for callers when the database cannot be used now. */
export function unavailable(error: unknown): GatewayError {
  return new GatewayError('store_unavailable', 'The database does not answer.', { cause: describeFault(error), retryAfterSeconds: 2 })
}

/** Returns the error's text with its SQLSTATE, for logs. */
export function describeFault(error: unknown): string {
  const text = errorMessage(error)
  const code = sqlState(error)
  return code === undefined ? text : `${text} (PostgreSQL ${code})`
}

/** True for an error of the database or its connection. */
export function isPostgresFault(error: unknown): boolean {
  return sqlState(error) !== undefined || faultKind(error) === 'lost'
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

const lostWords = /connection|not queryable|terminated|time-?out|client was closed/i

/** The client library `pg` reports a lost connection by the text of its message, the operating
 *  system by a code such as ECONNREFUSED. */
function isConnectionError(error: Error): boolean {
  return ('code' in error && typeof error.code === 'string' && /^(E[A-Z]+|ERR_)/.test(error.code)) || lostWords.test(error.message)
}
